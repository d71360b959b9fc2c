#include "tests/emulator/hardware/forms/rounds.h"

#include <fmt/format.h>

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wedjat::hardware_truth {
namespace {

constexpr unsigned kSum = 8;  // bytes of a lane's sum

std::string lines(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& one : all) text += "  " + one + "\n";
  return text;
}

// Widens a register to %value, narrows %value to it.
std::string widen(const Slot& slot) {
  switch (slot.type) {
    case Type::pred:
      return lines({fmt::format("selp.b64 %value, 1, 0, {};", slot.name)});
    case Type::b8:
      return lines({fmt::format("cvt.u64.u8 %value, {};", slot.name)});
    case Type::b16:
      return lines({fmt::format("cvt.u64.u16 %value, {};", slot.name)});
    case Type::b32:
      return lines({fmt::format("cvt.u64.u32 %value, {};", slot.name)});
    default:
      return lines({fmt::format("mov.b64 %value, {};", slot.name)});
  }
}

std::string narrow(const Slot& slot) {
  switch (slot.type) {
    case Type::pred:
      return lines({"and.b64 %value, %value, 1;", fmt::format("setp.ne.u64 {}, %value, 0;", slot.name)});
    case Type::b8:
      return lines({fmt::format("cvt.u8.u64 {}, %value;", slot.name)});
    case Type::b16:
      return lines({fmt::format("cvt.u16.u64 {}, %value;", slot.name)});
    case Type::b32:
      return lines({fmt::format("cvt.u32.u64 {}, %value;", slot.name)});
    case Type::b128:
      return lines({fmt::format("mov.b128 {}, {{%value, %value}};", slot.name)});
    default:
      return lines({fmt::format("mov.b64 {}, %value;", slot.name)});
  }
}

unsigned bits_of(Type type) { return type == Type::pred ? 1 : 8 * slot_bytes(type); }

// Mixes round, lane and position into %noise, and few of its bits into %sparse.
std::string noise(unsigned position) {
  return lines({fmt::format("add.u64 %noise, %key, {:#x};", (position + 1) * 0x9e3779b97f4a7c15u),
                "mul.lo.u64 %noise, %noise, 0xbf58476d1ce4e5b9;", "shr.u64 %sparse, %noise, 31;",
                "xor.b64 %noise, %noise, %sparse;", "mul.lo.u64 %noise, %noise, 0x94d049bb133111eb;",
                "shr.u64 %sparse, %noise, 29;", "xor.b64 %noise, %noise, %sparse;"});
}

}  // namespace

// Rounds are of four styles: the inputs crossed with one another (then, every other time, the last result in
// place of the first source), lanes as they are but for low bits, crossed with few bits turned, and random
// bits, where the first source goes through all its upper 16 bits.
std::string rounds_begin() {
  return lines({".reg .pred %again, %random, %follow, %guard;", ".reg .b32 %round, %at, %style, %lanes;",
                ".reg .b64 %sum, %noise, %sparse, %value, %old, %key, %lowest, %few, %sweep, %swept;",
                "mov.b64 %sum, 0;", "mov.b64 %old, 0;", "mov.u32 %round, 0;"}) +
         "ROUND:\n" +
         lines({"mov.b64 %key, {%round, %index};", "and.b32 %style, %round, 3;",
                "setp.eq.u32 %again, %style, 1;", "selp.b64 %lowest, 0x0007000700070007, 0, %again;",
                "selp.b32 %lanes, 0, %round, %again;", "setp.eq.u32 %again, %style, 2;",
                "selp.b64 %few, -1, 0, %again;", "setp.eq.u32 %random, %style, 3;",
                "and.b32 %style, %round, 7;", "setp.eq.u32 %follow, %style, 4;", "shr.u32 %style, %round, 2;",
                fmt::format("mad.lo.u32 %style, %style, {}, %index;", kLanes),
                "and.b32 %style, %style, 0xffff;", "cvt.u64.u32 %sweep, %style;"});
}

std::string round_place(unsigned position, bool warp_wide) {
  // What belongs together in a warp stays together.
  const unsigned stride = warp_wide ? 32 : position == 0 ? 0 : 18 * position * position + 1;
  return lines({fmt::format("mad.lo.u32 %at, %lanes, {}, %index;", stride),
                fmt::format("and.b32 %at, %at, {};", kLanes - 1)});
}

std::string round_value(const Slot& slot, unsigned position, bool warp_wide) {
  const unsigned bits = bits_of(slot.type);
  if (slot.type == Type::b8 || slot.type == Type::b128 || (warp_wide && position > 0)) return "";
  std::string text = widen(slot) + noise(position);
  if (position == 0 && bits >= 16) {
    text += lines({fmt::format("shl.b64 %swept, %sweep, {};", bits - 16),
                   fmt::format("and.b64 %sparse, %noise, {:#x};", (1ull << (bits - 16)) - 1),
                   "or.b64 %swept, %swept, %sparse;"});
  } else {
    text += lines({"mov.b64 %swept, %noise;"});
  }
  text += lines({"shr.u64 %sparse, %noise, 17;", "and.b64 %sparse, %sparse, %noise;",
                 "and.b64 %sparse, %sparse, %few;", "and.b64 %noise, %noise, %lowest;",
                 "xor.b64 %value, %value, %sparse;"});
  if (slot.type != Type::pred) text += lines({"xor.b64 %value, %value, %noise;"});
  text += lines({"selp.b64 %value, %swept, %value, %random;"});
  if (position == 0) text += lines({"selp.b64 %value, %old, %value, %follow;"});
  return text + narrow(slot);
}

std::string round_old(const Slot& slot) {
  return noise(7) + lines({"mov.b64 %value, %noise;"}) + narrow(slot);
}

std::string round_sum(const Slot& slot) {
  std::string text;
  if (slot.type == Type::b128)
    text = lines({fmt::format("mov.b128 {{%value, %low}}, {};", slot.name), "xor.b64 %sum, %sum, %low;",
                  "mul.lo.u64 %sum, %sum, 0x9e3779b97f4a7c15;"});
  else
    text = widen(slot);
  return text + lines({"mov.b64 %old, %value;", "xor.b64 %sum, %sum, %value;",
                       "mul.lo.u64 %sum, %sum, 0xbf58476d1ce4e5b9;", "shr.u64 %value, %sum, 32;",
                       "xor.b64 %sum, %sum, %value;"});
}

std::string rounds_end() {
  return lines({"add.u32 %round, %round, 1;",
                fmt::format("setp.lt.u32 %again, %round, {};", input_rounds.count), "@%again bra ROUND;",
                fmt::format("mad.wide.u32 %address, %index, {}, %out;", kSum),
                "st.global.b64 [%address], %sum;"});
}

std::vector<std::byte> round_hashes(std::span<const std::byte> output) {
  constexpr std::size_t warp = std::size_t{32} * kSum;
  std::vector<std::byte> hashes(output.size() / warp * 8);
  for (std::size_t i = 0; i < output.size() / warp; ++i) {
    const std::uint64_t hash = XXH3_64bits(output.data() + i * warp, warp);
    std::memcpy(hashes.data() + i * 8, &hash, 8);
  }
  return hashes;
}

}  // namespace wedjat::hardware_truth
