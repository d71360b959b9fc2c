// Handles are numbers in the clothes of pointers: looked up, never followed, none given out twice. So one
// that is wrong, of another kind or gone is an error.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cli/library/errors.h"

namespace wedjat::library {

// A new number, of no other handle of any kind.
std::uint64_t new_handle();
// Throws WrongArgument: what is wrong with a handle that is not known.
[[noreturn]] void wrong_handle(std::uint64_t number, const char* kind);

// Those of one kind.
template <class Handle, class Object>
class Handles {
 public:
  explicit Handles(const char* kind) : kind_(kind) {}

  Handle* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = new_handle();
    objects_.emplace(number, std::move(object));
    return reinterpret_cast<Handle*>(number);
  }
  // Throws WrongArgument. Whoever has the object keeps it while somebody else drops its handle.
  std::shared_ptr<Object> at(const Handle* handle) const {
    const std::lock_guard lock(mutex_);
    const auto number = reinterpret_cast<std::uint64_t>(handle);
    const auto found = objects_.find(number);
    if (found == objects_.end()) wrong_handle(number, kind_);
    return found->second;
  }
  void drop(const Handle* handle) {
    const std::lock_guard lock(mutex_);
    objects_.erase(reinterpret_cast<std::uint64_t>(handle));
  }

 private:
  const char* kind_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Object>> objects_;
};

}  // namespace wedjat::library
