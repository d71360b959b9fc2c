#include "traces/read/intern.h"

#include <mutex>
#include <string>
#include <unordered_set>

namespace wedjat::traces {

std::string_view intern(std::string_view name) {
  static std::mutex mutex;
  static std::unordered_set<std::string>& names = *new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return *names.emplace(name).first;
}

}  // namespace wedjat::traces
