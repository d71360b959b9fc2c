#include "emulator/hooks/session/witness.h"

#include <sys/mman.h>

#include <new>
#include <set>

namespace wedjat::hooks {
namespace {

Witness* of_this_process = nullptr;

}  // namespace

Witness& Witness::here() {
  static Witness mine;
  return of_this_process != nullptr ? *of_this_process : mine;
}

void Witness::share() {
  void* at = mmap(nullptr, sizeof(Witness), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  of_this_process = new (at) Witness;
}

std::uint8_t Witness::enroll(const std::string& tool) {
  const std::uint32_t number = ++tools_;
  if (number > most_tools) return 0;
  tool.copy(names_[number], longest_name);
  return static_cast<std::uint8_t>(number);
}

Witness::Thread& Witness::take_thread() {
  mine_ = &inside_[threads_++ % most_threads];
  return *mine_;
}

std::string Witness::inside() const {
  std::set<std::string> names;
  for (const Thread& thread : inside_)
    if (const std::uint8_t tool = thread.tool.load(std::memory_order_relaxed); tool != 0)
      names.insert(names_[tool]);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

}  // namespace wedjat::hooks
