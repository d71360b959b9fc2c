#include "cli/terminal/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <string>
#include <system_error>

#include "cli/terminal/terminal.h"
#include "emulator/text/foreign_text.h"

namespace wedjat::cli {
namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

// Behind a FILE.
struct Guard {
  int descriptor;
  bool terminal;
  std::string device{};  // what kernels printed, for a file: it goes before what is printed after it
  text::Neutralizer neutralizer{};

  std::string guarded(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t colour = text.find_first_of("\x11\x12\x13");
      out += neutralizer.pass(text.substr(0, colour));
      if (colour == text.npos) break;
      if (terminal) out += sequence(text[colour]);
      text.remove_prefix(colour + 1);
    }
    return out;
  }

  static std::string_view sequence(char colour) {
    return colour == kGood ? "\033[32m" : colour == kBad ? "\033[31m" : "\033[0m";
  }
};

// Never destroyed: the library flushes its streams last of all.
Guard* const guards = new Guard[2]{{STDOUT_FILENO, false}, {STDERR_FILENO, false}};
std::mutex device_output;

bool write_device(Guard& guard) {
  const bool written = write_all(guard.descriptor, guard.device);
  guard.device.clear();
  return written;
}

ssize_t write_guarded(void* cookie, const char* bytes, std::size_t size) {
  Guard& guard = *static_cast<Guard*>(cookie);
  const bool written = write_device(guard) && write_all(guard.descriptor, guard.guarded({bytes, size}));
  // 0 is an error; errno says which. Nobody could be told that standard error takes nothing.
  return written || guard.descriptor == STDERR_FILENO ? static_cast<ssize_t>(size) : 0;
}

std::FILE* guarded(Guard& guard, int mode) {
  guard.terminal = is_terminal(guard.descriptor);
  std::FILE* const stream = ::fopencookie(&guard, "w", {nullptr, write_guarded, nullptr, nullptr});
  if (stream) std::setvbuf(stream, nullptr, mode, BUFSIZ);
  return stream;
}

}  // namespace

void guard_output() {
  std::atexit([] {
    std::fflush(nullptr);
    for (int i = 0; i < 2; ++i) write_device(guards[i]);
  });
  if (std::FILE* const out = guarded(guards[0], is_terminal(STDOUT_FILENO) ? _IOLBF : _IOFBF)) stdout = out;
  if (std::FILE* const error = guarded(guards[1], _IOLBF)) stderr = error;
}

void print_device(std::FILE* stream, std::string_view text) {
  constexpr std::size_t most = 1 << 16;
  const std::lock_guard lock(device_output);
  Guard& guard = guards[stream == stderr];
  bool written = true;
  if (guard.terminal) {
    written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  } else {
    written = std::fflush(stream) == 0;
    guard.device += text;
    if (guard.device.size() > most) written = write_device(guard) && written;
  }
  if (!written)
    throw std::system_error(errno, std::generic_category(), "what a kernel printed cannot be written");
}

bool finish_output() {
  const bool flushed = std::fflush(stdout) == 0;
  return write_device(guards[0]) && flushed;
}

void write_raw(int descriptor, std::string_view text) { write_all(descriptor, text); }

}  // namespace wedjat::cli
