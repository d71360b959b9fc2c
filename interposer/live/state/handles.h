// The objects of one kind that a program has handles of. A handle is the object's address; one that is not
// known, or not any more, never gets followed.
#pragma once

#include <memory>
#include <unordered_map>

#include "interposer/live/state/failure.h"

namespace wedjat::live {

template <class T>
class Handles {
 public:
  T* add(std::unique_ptr<T> object) {
    T* const handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  T* find(const T* handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }
  T& at(const T* handle, CUresult otherwise) const {
    T* const object = find(handle);
    if (object == nullptr) fail(otherwise);
    return *object;
  }
  void drop(const T* handle) { objects_.erase(handle); }
  template <class Which>
  void drop_if(const Which& which) {
    std::erase_if(objects_, [&](const auto& item) { return which(*item.second); });
  }
  template <class Each>
  void each(const Each& each_one) const {
    for (const auto& item : objects_) each_one(*item.second);
  }

 private:
  std::unordered_map<const T*, std::unique_ptr<T>> objects_;
};

}  // namespace wedjat::live
