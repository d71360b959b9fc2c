#include "tests/emulator/hardware/forms/warp_inputs.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace wedjat::hardware_truth {
namespace {

constexpr unsigned kWarps = kLanes / 32;

// The membermask of warp `warp`; for shuffles a union of groups of 8 lanes, the segments they stay in.
std::uint64_t membermask(unsigned warp, bool groups, Random& random) {
  if (groups) {
    std::uint64_t mask = 0;
    const std::uint64_t chosen = warp == 0 ? 15 : 1 + random.below(15);
    for (unsigned group = 0; group < 4; ++group) mask |= (chosen >> group & 1) * (0xffull << group * 8);
    return mask;
  }
  if (input_seed != 0) {  // from few lanes to nearly all
    const std::uint64_t bits = random.bits(), other = random.bits(), third = bits >> 32 & other >> 32;
    const std::uint64_t masks[] = {bits, bits & other, bits | other, bits & other & third,
                                   bits | other | third};
    return std::max<std::uint64_t>(masks[warp % std::size(masks)] & 0xffffffff, 1);
  }
  constexpr std::array<std::uint64_t, 6> kMasks{0xffffffff, 1, 0x80000000, 0xffff, 0xffff0000, 0x55555555};
  return warp < kMasks.size() ? kMasks[warp] : std::max<std::uint64_t>(random.bits() & 0xffffffff, 1);
}

// Style 0: any value; 1: few values; 2: all lanes alike; 3: all alike but one.
void fill_styled(Type type, unsigned warp, Random& random, std::vector<std::uint64_t>& lanes) {
  const unsigned style = warp % 4;
  const std::uint64_t width = type == Type::pred ? 1 : type == Type::b32 ? 0xffffffff : ~0ull;
  const std::uint64_t common = type == Type::pred ? warp / 4 % 2 : random.bits() & width;
  const std::uint64_t odd_lane = random.below(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint64_t& value = lanes[warp * 32 + lane];
    if (style == 0) value = random.bits() & width;
    if (style == 1) value = (common + random.below(3)) & width;
    if (style >= 2) value = common;
    if (style == 3 && lane == odd_lane) value = common ^ 1;
  }
}

// shfl a, b, c. A lane may read only from lanes that take part: with a partial mask c holds a segment of 8
// lanes.
void fill_shuffle(const Form& form, bool partial, Random& random, std::vector<Values>& values) {
  const bool up = form.mnemonic.find(".up") != form.mnemonic.npos;
  const bool butterfly = form.mnemonic.find(".bfly") != form.mnemonic.npos;
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    const std::uint64_t segment =
        partial ? 0x18 : std::array<std::uint64_t, 4>{0, 0x10, 0x18, 0x1e}[warp / 4 % 4];
    const std::uint64_t distance = random.below(32);
    for (unsigned lane = warp * 32; lane < warp * 32 + 32; ++lane) {
      values[0].low[lane] = random.bits() & 0xffffffff;
      const bool any = warp % 4 == 3;
      std::uint64_t b = warp % 4 == 0 ? distance : random.below(32);
      std::uint64_t clamp = up ? 0 : 0x1f;
      std::uint64_t mask = segment;
      if (any) {
        b |= random.bits() & 0xffffffe0;
        clamp = random.below(32);
        if (!partial) mask = random.below(32);
      }
      // bfly may read below its segment, so it must not leave it by its distance.
      if (partial && butterfly) b &= ~0x18ull;
      values[1].low[lane] = b & 0xffffffff;
      values[2].low[lane] = mask << 8 | clamp;
    }
  }
}

}  // namespace

bool is_warp_wide(const Form& form) {
  constexpr std::array<std::string_view, 6> kOpcodes{"shfl", "vote", "match", "redux", "elect", "activemask"};
  return std::find(kOpcodes.begin(), kOpcodes.end(), form.opcode()) != kOpcodes.end();
}

void fill_warps(const Form& form, Random& random, std::vector<Values>& values) {
  const bool shuffle = form.opcode() == "shfl";
  std::size_t index = 0;
  bool partial = false;
  for (const Operand& operand : form.operands) {
    if (operand.role == Operand::Role::membermask) {
      partial = true;
      for (unsigned warp = 0; warp < kWarps; ++warp) {
        const std::uint64_t mask = membermask(warp, shuffle, random);
        std::fill_n(values[index].low.begin() + warp * 32, 32, mask);
      }
    } else if (operand.role == Operand::Role::source && !shuffle) {
      for (unsigned warp = 0; warp < kWarps; ++warp)
        fill_styled(operand.type, warp, random, values[index].low);
    }
    index += operand.role == Operand::Role::membermask || operand.role == Operand::Role::source;
  }
  if (shuffle) fill_shuffle(form, partial, random, values);
}

}  // namespace wedjat::hardware_truth
