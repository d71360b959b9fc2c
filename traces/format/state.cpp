#include "traces/format/state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "traces/format/error.h"
#include "traces/format/names.h"

namespace wedjat::traces {
namespace {
constexpr char kStateMagic[8] = {'W', 'E', 'D', 'J', 'S', 'T', 'A', 'T'};
}

StatePage& map_state(const std::filesystem::path& trace, bool create) {
  const std::string path = (trace / kStateFile).string();
  const auto fail = [&](const char* what) {
    return FormatError(path, std::string(what) + ": " + std::strerror(errno));
  };
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0666);
  if (file < 0) throw fail("cannot open the state page");
  if (create && ::ftruncate(file, sizeof(StatePage)) != 0) throw fail("cannot size the state page");
  // Mapping past the end of a cut file would kill the application at its first call.
  const bool cut = ::lseek(file, 0, SEEK_END) < static_cast<off_t>(sizeof(StatePage));
  void* memory =
      cut ? MAP_FAILED : ::mmap(nullptr, sizeof(StatePage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (cut) throw FormatError(path, "the state page is cut");
  if (memory == MAP_FAILED) throw fail("cannot map the state page");
  auto& state = *static_cast<StatePage*>(memory);
  if (create) std::memcpy(state.magic, kStateMagic, sizeof kStateMagic);
  if (std::memcmp(state.magic, kStateMagic, sizeof kStateMagic) != 0)
    throw FormatError(path, "is no state page");
  return state;
}

void add_trouble(StatePage& state, const std::string& text) {
  state.troubles.fetch_add(1);
  const std::uint64_t room = sizeof state.trouble_text;
  const std::uint64_t size = text.size() + 1;
  std::uint64_t at = state.trouble_bytes.load();
  do {
    if (at + size > room) return;  // the count still tells
  } while (!state.trouble_bytes.compare_exchange_weak(at, at + size));
  std::memcpy(state.trouble_text + at, text.c_str(), size);
}

std::vector<std::string> troubles(const StatePage& state) {
  std::vector<std::string> texts;
  const std::uint64_t used = std::min<std::uint64_t>(state.trouble_bytes.load(), sizeof state.trouble_text);
  for (std::uint64_t at = 0; at < used;) {
    const std::size_t size = ::strnlen(state.trouble_text + at, used - at);
    texts.emplace_back(state.trouble_text + at, size);
    at += size + 1;
  }
  const std::uint64_t count = state.troubles.load();
  if (count > texts.size()) texts.push_back(std::to_string(count - texts.size()) + " more troubles");
  return texts;
}

std::vector<std::uint64_t> open_calls(const StatePage& state) {
  std::vector<std::uint64_t> calls;
  for (const OpenCall& one : state.open_calls)
    if (const std::uint64_t call = one.call.load(); call != OpenCall::free && call != OpenCall::none)
      calls.push_back(call - 1);
  std::ranges::sort(calls);
  return calls;
}

std::map<std::uint64_t, std::uint64_t> untold_events(const StatePage& state) {
  std::map<std::uint64_t, std::uint64_t> events;
  for (const UntoldEvent& one : state.untold)
    if (const std::uint64_t sequence = one.sequence.load();
        sequence != UntoldEvent::free && sequence != UntoldEvent::taken)
      events[sequence - 1] = one.call;
  return events;
}

}  // namespace wedjat::traces
