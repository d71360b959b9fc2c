#include "benchmarks/micro/warp_rows.h"

#include <cstring>
#include <random>
#include <span>

namespace wedjat::bench {
namespace {

// Floats near one, so that nothing is subnormal, infinite or NaN: those are rare in programs.
std::uint64_t value_of(const kernel::OperandSpec& operand, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  if (operand.name == "membermask") return ~std::uint64_t{0};
  if (operand.value != kernel::ValueKind::Float) return bits;
  if (operand.format == "f64") return (bits & 0x800fffffffffffffu) | 0x3ff0000000000000u;
  if (operand.format == "f32") return (bits & 0x807fffff807fffffu) | 0x3f8000003f800000u;
  if (operand.format == "bf16") return (bits & 0x807f807f807f807fu) | 0x3f803f803f803f80u;
  return (bits & 0x83ff83ff83ff83ffu) | 0x3c003c003c003c00u;
}

}  // namespace

WarpRows::WarpRows(const kernel::Form& form) {
  std::mt19937_64 random(1);
  for (const kernel::OperandSpec& operand : std::span(form.operand, form.operands)) {
    for (unsigned element = 0; element < operand.count; ++element) {
      const unsigned bytes = operand.bits < 8 ? 4 : operand.bits / 8;
      Row row{};
      for (unsigned lane = 0; lane < exec::lanes; ++lane) {
        const std::uint64_t value = value_of(operand, random);
        for (unsigned at = 0; at < bytes; at += 8)
          std::memcpy(row.bytes + lane * bytes + at, &value, std::min(bytes - at, 8u));
      }
      offsets_.push_back(static_cast<std::uint32_t>(rows_.size() * sizeof(Row)));
      rows_.push_back(row);
    }
  }
  rows_.emplace_back();  // a form without operands has a frame, too
  warp_.rows = rows_.front().bytes;
  warp_.live = exec::all_lanes;
  warp_.cta_threads = 256;
  step_.row = offsets_.data();
  step_.form = &form;
}

}  // namespace wedjat::bench
