// From arguments to event fields; what the generated wrappers are written in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "events.h"
#include "traces/format/names.h"

namespace wedjat::interposer {

template <typename T>
T at(const T* pointer) {
  return pointer ? *pointer : T{};
}

// Tensor maps have at most five dimensions; a larger number is the driver's to refuse, not ours to follow.
inline int rank(unsigned dimensions) { return static_cast<int>(std::min(dimensions, 5u)); }

template <typename T>
auto as_field(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

inline const char* text_or_empty(const char* text) { return text ? text : ""; }

template <typename T>
constexpr std::uint64_t element_size() {
  if constexpr (std::is_void_v<T>) {
    return 1;
  } else {
    return sizeof(T);
  }
}

// Bytes behind a pointer, 0 for null and for a negative count.
template <typename T>
std::uint64_t byte_size(const T* pointer, std::int64_t count) {
  return pointer && count > 0 ? static_cast<std::uint64_t>(count) * element_size<T>() : 0;
}

// The elements, or none if they are too many for an event (spill() tells those).
template <typename T>
wj_sequence fit(const T* pointer, std::int64_t count) {
  const std::uint64_t bytes = byte_size(pointer, count);
  if (bytes == 0 || bytes > traces::kInlineBytes) return {nullptr, 0};
  return {pointer, static_cast<std::uint32_t>(count)};
}

template <typename T>
wj_sequence fit_bytes(const T* pointer, std::int64_t count) {
  const std::uint64_t bytes = byte_size(pointer, count);
  if (bytes == 0 || bytes > traces::kInlineBytes) return {nullptr, 0};
  return {pointer, static_cast<std::uint32_t>(bytes)};
}

template <typename T>
wj_sequence by_value(const T& value) {
  return {&value, sizeof value};
}

}  // namespace wedjat::interposer
