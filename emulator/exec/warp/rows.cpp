#include "emulator/exec/warp/rows.h"

#include <algorithm>
#include <cstring>

#include "emulator/exec/cta/special_registers.h"
#include "emulator/memory/windows.h"

namespace wedjat::exec {

using Source = kernel::RowFill::Source;

namespace {

template <class T>
void fill_all(std::byte* row, T value) {
  std::fill_n(reinterpret_cast<T*>(row), lanes, value);
}

void put(std::byte* row, unsigned element_bytes, unsigned lane, std::uint64_t value) {
  std::memcpy(row + lane * element_bytes, &value, element_bytes);
}

// 1, 2, 4, 8 or 16 bytes in every lane.
void broadcast_bytes(std::byte* row, const void* bytes, unsigned count) {
  if (count == 16) {
    for (int lane = 0; lane < lanes; ++lane) std::memcpy(row + lane * 16, bytes, 16);
  } else {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, count);
    broadcast(row, count, value);
  }
}

}  // namespace

void broadcast(std::byte* row, unsigned element_bytes, std::uint64_t value) {
  switch (element_bytes) {
    case 1:
      return fill_all(row, static_cast<std::uint8_t>(value));
    case 2:
      return fill_all(row, static_cast<std::uint16_t>(value));
    case 4:
      return fill_all(row, static_cast<std::uint32_t>(value));
    default:
      return fill_all(row, value);
  }
}

Lifetime lifetime(const kernel::RowFill& fill, bool clustered) {
  switch (fill.source) {
    case Source::Initial:
    case Source::Local:
    case Source::LocalGeneric:
      return Lifetime::call;
    case Source::Shared:
      return clustered ? Lifetime::call : Lifetime::launch;
    case Source::Special:
      return differs_by_cta(static_cast<kernel::SpecialRegister>(fill.value)) ? Lifetime::call
                                                                              : Lifetime::launch;
    case Source::Constant:
    case Source::Parameter:
    case Source::ParameterAddress:
      break;
  }
  return Lifetime::launch;
}

bool is_same_in_cta(const kernel::RowFill& fill) {
  if (fill.element_bytes == 0 || fill.element_bytes > 8) return false;
  switch (fill.source) {
    case Source::Special:
      return !differs_by_lane(static_cast<kernel::SpecialRegister>(fill.value));
    case Source::Local:
    case Source::LocalGeneric:
      return false;
    case Source::Constant:
    case Source::Initial:
    case Source::Parameter:
    case Source::ParameterAddress:
    case Source::Shared:
      break;
  }
  return true;
}

std::uint64_t first_lane(const kernel::RowFill& fill, const CtaState& cta, std::uint32_t warp) {
  std::uint64_t value = 0;
  switch (fill.source) {
    case Source::Constant:
    case Source::Initial:
      return fill.value;
    case Source::Parameter:
      std::memcpy(&value, cta.launch->parameters.data() + fill.value,
                  std::min<std::size_t>(fill.element_bytes, sizeof value));
      break;
    case Source::ParameterAddress:
      return memory::param_window.base + fill.value;
    case Source::Shared:
      return cta.shared_address() + fill.value;
    case Source::Special:
      return special_register(static_cast<kernel::SpecialRegister>(fill.value), cta, warp, 0);
    case Source::Local:
    case Source::LocalGeneric:
      break;
  }
  return value;
}

void fill_row(const Frame& frame, const kernel::RowFill& fill, const CtaState& cta, std::uint32_t warp) {
  std::byte* const row = frame.rows + fill.row;
  const unsigned bytes = fill.element_bytes;
  switch (fill.source) {
    case Source::Constant:
    case Source::Initial:
      if (bytes == 0) {
        const auto bits = static_cast<std::uint32_t>(fill.value);
        std::memcpy(row, &bits, sizeof bits);
      } else if (bytes == 16) {
        const std::uint64_t halves[2] = {fill.value, fill.high};
        broadcast_bytes(row, halves, 16);
      } else {
        broadcast(row, bytes, fill.value);
      }
      break;
    case Source::Parameter:
      broadcast_bytes(row, cta.launch->parameters.data() + fill.value, bytes);
      break;
    case Source::ParameterAddress:
      broadcast(row, 8, first_lane(fill, cta, warp));
      break;
    case Source::Shared:
      broadcast(row, bytes, first_lane(fill, cta, warp));
      break;
    case Source::Special: {
      const auto which = static_cast<kernel::SpecialRegister>(fill.value);
      if (bytes == 0) {
        const std::uint32_t bits = first_lane(fill, cta, warp) != 0 ? 0xffffffff : 0;
        std::memcpy(row, &bits, sizeof bits);
      } else if (differs_by_lane(which)) {
        for (unsigned lane = 0; lane < lanes; ++lane)
          put(row, bytes, lane, special_register(which, cta, warp, lane));
      } else {
        broadcast(row, bytes, first_lane(fill, cta, warp));
      }
      break;
    }
    case Source::Local:
    case Source::LocalGeneric: {
      const std::uint64_t window = fill.source == Source::LocalGeneric ? memory::local_window.base : 0;
      for (unsigned lane = 0; lane < lanes; ++lane)
        put(row, 8, lane, window + frame.local_base[lane] + fill.value);
      break;
    }
  }
}

}  // namespace wedjat::exec
