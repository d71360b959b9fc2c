#include "emulator/compile/emit/proofs.h"

#include <algorithm>

#include "emulator/compile/emit/step_plan.h"
#include "emulator/compile/emit/widen.h"

namespace wedjat::compile {

namespace {

// Steps that one result may depend on, one after the other.
constexpr unsigned deepest = 64;

}  // namespace

std::vector<Shape> Proofs::before(std::uint32_t block, std::uint32_t step) {
  const std::vector<std::uint32_t> origins = origins_.before(block, step);
  std::vector<Shape> shapes;
  for (std::uint32_t row = 0; row < origins.size(); ++row) shapes.push_back(of(row, origins[row], 0));
  return shapes;
}

Shape Proofs::of(std::uint32_t row, std::uint32_t origin, unsigned depth) {
  if (bytes_[row] == untracked || depth == deepest) return Shape::vector();
  if (origin == Origins::beginning) {
    const auto fill = request_.fills.find(liveness_.offset(row));
    return fill != request_.fills.end() ? fill->second : Shape::vector();
  }
  if (origin >= request_.code().steps.size()) return Shape::vector();
  return result(origin, row, depth + 1);
}

Shape Proofs::result(std::uint32_t number, std::uint32_t row, unsigned depth) {
  // While it is looked for nothing is certain.
  const auto [known, is_new] = results_.try_emplace({number, row}, Shape::vector());
  if (!is_new) return known->second;
  const kernel::Function& code = request_.code();
  if (needs_loop(code.steps[number], liveness_.probes()))
    return Shape::vector();  // no form, or more than a computation
  const StepPlan plan = plan_of(code.steps[number], bytes_, liveness_, lanes_, request_.host);
  if (plan.kind != StepPlan::Kind::compute) return Shape::vector();
  const auto block =
      std::ranges::upper_bound(code.blocks, number, {}, [](const kernel::Block& b) { return b.first; }) - 1;
  const std::vector<std::uint32_t> origins =
      origins_.before(static_cast<std::uint32_t>(block - code.blocks.begin()), number - block->first);
  RowElements inputs;
  for (const RowUse& use : plan.rows) {
    const std::uint32_t in = liveness_.number(use.offset);
    inputs[use.index] = {{use.in ? of(in, origins[in], depth) : Shape::vector(), nullptr, nullptr, nullptr},
                         use.bits()};
  }
  const std::map<unsigned, Value> results = certain_shapes(*plan.lane, std::move(inputs));
  for (const RowUse& use : plan.rows)
    if (const auto found = results.find(use.index); use.out && found != results.end())
      results_[{number, liveness_.number(use.offset)}] = found->second.shape;
  return results_.at({number, row});
}

}  // namespace wedjat::compile
