#include "tests/semantics/harness/machine.h"

#include <cstring>

#include "emulator/exec/warp/special.h"
#include "tests/semantics/harness/inputs.h"

namespace wedjat::test {
namespace {

namespace ir = semcc::ir;

constexpr std::uint32_t cta_threads = 256;
constexpr std::size_t row_bytes = 512, frame_bytes = 128 * 1024;

unsigned element_bytes(const ir::Operand& operand) {
  if (operand.kind == ir::OperandKind::Address) return 8;
  return operand.type.kind == ir::Kind::Pred ? 0 : operand.type.bits() / 8;
}

// One element of a row; predicates are bits of one word.
void store(std::byte* row, unsigned bytes, unsigned lane, const mpz_class& pattern) {
  if (bytes == 0) {
    std::uint32_t word;
    std::memcpy(&word, row, 4);
    word = (word & ~(1u << lane)) | static_cast<std::uint32_t>(pattern.get_ui() & 1) << lane;
    std::memcpy(row, &word, 4);
    return;
  }
  for (unsigned byte = 0; byte < bytes; ++byte)
    row[lane * bytes + byte] = static_cast<std::byte>(mpz_class((pattern >> (8 * byte)) & 255).get_ui());
}

mpz_class load(const std::byte* row, unsigned bytes, unsigned lane) {
  if (bytes == 0) {
    std::uint32_t word;
    std::memcpy(&word, row, 4);
    return word >> lane & 1;
  }
  mpz_class pattern;
  for (unsigned byte = bytes; byte-- > 0;)
    pattern = (pattern << 8) + std::to_integer<unsigned>(row[lane * bytes + byte]);
  return pattern;
}

}  // namespace

std::map<std::string, std::uint64_t> special_values() {
  exec::WarpContext warp;
  warp.cta_threads = cta_threads;
  return {{"cta.threads", exec::special_cta_threads(warp)},
          {"cluster.rank", exec::special_cluster_rank(warp)},
          {"cluster.ctas", exec::special_cluster_ctas(warp)},
          {"warp.index", exec::special_warp_index(warp)},
          {"window.shared.base", exec::special_window_shared_base(warp)},
          {"window.shared.size", exec::special_window_shared_size(warp)},
          {"window.local.base", exec::special_window_local_base(warp)},
          {"window.local.size", exec::special_window_local_size(warp)},
          {"window.param.base", exec::special_window_param_base(warp)},
          {"window.param.size", exec::special_window_param_size(warp)},
          {"window.const.base", exec::special_window_const_base(warp)},
          {"window.const.size", exec::special_window_const_size(warp)}};
}

Machine::Machine() : rows_(frame_bytes + 64), near_(memory_bytes) {
  device_.allocate_at(device_base, memory_bytes, "test");
  port_.device = &device_;
  port_.cache.resize(1);
  port_.shared = port_.local = port_.parameters = near_.data();
  port_.shared_bytes = port_.local_bytes = port_.parameter_bytes = near_.size();
}

std::byte* Machine::memory_at(ir::Space space) {
  return on_device(space) ? device_.host(device_base, memory_bytes, "test") : near_.data();
}

void Machine::place_rows(const ir::Form& form, bool alias) {
  offset_of_.clear();
  std::uint32_t next = 0;
  for (const ir::Operand& operand : form.operands) {
    offset_of_.emplace_back();
    for (unsigned element = 0; element < operand.count; ++element, next += row_bytes)
      offset_of_.back().push_back(next);
  }
  const auto can = [](const ir::Operand& operand) {
    return operand.count == 1 && operand.type.kind != ir::Kind::Pred;
  };
  for (std::size_t out = 0; alias && out < form.operands.size(); ++out)
    for (std::size_t in = 0; in < form.operands.size(); ++in)
      if (form.operands[out].out && !form.operands[out].in && form.operands[in].in &&
          !form.operands[in].out && can(form.operands[out]) && can(form.operands[in]) &&
          element_bytes(form.operands[out]) == element_bytes(form.operands[in])) {
        offset_of_[out] = offset_of_[in];
        alias = false;
        break;
      }
  offsets_.clear();
  for (const auto& elements : offset_of_) offsets_.insert(offsets_.end(), elements.begin(), elements.end());
}

semcc::eval::Frame Machine::run(const ir::Form& form, kernel::Executor executor,
                                const semcc::eval::Frame& before, bool alias) {
  place_rows(form, alias);
  exec::WarpContext warp;
  // Rows are aligned to 64 bytes.
  const auto start = reinterpret_cast<std::uintptr_t>(rows_.data());
  warp.rows = rows_.data() + (64 - start % 64) % 64;
  warp.carry = before.carry;
  warp.live = exec::all_lanes;
  warp.cta_threads = cta_threads;
  warp.memory = &port_;
  // Outputs first: an input in the same row is what the instruction reads.
  for (const bool inputs : {false, true})
    for (std::size_t index = 0; index < form.operands.size(); ++index)
      if (form.operands[index].in == inputs)
        for (unsigned element = 0; element < form.operands[index].count; ++element)
          for (unsigned lane = 0; lane < semcc::eval::lanes; ++lane)
            store(warp.rows + offset_of_[index][element], element_bytes(form.operands[index]), lane,
                  before.operands[index][element][lane].bits);
  const ir::Space space = memory_space(form);
  const std::uint64_t base = base_of(space);
  for (const auto& [place, byte] : before.memory)
    memory_at(space)[place.second - base] = static_cast<std::byte>(byte);

  kernel::Step step{};
  step.full = step.masked = executor;
  step.row = offsets_.data();
  executor(warp, step, before.active);

  semcc::eval::Frame after = before;
  after.carry = warp.carry;
  for (std::size_t index = 0; index < form.operands.size(); ++index)
    if (form.operands[index].out)
      for (unsigned element = 0; element < form.operands[index].count; ++element)
        for (unsigned lane = 0; lane < semcc::eval::lanes; ++lane)
          after.operands[index][element][lane] = {
              load(warp.rows + offset_of_[index][element], element_bytes(form.operands[index]), lane), 0};
  for (auto& [place, byte] : after.memory)
    byte = std::to_integer<std::uint8_t>(memory_at(space)[place.second - base]);
  return after;
}

}  // namespace wedjat::test
