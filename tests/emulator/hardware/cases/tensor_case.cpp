#include "tests/emulator/hardware/cases/tensor_case.h"

#include <fmt/format.h>

#include <cstring>
#include <regex>

#include "tests/emulator/hardware/cases/tensor_inputs.h"

namespace wedjat::hardware_truth {
namespace {

constexpr std::size_t boxes_bytes = (kBlocks * kBoxes * sizeof(TensorBox) + 255) / 256 * 256;
constexpr std::size_t memory_bytes = std::size_t{kBlocks} * kTensorBytes;

bool named(const fidelity::InventoryRow& row, std::string_view what) {
  return row.mnemonic.find(what) != row.mnemonic.npos;
}

TensorUse use_of(const fidelity::InventoryRow& row) {
  static const std::regex parts(R"(.*\.tensor\.(\d)d\..*)"),
      reduction(R"(.*\.(add|min|max|inc|dec|and|or|xor)\b.*)");
  TensorUse use;
  std::cmatch match;
  const char *begin = row.mnemonic.data(), *end = begin + row.mnemonic.size();
  if (std::regex_match(begin, end, match, parts)) use.rank = static_cast<unsigned>(std::stoul(match[1]));
  if (row.mnemonic.starts_with("cp.reduce") && std::regex_match(begin, end, match, reduction))
    use.reduction = match[1];
  use.im2col = named(row, "im2col");
  use.writes = named(row, "bulk_group");
  use.offsets = use.im2col && !named(row, "im2col_no_offs");
  return use;
}

// %inputs: boxes, then the tensors' memory. %results: that of each CTA, then room for its maps.
constexpr std::string_view beginning = R"(
.visible .entry {entry}(.param .u64 inputs, .param .u64 results, .param .align 16 .b8 pin[64]){cluster}
{{
  .reg .b16 %h<3>, %mask1; .reg .b32 %r<5>, %t<8>, %tid_x, %cta, %box_number, %bytes, %mbar; .reg .pred %lead, %w, %v;
  .reg .b64 %in, %out, %memory, %own, %maps, %others, %tensor, %box, %tmapp, %pol, %u<4>;
  .shared .align 1024 .b8 sbuf[{box_bytes}]; .shared .align 8 .b64 phases;
  mov.u32 %tid_x, %tid.x; setp.eq.u32 %lead, %tid_x, 0; mov.u32 %cta, %ctaid.x; mul.wide.u32 %u3, %tid_x, 16;
  ld.param.u64 %in, [inputs]; ld.param.u64 %out, [results]; add.u64 %memory, %in, {boxes_bytes};
  mad.wide.u32 %own, %cta, {tensor_bytes}, %out;
  mad.wide.u32 %maps, %cta, {maps_bytes}, %out; add.u64 %maps, %maps, {memory_bytes};
  add.u32 %t0, %cta, 1; rem.u32 %t0, %t0, {blocks}; mad.wide.u32 %others, %t0, {tensor_bytes}, %memory;
  mad.wide.u32 %memory, %cta, {tensor_bytes}, %memory;
  mov.b16 %mask1, 1; createpolicy.fractional.L2::evict_last.b64 %pol, 1.0; mov.u32 %mbar, phases;
  @%lead mbarrier.init.shared.b64 [%mbar], 1;
)";

constexpr std::string_view next_box = R"(  mov.b32 %box_number, 0;
NEXT:
  mad.lo.u32 %t0, %cta, {boxes}, %box_number; mad.wide.u32 %box, %t0, {box_record}, %in;
  mad.wide.u32 %tmapp, %box_number, 128, %maps; mul.wide.u32 %u0, %tid_x, 4; setp.lt.u32 %w, %tid_x, 32;
  add.u64 %u1, %box, %u0; @%w ld.global.b32 %t1, [%u1]; add.u64 %u1, %tmapp, %u0; @%w st.global.b32 [%u1], %t1;
  bar.sync 0;
  @%lead st.global.u64 [%tmapp], %tensor;
  ld.global.b32 %r0, [%box+128]; ld.global.b32 %r1, [%box+132]; ld.global.b32 %r2, [%box+136];
  ld.global.b32 %r3, [%box+140]; ld.global.b32 %r4, [%box+144]; ld.global.b16 %h0, [%box+148];
  ld.global.b16 %h1, [%box+150]; ld.global.b16 %h2, [%box+152]; ld.global.b32 %bytes, [%box+156];
  mad.wide.u32 %u0, %box_number, {box_bytes}, %u3; add.u64 %u1, %others, %u0; add.u64 %u0, %own, %u0;
  mov.u32 %t0, sbuf; mad.lo.u32 %t0, %tid_x, 16, %t0;
  ld.global.v4.b32 {{%t4, %t5, %t6, %t7}}, [%u1]; st.shared.v4.b32 [%t0], {{%t4, %t5, %t6, %t7}};
  fence.proxy.async; bar.sync 0;
  @!%lead bra ISSUED;
  fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%tmapp], 128;
)";

// Not for ever: what does not arrive shall be a wrong result.
constexpr std::string_view wait = R"(  and.b32 %t1, %box_number, 1; mov.b32 %t2, 0;
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %w, [%mbar], %t1; @%w bra ARRIVED;
  add.u32 %t2, %t2, 1; setp.lt.u32 %v, %t2, 1000; @%v bra AGAIN;
ARRIVED:
)";

