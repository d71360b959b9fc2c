// Where the elements of a fragment lie in a matrix, worked out for all lanes, so that executors can move
// whole registers at once.
#pragma once
#include <optional>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

// By element of one register of all lanes (lane after lane, part after part): its place in the piece of the
// matrix that belongs to the register. Nothing if registers do not stand for equal pieces one after another,
// or if places depend on more than the lane.
std::optional<std::vector<unsigned>> fixed_places(const ir::Stmt& statement, const ir::Operand& operand,
                                                  const ir::Matrix& matrix);

// Whether the places of a fragment's elements depend on nothing but the element and the lane.
bool is_fixed(const ir::Stmt& statement);

bool is_identity(const std::vector<unsigned>& places);
std::vector<unsigned> inverse(const std::vector<unsigned>& places);

}  // namespace semcc::emit
