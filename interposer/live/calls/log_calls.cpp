// What the driver has to say of calls that went wrong, for programs that ask: the lines that it tells on
// standard error too.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "interposer/live/state/driver.h"
#include "interposer/live/state/logs.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

// From there on; the iterator, if there is one, goes to the end.
std::string text_from(CUlogIterator* iterator) {
  const std::vector<std::string> lines = told_lines();
  const std::size_t first = iterator ? std::min<std::size_t>(*iterator, lines.size()) : 0;
  std::string text;
  for (std::size_t i = first; i < lines.size(); ++i) text += lines[i] + "\n";
  if (iterator != nullptr) *iterator = static_cast<CUlogIterator>(lines.size());
  return text;
}

}  // namespace

void cuLogsRegisterCallback(CUlogsCallback callback, void* data, CUlogsCallbackHandle* handle) {
  require(callback != nullptr);
  const CUlogsCallbackHandle made = add_listener({callback, data});
  if (handle != nullptr) *handle = made;
}

void cuLogsUnregisterCallback(CUlogsCallbackHandle handle) { require(drop_listener(handle)); }

void cuLogsCurrent(CUlogIterator* iterator, unsigned) {
  *iterator = static_cast<CUlogIterator>(told_lines().size());
}

void cuLogsDumpToFile(CUlogIterator* iterator, const char* path, unsigned) {
  std::ofstream file(path, std::ios::app);
  file << text_from(iterator);
  require(bool(file.flush()));
}

void cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, std::size_t* size, unsigned) {
  require(buffer != nullptr && *size != 0);
  const std::string text = text_from(iterator);
  const std::size_t bytes = std::min(*size - 1, text.size());
  std::memcpy(buffer, text.data(), bytes);
  buffer[bytes] = '\0';
  *size = bytes;
}

}  // namespace wedjat::live::calls
