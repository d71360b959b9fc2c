#include "tests/emulator/hardware/cases/row_shape.h"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>

#include "tests/emulator/hardware/cases/effect_case.h"
#include "tests/emulator/hardware/cases/tensor_case.h"

namespace wedjat::hardware_truth {
namespace {

const std::map<std::string, std::pair<Type, char>> pools = {
    {"b8", {Type::b8, 'b'}},   {"b16", {Type::b16, 'h'}},   {"b32", {Type::b32, 'r'}},
    {"b64", {Type::b64, 'l'}}, {"b128", {Type::b128, 'q'}}, {"pred", {Type::pred, 'p'}}};

// Registers are numbered by size, in the order of the pattern; those with a role (@policy) have names of
// their own.
void add_registers(const std::string& pattern, RowShape& shape) {
  static const std::regex one(R"(([ds])\.(pred|b\d+)(\*(\d+)|@\w+)?)");
  std::map<std::string, unsigned> count;
  for (std::sregex_iterator it(pattern.begin(), pattern.end(), one), end; it != end; ++it) {
    const std::smatch& match = *it;
    if (match[3].str().starts_with("@")) continue;
    const std::string size = match[2];
    const unsigned elements = match[4].matched ? static_cast<unsigned>(std::stoul(match[4])) : 1;
    for (unsigned i = 0; i < elements; ++i) {
      const auto& [type, letter] = pools.at(size);
      (match[1] == "d" ? shape.destinations : shape.sources)
          .push_back({fmt::format("%{}{}", letter, count[size]++), type});
    }
  }
}

bool is_special(std::string_view operands) {
  static const std::regex same_everywhere(
      R"(.*@%(tid|ntid|ctaid|nctaid|clusterid|nclusterid|cluster_ctaid|cluster_nctaid)(\.\w)?)"
      R"(|.*@%(laneid|lanemask_\w+|cluster_ctarank|cluster_nctarank|is_explicit_cluster|dynamic_smem_size))"
      R"(|.*@%(envreg[1-9]\d*|pm\d(_64)?|(total|aggr)_smem_size|reserved_smem_offset_\w+|nsmid|nwarpid))"
      R"(|.*@%current_graph_exec)");
  return std::regex_match(operands.begin(), operands.end(), same_everywhere);
}

bool is_shown(const fidelity::InventoryRow& row) {
  const std::string_view opcode = row.opcode(), operands = row.operands;
  if (!row.runs_on_sm_90a) return false;
  if (is_tensor_copy(row) || is_effect(row)) return true;
  if (opcode == "mov") return is_special(operands);
  if (opcode == "call") return true;
  if (opcode == "bar" || opcode == "barrier" || opcode == "mbarrier") return true;
  if (opcode == "cp") return true;
  static const std::set<std::string_view> accesses = {"ld", "ldu", "st", "atom", "red"};
  return accesses.count(opcode) != 0;
}

}  // namespace

RowShape shape_of(const fidelity::InventoryRow& row) {
  RowShape shape;
  const std::string pattern(row.operands);
  shape.name = std::string(row.mnemonic) + (pattern.empty() ? "" : " " + pattern);
  if (row.opcode() == "call") {
    shape.destinations = {{"%r0", Type::b32}};
    shape.sources = {{"%r1", Type::b32}};
    shape.space = "g";
    return shape;
  }
  add_registers(pattern, shape);
  static const std::regex address(R"(\[([\w+]+))");
  for (std::sregex_iterator it(pattern.begin(), pattern.end(), address), end; it != end; ++it) {
    const std::string space = (*it)[1];
    if (space == "mbar" || space == "genmbar")
      shape.barrier = true;
    else
      (shape.space.empty() ? shape.space : shape.other_space) = space;
  }
  shape.barrier_result = row.opcode() == "mbarrier";
  return shape;
}

std::vector<const fidelity::InventoryRow*> shown_rows() {
  std::vector<const fidelity::InventoryRow*> rows;
  for (const fidelity::InventoryRow& row : fidelity::inventory())
    if (is_shown(row)) rows.push_back(&row);
  return rows;
}

}  // namespace wedjat::hardware_truth
