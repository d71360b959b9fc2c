#include "tests/emulator/hardware/cases/texel_case.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wedjat::hardware_truth {
namespace {

class Writer {
 public:
  Writer(const fidelity::InventoryRow& row, const TexelRow& shape, Case& result)
      : row_(row), shape_(shape), case_(result), out_(std::back_inserter(result.ptx)) {}

  void write() {
    fmt::format_to(out_,
                   ".visible .entry {}(.param .u64 inputs, .param .u64 results, .param .u64 handles, .param "
                   ".u32 only)\n{{\n",
                   case_.entry);
    line(
        ".reg .b16 %h<16>, %bit; .reg .b32 %r<32>, %t<4>; .reg .b64 %l<8>, %in, %out, %texh, %surfh; .reg "
        ".pred %p<4>, %quit;");
    line("mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %t0, %t0, %t1, %t2;");
    // A launch may be of one warp alone.
    line(
        "shr.u32 %t1, %t0, 5; ld.param.u32 %t2, [only]; setp.ne.u32 %p0, %t2, 0xffffffff; setp.ne.and.u32 "
        "%quit, %t1, %t2, %p0;");
    line("@%quit ret;");
    line("ld.param.u64 %in, [inputs]; ld.param.u64 %out, [results];");
    line(fmt::format("mad.wide.u32 %in, %t0, {}, %in; mad.wide.u32 %out, %t0, {}, %out;", shape_.input_bytes,
                     kTexelOutput));
    take_handles();
    line("mov.b32 %t2, 0;");
    for (unsigned at = 0; at < kTexelOutput; at += 16)
      line(fmt::format("st.global.v4.b32 [%out+{}], {{%t2, %t2, %t2, %t2}};", at));
    line(fmt::format("ld.global.u8 %bit, [%in+{}]; setp.eq.u16 %quit, %bit, 0;", shape_.input_bytes - 1));
    line("@%quit ret;");
    unsigned at = 0;
    for (const RowRegister& source : shape_.shape.sources)
      line(fmt::format("ld.global.b{} {}, [%in+{}];", 8 * slot_bytes(source.type), source.name,
                       place(source, at)));
    line(row_.text);
    at = 0;
    for (const RowRegister& result : shape_.shape.destinations) store(result, place(result, at));
    fmt::format_to(out_, "  ret;\n}}\n");
  }

 private:
  // CUDA loads modules of independent mode only if what they read is named by registers. It makes the texture
  // bring its sampler along, so that the other one, of the next warp's scene, must not matter.
  void take_handles() {
    line("ld.param.u64 %texh, [handles]; mad.wide.u32 %texh, %t1, 8, %texh; ld.global.u64 %texh, [%texh];");
    line("mov.b64 %surfh, %texh;");
    if (!shape_.independent) return;
    line(".reg .b64 texr, smpr; mov.b64 texr, %texh;");
    line("add.u32 %t2, %t1, 1; and.b32 %t2, %t2, 31; ld.param.u64 smpr, [handles];");
    line("mad.wide.u32 smpr, %t2, 8, smpr; ld.global.u64 smpr, [smpr];");
  }

  void line(std::string_view text) { fmt::format_to(out_, "  {}\n", text); }

  static unsigned place(const RowRegister& reg, unsigned& at) {
    const unsigned size = slot_bytes(reg.type), here = (at + size - 1) / size * size;
    at = here + size;
    return here;
  }

  void store(const RowRegister& reg, unsigned offset) {
    if (reg.type == Type::pred)
      line(fmt::format("selp.u16 %bit, 1, 0, {}; st.global.u8 [%out+{}], %bit;", reg.name, offset));
    else
      line(fmt::format("st.global.b{} [%out+{}], {};", 8 * slot_bytes(reg.type), offset, reg.name));
  }

  const fidelity::InventoryRow& row_;
  const TexelRow& shape_;
  Case& case_;
  std::back_insert_iterator<std::string> out_;
};

std::string words_text(std::span<const std::byte> bytes) {
  std::string text;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t word;
    std::memcpy(&word, &bytes[at], sizeof(word));
    text += fmt::format(" {:08x}", word);
  }
  return text;
}

}  // namespace

Case make_texel_case(const fidelity::InventoryRow& row, std::string entry) {
  const TexelRow shape = texel_row(row);
  Case result(shape.shape.name, std::move(entry));
  if (shape.independent) result.target_options = ", texmode_independent";
  if (!shape.variable.empty()) result.head = ".global .texref texr;\n.global .surfref sfr;\n";
  Writer(row, shape, result).write();
  result.input = texel_input(row, shape);
  result.scenes = shape.scenes;
  result.variable = shape.variable;
  result.output_bytes = std::size_t{kTexelOutput} * kLanes;
  if (shape.stored)
    for (const Scene& scene : shape.scenes->scenes) result.output_bytes += scene.level_bytes(0);
  return result;
}

std::vector<std::byte> texel_hashes(const Case& one, std::span<const std::byte> output) {
  constexpr std::size_t warp_bytes = std::size_t{kTexelOutput} * 32;
  std::vector<std::byte> hashes;
  std::size_t stored_at = std::size_t{kTexelOutput} * kLanes;
  for (std::size_t warp = 0; warp < kLanes / 32; ++warp) {
    std::uint64_t hash = XXH3_64bits(output.data() + warp * warp_bytes, warp_bytes);
    if (one.scenes->stored) {
      const std::uint64_t bytes = one.scenes->scenes[warp].level_bytes(0);
      hash = XXH3_64bits_withSeed(output.data() + stored_at, bytes, hash);
      stored_at += bytes;
    }
    const auto* const words = reinterpret_cast<const std::byte*>(&hash);
    hashes.insert(hashes.end(), words, words + sizeof(hash));
  }
  return hashes;
}

std::string differing_lanes(const Case& one, std::span<const std::byte> expected,
                            std::span<const std::byte> got) {
  constexpr unsigned shown = 12;
  const std::size_t record = one.input.size() / kLanes;
  unsigned lanes = 0, surfaces = 0;
  std::string text;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto want = expected.subspan(lane * kTexelOutput, kTexelOutput),
               have = got.subspan(lane * kTexelOutput, kTexelOutput);
    if (std::memcmp(want.data(), have.data(), kTexelOutput) == 0 || ++lanes > shown) continue;
    text += fmt::format("\n    lane {} (scene {}):{}\n      expected{}\n      got     {}", lane, lane / 32,
                        words_text(std::span(one.input).subspan(lane * record, record)), words_text(want),
                        words_text(have));
  }
  std::size_t at = std::size_t{kTexelOutput} * kLanes;
  for (std::size_t i = 0; one.scenes->stored && i < one.scenes->scenes.size(); ++i) {
    const std::size_t end = at + one.scenes->scenes[i].level_bytes(0), begin = at;
    while (at < end && expected[at] == got[at]) ++at;
    if (at < end && ++surfaces <= shown)
      text += fmt::format("\n    surface {}, first at byte {}: expected {:02x}, got {:02x}", i, at - begin,
                          std::to_integer<unsigned>(expected[at]), std::to_integer<unsigned>(got[at]));
    at = end;
  }
  return text.empty() ? "" : fmt::format("{} lanes and {} surfaces differ{}", lanes, surfaces, text);
}

}  // namespace wedjat::hardware_truth
