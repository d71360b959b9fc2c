#include "tests/emulator/hardware/forms/own_registers.h"

#include <fmt/format.h>

#include <regex>

namespace wedjat::hardware_truth {
namespace {

// What a row reads: "%clock64", "func".
std::string_view name_of(const fidelity::InventoryRow& row) {
  return row.operands.substr(row.operands.find('@') + 1);
}

// The row's destination as 64 bits in %u2.
std::string widened(const fidelity::InventoryRow& row) {
  return row.operands.starts_with("d.b64")   ? "  mov.b64 %u2, %l0;\n"
         : row.operands.starts_with("d.b32") ? "  cvt.u64.u32 %u2, %r0;\n"
                                             : "  cvt.u64.u16 %u2, %h0;\n";
}

std::string shown = "  selp.b32 %t3, 1, 0, %w; st.global.b32 [%out], %t3;\n";

// A counter's value, or its half, lies between those of the whole counter before and after.
std::string counted(const fidelity::InventoryRow& row, const std::string& text) {
  const std::string_view name = name_of(row);
  const std::string whole = name.starts_with("%clock") ? "%clock64" : "%globaltimer";
  const bool high = name.ends_with("_hi"), wide = row.operands.starts_with("d.b64");
  std::string body = fmt::format("  mov.u64 %u0, {0};\n{1}  mov.u64 %u1, {0};\n", whole, text);
  if (high) body += "  shr.u64 %u0, %u0, 32; shr.u64 %u1, %u1, 32;\n";
  body += widened(row) + "  sub.u64 %u2, %u2, %u0; sub.u64 %u1, %u1, %u0;\n";
  if (!wide) body += "  and.b64 %u2, %u2, 0xffffffff; and.b64 %u1, %u1, 0xffffffff;\n";
  return body + "  setp.le.u64 %w, %u2, %u1;\n" + shown;
}

// A place is below the number of places, and one for all lanes of a warp.
std::string placed(const fidelity::InventoryRow& row, const std::string& text) {
  const std::string_view limit = name_of(row) == "%smid" ? "%nsmid" : "%nwarpid";
  return text +
         fmt::format(
             "  mov.u32 %t3, {}; setp.lt.u32 %w, %r0, %t3; match.all.sync.b32 %t3|%v, %r0, -1;\n"
             "  and.pred %w, %w, %v;\n",
             limit) +
         shown;
}

// The same number each time, for all lanes.
std::string steady(const fidelity::InventoryRow& row, const std::string& text) {
  const std::string again = fmt::format("  mov.{} {}, {};\n", name_of(row) == "%gridid" ? "u64" : "u32",
                                        name_of(row) == "%gridid" ? "%u0" : "%t0", name_of(row));
  const std::string mask = row.operands.starts_with("d.b64")   ? ""
                           : row.operands.starts_with("d.b32") ? "  and.b64 %u0, %u0, 0xffffffff;\n"
                                                               : "  and.b64 %u0, %u0, 0xffff;\n";
  return text + again + (name_of(row) == "%gridid" ? "" : "  cvt.u64.u32 %u0, %t0;\n") + mask + widened(row) +
         "  setp.eq.u64 %w, %u0, %u2; match.all.sync.b64 %t3|%v, %u2, -1; and.pred %w, %w, %v;\n" + shown;
}

// A function can be called by its address, an entry has none; 32 bits are its lower half.
std::string addressed(const fidelity::InventoryRow& row, const std::string& text) {
  const std::string_view name = name_of(row);
  const bool wide = row.operands.starts_with("d.b64");
  std::string body = text + fmt::format("  mov.u64 %u0, {};\n", name);
  if (!wide) body += "  and.b64 %u0, %u0, 0xffffffff;\n";
  body += widened(row) + "  setp.eq.u64 %w, %u0, %u2; setp.ne.u64 %v, %u2, 0; and.pred %w, %w, %v;\n" + shown;
  if (wide && name == "func")
    body +=
        "  { .param .b32 given; .param .b32 got; st.param.b32 [given], %tid_x;\n"
        "  one_more: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "  call (got), %l0, (given), one_more; ld.param.b32 %t3, [got]; }\n  st.global.b32 [%out+4], %t3;\n";
  return body;
}

}  // namespace

bool reads_own_register(const fidelity::InventoryRow& row) {
  static const std::regex known(
      R"(d\.b(16|32|64), @(func|kself|%(clock|clock_hi|clock64|globaltimer|globaltimer_lo|globaltimer_hi)"
      R"(|gridid|smid|warpid|envreg0)))");
  return row.opcode() == "mov" && std::regex_match(row.operands.begin(), row.operands.end(), known);
}

std::string own_register_body(const fidelity::InventoryRow& row, const std::string& text) {
  const std::string_view name = name_of(row);
  if (name[0] != '%') return addressed(row, text);
  if (name == "%smid" || name == "%warpid") return placed(row, text);
  if (name == "%gridid" || name == "%envreg0") return steady(row, text);
  return counted(row, text);
}

}  // namespace wedjat::hardware_truth
