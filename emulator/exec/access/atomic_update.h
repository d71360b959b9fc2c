// One read-modify-write that other host threads see as one.
#pragma once
#include <cstddef>
#include <cstdint>

namespace wedjat::exec {

template <class T, class Change>
inline T update_atomically(std::uintptr_t at, Change change) {
  T* target = reinterpret_cast<T*>(at);
  if constexpr (sizeof(T) == 16) {
    T before = 0;
    for (;;) {
      // __sync because the __atomic form of 16 bytes calls a library that may take a lock.
      const T seen = __sync_val_compare_and_swap(target, before, change(before));
      if (seen == before) return before;
      before = seen;
    }
  } else {
    T before = __atomic_load_n(target, __ATOMIC_SEQ_CST);
    for (;;) {
      const T after = change(before);
      // What stays as it is need not be fetched from other threads: most of min and max.
      if (after == before ||
          __atomic_compare_exchange_n(target, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return before;
    }
  }
}

}  // namespace wedjat::exec
