#include "interposer/live/state/logs.h"

#include <cstdio>
#include <list>
#include <mutex>
#include <set>

#include "interposer/live/state/perform.h"

namespace wedjat::live {
namespace {

struct Logs {
  std::mutex mutex;
  std::set<std::string> told;
  std::vector<std::string> lines;
  std::list<CUlogsCallbackEntry_st> listeners;
};

// Never destroyed: a program may call the driver while it ends.
Logs& logs() {
  static Logs& all = *new Logs;
  return all;
}

}  // namespace

void tell(const std::string& text) noexcept {
  std::list<CUlogsCallbackEntry_st> listeners;
  {
    const std::lock_guard lock(logs().mutex);
    if (!logs().told.insert(text).second) return;
    logs().lines.push_back(text);
    listeners = logs().listeners;
    std::fputs(("wedjat: " + text + "\n").c_str(), stderr);
  }
  std::string message = text;
  for (const CUlogsCallbackEntry_st& listener : listeners)
    call_out([&] { listener.function(listener.data, CU_LOG_LEVEL_ERROR, message.data(), message.size()); });
}

std::vector<std::string> told_lines() {
  const std::lock_guard lock(logs().mutex);
  return logs().lines;
}

CUlogsCallbackHandle add_listener(const CUlogsCallbackEntry_st& listener) {
  const std::lock_guard lock(logs().mutex);
  return &logs().listeners.emplace_back(listener);
}

bool drop_listener(CUlogsCallbackHandle handle) {
  const std::lock_guard lock(logs().mutex);
  return logs().listeners.remove_if([&](const CUlogsCallbackEntry_st& one) { return &one == handle; }) != 0;
}

}  // namespace wedjat::live