constexpr std::string_view show = R"(  bar.sync 0;
  ld.shared.v4.b32 {{%t4, %t5, %t6, %t7}}, [%t0]; st.global.v4.b32 [%u0], {{%t4, %t5, %t6, %t7}};
)";

// The maps hold addresses: nothing to compare.
constexpr std::string_view tail = R"(  bar.sync 0;
  add.u32 %box_number, %box_number, 1; setp.lt.u32 %w, %box_number, {boxes}; @%w bra NEXT;
  mul.wide.u32 %u0, %tid_x, {map_share}; add.u64 %u0, %maps, %u0; mov.b64 %u1, 0; st.global.b64 [%u0], %u1;
  ret;
}}
)";

std::string filled(std::string_view text, const std::string& entry, bool cluster) {
  return fmt::format(fmt::runtime(text), fmt::arg("entry", entry),
                     fmt::arg("cluster", cluster ? " .explicitcluster .reqnctapercluster 1, 1, 1" : ""),
                     fmt::arg("blocks", kBlocks), fmt::arg("boxes", kBoxes), fmt::arg("box_bytes", kBoxBytes),
                     fmt::arg("box_record", sizeof(TensorBox)), fmt::arg("boxes_bytes", boxes_bytes),
                     fmt::arg("tensor_bytes", kTensorBytes), fmt::arg("memory_bytes", memory_bytes),
                     fmt::arg("maps_bytes", 128 * kBoxes), fmt::arg("map_share", 128 * kBoxes / kThreads));
}

std::string kernel_text(const fidelity::InventoryRow& row, const std::string& entry) {
  const bool loads = named(row, "complete_tx"), stores = named(row, "bulk_group");
  std::string text(beginning);
  text += stores ? "  mov.b64 %tensor, %own;\n" : "  mov.b64 %tensor, %memory;\n";
  for (unsigned box = 0; stores && box < kBoxes; ++box)
    text += fmt::format(
        "  add.u64 %u0, %memory, %u3; add.u64 %u1, %own, %u3; ld.global.v4.b32 {{{{%t4, %t5, %t6, %t7}}}}, "
        "[%u0+{0}]; st.global.v4.b32 [%u1+{0}], {{{{%t4, %t5, %t6, %t7}}}};\n",
        box * kBoxBytes);
  text += next_box;
  if (loads) text += "  mbarrier.arrive.expect_tx.shared.b64 _, [%mbar], %bytes;\n";
  std::string instruction(row.text);
  instruction = std::regex_replace(instruction, std::regex(R"([{}])"), "$&$&");
  text += "  " + instruction + "\n";
  if (stores) text += "  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n";
  text += "ISSUED:\n";
  if (loads) text += wait;
  if (!stores) text += show;
  text += tail;
  return filled(text, entry, named(row, "multicast"));
}

}  // namespace

bool is_tensor_copy(const fidelity::InventoryRow& row) {
  return row.opcode() == "cp" && named(row, ".tensor.");
}

Case make_tensor_case(const fidelity::InventoryRow& row, std::string name, std::string entry,
                      std::string head) {
  Case result(std::move(name), std::move(entry));
  result.ptx = kernel_text(row, result.entry);
  const std::vector<TensorBox> boxes = make_boxes(use_of(row));
  const std::vector<std::byte> memory = make_tensor_memory();
  result.input.resize(boxes_bytes);
  std::memcpy(result.input.data(), boxes.data(), boxes.size() * sizeof(TensorBox));
  result.input.insert(result.input.end(), memory.begin(), memory.end());
  result.output_bytes = memory_bytes + std::size_t{kBlocks} * kBoxes * 128;
  result.head = std::move(head);
  result.parameters.resize(64);
  return result;
}

}  // namespace wedjat::hardware_truth
