// Where and how a fault is put in.
#pragma once
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

namespace fault_injection {

struct Row {            // a destination of an instruction
  std::uint32_t index;  // in wedjat_event.rows
  std::uint32_t bits;   // 1: a predicate
  std::string name;
};

inline std::vector<Row> destinations(const wedjat_instruction& at) {
  std::vector<Row> rows;
  if (!(at.what & WEDJAT_HAS_ROWS)) return rows;
  for (const auto& o : wedjat::operands(at))
    for (std::uint32_t e = 0; o.out && o.kind != WEDJAT_ADDRESS && e < o.count; ++e)
      if (o.registers[e] != WEDJAT_NO_REGISTER)  // not `_`, not left out
        rows.push_back({o.first + e,
                        o.value == WEDJAT_PRED ? 1u
                        : o.bits < 8           ? 8u
                                               : o.bits,
                        o.count == 1 ? o.text : std::string(o.text) + "[" + std::to_string(e) + "]"});
  return rows;
}

/// Whether an instruction is of the group that sites are drawn from.
inline bool belongs(const wedjat_instruction& at, std::string_view group) {
  if (group == "all") return true;
  if (group == "load") return (at.what & WEDJAT_LOAD) != 0;
  for (const auto& o : wedjat::operands(at))
    if (o.out && (group == "predicate" ? o.value == WEDJAT_PRED
                                       : o.value == WEDJAT_FLOAT &&
                                             std::string_view(o.format) == (group == "fp32" ? "f32" : "f64")))
      return true;
  return false;
}

struct Site {
  std::uint64_t launch = 0;
  std::uint32_t kernel = 0, instruction = 0;
  std::uint64_t occurrence = 0;  // of the lanes the instruction writes in, during the launch
  std::uint64_t draw = 0;        // chooses register, bit, value
};

/// `values`: a row of up to 64-bit elements, or a predicate's mask. Changes one lane; wider elements: their
/// low or high half.
struct Change {
  std::uint64_t before = 0, after = 0;
  std::uint32_t bit = 0;
};

inline Change put_in(void* values, std::uint32_t bits, unsigned lane, std::string_view model,
                     std::mt19937_64& random) {
  Change change;
  auto* const bytes = static_cast<unsigned char*>(values);
  if (bits == 1) {
    std::uint32_t mask;
    std::memcpy(&mask, bytes, sizeof mask);
    change.before = mask >> lane & 1;
    change.after = model == "zero" ? 0 : change.before ^ 1;
    mask = (mask & ~(1u << lane)) | static_cast<std::uint32_t>(change.after) << lane;
    std::memcpy(bytes, &mask, sizeof mask);
    return change;
  }
  const std::uint32_t width = bits > 64 ? 64 : bits, offset = bits > 64 && random() % 2 ? 8 : 0;
  unsigned char* const at = bytes + bits / 8 * lane + offset;
  std::memcpy(&change.before, at, width / 8);
  change.bit = static_cast<std::uint32_t>(random() % (model == "two" ? width - 1 : width));
  change.after = model == "zero" ? 0
                 : model == "random"
                     ? random()
                     : change.before ^ (model == "two" ? std::uint64_t{3} : std::uint64_t{1}) << change.bit;
  if (width < 64) change.after &= (std::uint64_t{1} << width) - 1;
  std::memcpy(at, &change.after, width / 8);
  change.bit += 8 * offset;
  return change;
}

}  // namespace fault_injection
