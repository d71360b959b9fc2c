// Memory that stands for several places, as generated executors call it: `multicast.update` and
// `multicast.reduce` of the semantics language (PTX ISA 9.7.9.14). What the devices of the team do is done
// here in their order.
#pragma once
#include "emulator/exec/access/memory_access.h"
#include "emulator/memory/multicast.h"

namespace wedjat::exec {

/// Where a lane's address lies on each device. Throws exec::Fault if it is no multicast address.
memory::MulticastTable::Places multicast_places(WarpContext& warp, const kernel::Step& step, int lane,
                                                std::uint64_t address);

namespace detail {

/// update_lanes of one lane at one place.
template <class T, class Change>
T update_place(WarpContext& warp, const kernel::Step& step, int lane, std::uint64_t place, Change change) {
  std::uint64_t address[lanes];
  T old[lanes];
  address[lane] = place;
  update_lanes<T, kernel::Space::Global>(warp, step, 1u << lane, address, old,
                                         [&](int, T before) { return change(before); });
  return old[lane];
}

}  // namespace detail

/// Each place becomes change(lane, what it was); atomic by itself.
template <class T, class Change>
void multicast_update_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                            const std::uint64_t* address, Change change) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto places = multicast_places(warp, step, lane, address[lane]);
    for (const std::uint64_t first : places.first)
      detail::update_place<T>(warp, step, lane, first + places.offset, [&](T old) {
        return static_cast<T>(change(static_cast<std::uint32_t>(lane), old));
      });
  }
}

/// The values of all places: combine(combine(first, second), third) …
template <class T, class Combine>
void multicast_reduce_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                            const std::uint64_t* address, T* result, Combine combine) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto places = multicast_places(warp, step, lane, address[lane]);
    for (const std::uint64_t& first : places.first) {
      const T value =
          detail::update_place<T>(warp, step, lane, first + places.offset, [](T old) { return old; });
      result[lane] = &first == places.first.data() ? value : static_cast<T>(combine(result[lane], value));
    }
  }
}

}  // namespace wedjat::exec
