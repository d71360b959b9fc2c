// Executors for hand-built kernels.
#pragma once
#include <bit>

#include "tests/emulator/exec/hand_kernel.h"

namespace wedjat::test {

namespace detail {

inline bool in(std::uint32_t mask, int lane) { return mask >> lane & 1; }

template <class T, class Op, bool full>
void binary(WarpContext& w, const Step& s, std::uint32_t mask) {
  T* d = row<T>(w, s, 0);
  const T* a = row<T>(w, s, 1);
  const T* b = row<T>(w, s, 2);
  for (int l = 0; l < 32; ++l) {
    const T value = Op{}(a[l], b[l]);
    d[l] = full || in(mask, l) ? value : d[l];
  }
}

template <class Op, bool full>
void compare(WarpContext& w, const Step& s, std::uint32_t mask) {
  const auto* a = row<std::uint32_t>(w, s, 1);
  const auto* b = row<std::uint32_t>(w, s, 2);
  std::uint32_t result = 0;
  for (int l = 0; l < 32; ++l) result |= static_cast<std::uint32_t>(Op{}(a[l], b[l])) << l;
  auto* d = row<std::uint32_t>(w, s, 0);
  *d = full ? result : (*d & ~mask) | (result & mask);
}

// d = base + 4 * index, 64 bits.
template <bool full>
void address4(WarpContext& w, const Step& s, std::uint32_t mask) {
  auto* d = row<std::uint64_t>(w, s, 0);
  const auto* base = row<std::uint64_t>(w, s, 1);
  const auto* index = row<std::uint32_t>(w, s, 2);
  for (int l = 0; l < 32; ++l) {
    const std::uint64_t value = base[l] + 4 * std::uint64_t{index[l]};
    d[l] = full || in(mask, l) ? value : d[l];
  }
}

template <class T, kernel::Space space>
void load(WarpContext& w, const Step& s, std::uint32_t mask) {
  alignas(64) T value[32];
  exec::read_lanes<T, space>(w, s, mask, row<std::uint64_t>(w, s, 1), value);
  T* d = row<T>(w, s, 0);
  for (int l = 0; l < 32; ++l) d[l] = in(mask, l) ? value[l] : d[l];
}

template <class T, kernel::Space space>
void store(WarpContext& w, const Step& s, std::uint32_t mask) {
  exec::write_lanes<T, space>(w, s, mask, row<std::uint64_t>(w, s, 0), row<T>(w, s, 1));
}

template <class T, kernel::Space space, class Op>
void atomic(WarpContext& w, const Step& s, std::uint32_t mask) {
  alignas(64) T old[32];
  const T* b = row<T>(w, s, 2);
  exec::update_lanes<T, space>(w, s, mask, row<std::uint64_t>(w, s, 1), old,
                               [&](int lane, T before) { return Op{}(before, b[lane]); });
  T* d = row<T>(w, s, 0);
  for (int l = 0; l < 32; ++l) d[l] = in(mask, l) ? old[l] : d[l];
}

// d = old value; memory = old == b ? c : old.
template <kernel::Space space>
void compare_swap(WarpContext& w, const Step& s, std::uint32_t mask) {
  alignas(64) std::uint32_t old[32];
  const auto* b = row<std::uint32_t>(w, s, 2);
  const auto* c = row<std::uint32_t>(w, s, 3);
  exec::update_lanes<std::uint32_t, space>(
      w, s, mask, row<std::uint64_t>(w, s, 1), old,
      [&](int lane, std::uint32_t before) { return before == b[lane] ? c[lane] : before; });
  auto* d = row<std::uint32_t>(w, s, 0);
  for (int l = 0; l < 32; ++l) d[l] = in(mask, l) ? old[l] : d[l];
}

// d = the lanes that execute together.
inline void active_mask(WarpContext& w, const Step& s, std::uint32_t mask) {
  auto* d = row<std::uint32_t>(w, s, 0);
  for (int l = 0; l < 32; ++l) d[l] = in(mask, l) ? mask : d[l];
}

inline void sync(WarpContext& w, const Step& s, std::uint32_t mask) {
  exec::barrier_sync(w, s, mask, row<std::uint32_t>(w, s, 0), row<std::uint32_t>(w, s, 1));
}
inline void arrive(WarpContext& w, const Step& s, std::uint32_t mask) {
  exec::barrier_arrive(w, s, mask, row<std::uint32_t>(w, s, 0), row<std::uint32_t>(w, s, 1));
}
// row 0: result, 1: name, 2: threads, 3: predicate
template <exec::BarrierOp op>
void reduce(WarpContext& w, const Step& s, std::uint32_t mask) {
  exec::barrier_reduce(w, s, op, mask, row<std::uint32_t>(w, s, 1), row<std::uint32_t>(w, s, 2),
                       *row<std::uint32_t>(w, s, 3), row<std::uint32_t>(w, s, 0));
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct AddFloat {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T b) const {
    return b;
  }
};
struct Less {
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a < b; }
};
struct Equal {
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
};

template <class T, class Op>
inline constexpr Executors binary_pair{binary<T, Op, true>, binary<T, Op, false>};
template <class Op>
inline constexpr Executors compare_pair{compare<Op, true>, compare<Op, false>};
constexpr Executors both(kernel::Executor executor) { return {executor, executor}; }

}  // namespace detail

inline constexpr Executors add = detail::binary_pair<std::uint32_t, detail::Add>;
inline constexpr Executors sub = detail::binary_pair<std::uint32_t, detail::Sub>;
inline constexpr Executors mul = detail::binary_pair<std::uint32_t, detail::Mul>;
inline constexpr Executors bit_and = detail::binary_pair<std::uint32_t, detail::And>;
inline constexpr Executors move = detail::binary_pair<std::uint32_t, detail::Exchange>;  // d, any, source
inline constexpr Executors less = detail::compare_pair<detail::Less>;
inline constexpr Executors equal = detail::compare_pair<detail::Equal>;
inline constexpr Executors add_float = detail::binary_pair<float, detail::Add>;
inline constexpr Executors mul_float = detail::binary_pair<float, detail::Mul>;
inline constexpr Executors address4{detail::address4<true>, detail::address4<false>};
template <kernel::Space space>
inline constexpr Executors load32 = detail::both(detail::load<std::uint32_t, space>);
template <kernel::Space space>
inline constexpr Executors store32 = detail::both(detail::store<std::uint32_t, space>);
template <kernel::Space space>
inline constexpr Executors atomic_add = detail::both(detail::atomic<std::uint32_t, space, detail::Add>);
template <kernel::Space space>
inline constexpr Executors atomic_add_float =
    detail::both(detail::atomic<std::uint32_t, space, detail::AddFloat>);
template <kernel::Space space>
inline constexpr Executors atomic_exchange =
    detail::both(detail::atomic<std::uint32_t, space, detail::Exchange>);
template <kernel::Space space>
inline constexpr Executors compare_swap = detail::both(detail::compare_swap<space>);
inline constexpr Executors active_mask = detail::both(detail::active_mask);
inline constexpr Executors bar_sync = detail::both(detail::sync);
inline constexpr Executors bar_arrive = detail::both(detail::arrive);
template <exec::BarrierOp op>
inline constexpr Executors bar_red = detail::both(detail::reduce<op>);

}  // namespace wedjat::test
