// The shapes of all rows at the start of each node of a region.
#pragma once
#include <vector>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/emit/step_plan.h"

namespace wedjat::compile {

/// By row number.
using RowShapes = std::vector<Shape>;

/// Lanes that part at the end of a node come together at another one, where these rows differ.
struct Meeting {
  std::uint32_t node;
  RowSet rows;
};

/// `entry`: at the region's entry. `meetings`: by node, where its lanes may part. Plans by step of the
/// function; those outside of the region are not looked at.
std::vector<RowShapes> shapes_in(const Request& request, const Region& region, const Liveness& liveness,
                                 const std::vector<StepPlan>& plans, RowShapes entry,
                                 const std::vector<Meeting>& meetings);

/// Shapes after the step. `number`: of it in its function.
void apply_shapes(const Request& request, const Liveness& liveness, const StepPlan& plan,
                  std::uint32_t number, RowShapes& shapes);

}  // namespace wedjat::compile
