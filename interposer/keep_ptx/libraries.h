// The compilers' libraries as they lie in this process: several copies of one may.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace wedjat::keep_ptx {

// dlsym of the C library, not ours.
using FindSymbol = void* (*)(void* library, const char* name);
FindSymbol c_library_dlsym();
void* find_symbol(void* library, const char* name);

// The shared object that holds a function.
class Library {
 public:
  explicit Library(void* function);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Another function of it, or null.
  template <class Function>
  Function* find(const char* name) const {
    return handle_ ? reinterpret_cast<Function*>(find_symbol(handle_, name)) : nullptr;
  }

 private:
  void* handle_;
};

// The function of the first loaded library called STEM.so…, or null.
void* find_loaded(const char* stem, const char* name);

// Stands in front of every copy of one function: calls Hook(real, arguments...).
template <auto Hook>
class StandIn;

template <class Result, class... Arguments, Result (*Hook)(Result (*)(Arguments...), Arguments...)>
class StandIn<Hook> {
 public:
  // What a program gets instead of `real`.
  static void* of(void* real) {
    const std::size_t copy = slot(real);
    if (copy == kCopies) {
      std::fprintf(stderr, "wedjat: too many copies of one compiler: what this one makes is not kept\n");
      return real;
    }
    return reinterpret_cast<void*>(functions(std::make_index_sequence<kCopies>())[copy]);
  }

 private:
  using Function = Result (*)(Arguments...);
  static constexpr std::size_t kCopies = 8;

  static std::size_t slot(void* real) {
    std::size_t copy = 0;
    for (void* taken = nullptr; copy < kCopies; ++copy, taken = nullptr)
      if (reals_[copy].compare_exchange_strong(taken, real) || taken == real) break;
    return copy;
  }
  template <std::size_t Copy>
  static Result stand_in(Arguments... arguments) {
    return Hook(reinterpret_cast<Function>(reals_[Copy].load()), arguments...);
  }
  template <std::size_t... Copy>
  static std::array<Function, kCopies> functions(std::index_sequence<Copy...>) {
    return {stand_in<Copy>...};
  }

  static inline std::array<std::atomic<void*>, kCopies> reals_{};
};

}  // namespace wedjat::keep_ptx
