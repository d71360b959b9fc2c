// How core dumps are to be written: kept and told again. A kernel that fails here says where it did, and no
// dump is written.
#include <cstring>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

bool is_text(CUcoredumpSettings setting) {
  return setting == CU_COREDUMP_FILE || setting == CU_COREDUMP_PIPE;
}

std::size_t bytes_of(CUcoredumpSettings setting) {
  return setting == CU_COREDUMP_GENERATION_FLAGS ? sizeof(int) : sizeof(bool);
}

void check(CUcoredumpSettings setting) {
  require(setting >= CU_COREDUMP_ENABLE_ON_EXCEPTION && setting < CU_COREDUMP_MAX);
}

// What it is unless it was set: nothing is dumped, but the host side of a dump would be.
std::string at_first(CUcoredumpSettings setting) {
  if (is_text(setting)) return {};
  std::string bytes(bytes_of(setting), '\0');
  if (setting == CU_COREDUMP_TRIGGER_HOST) bytes[0] = 1;
  return bytes;
}

// Of a number the size is that of the number; of a text it is how much room there is.
void get(CUcoredumpSettings setting, void* value, const std::size_t* size, const CoreDumpSettings& settings) {
  check(setting);
  require(value != nullptr && *size != 0 && (is_text(setting) || *size == bytes_of(setting)));
  const auto set = settings.find(setting);
  const std::string known = set == settings.end() ? at_first(setting) : set->second;
  // A text ends with a NUL.
  std::memcpy(value, known.c_str(), std::min(*size, known.size() + (is_text(setting) ? 1 : 0)));
}

void put(CUcoredumpSettings setting, const void* value, const std::size_t* size, CoreDumpSettings& settings) {
  check(setting);
  if (value == nullptr) return;
  require(is_text(setting) || *size == bytes_of(setting));
  settings[setting] = std::string(static_cast<const char*>(value), *size);
}

}  // namespace

void cuCoredumpGetAttribute(CUcoredumpSettings setting, void* value, std::size_t* size) {
  require(setting != CU_COREDUMP_PIPE && setting != CU_COREDUMP_ENABLE_USER_TRIGGER);  // of all contexts
  get(setting, value, size, context().core_dumps.empty() ? driver().core_dumps : context().core_dumps);
}
void cuCoredumpGetAttributeGlobal(CUcoredumpSettings setting, void* value, std::size_t* size) {
  get(setting, value, size, driver().core_dumps);
}
void cuCoredumpSetAttribute(CUcoredumpSettings setting, void* value, std::size_t* size) {
  put(setting, value, size, context().core_dumps);
}
void cuCoredumpSetAttributeGlobal(CUcoredumpSettings setting, void* value, std::size_t* size) {
  put(setting, value, size, driver().core_dumps);
}

}  // namespace wedjat::live::calls
