// Objects that are made and destroyed again and again: their memory waits for the next one.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace wedjat::memory {

/// To derive from: `class T : public Recycled<T>`. Each thread keeps some of what it gave back.
template <class T>
class Recycled {
 public:
  static void* operator new(std::size_t bytes) {
    if (over || kept().rooms.empty()) return ::operator new (bytes, std::align_val_t{alignof(T)});
    void* const room = kept().rooms.back();
    kept().rooms.pop_back();
    return room;
  }
  static void operator delete(void* room) noexcept {
    if (over || kept().rooms.size() == most) return ::operator delete (room, std::align_val_t{alignof(T)});
    kept().rooms.push_back(room);
  }

 private:
  static constexpr std::size_t most = 64;
  struct Kept {
    Kept() { rooms.reserve(most); }
    ~Kept() {
      over = true;
      for (void* room : rooms) ::operator delete (room, std::align_val_t{alignof(T)});
    }
    std::vector<void*> rooms;
  };
  static Kept& kept() {
    static thread_local Kept mine;
    return mine;
  }
  static inline thread_local bool over = false;  // the thread ends
};

}  // namespace wedjat::memory
