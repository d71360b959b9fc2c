#include "emulator/hooks/clients/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "emulator/hooks/clients/messages.h"
#include "emulator/hooks/session/session.h"

namespace wedjat::hooks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* ended_early = "it ended before the program did";

[[noreturn]] void fail(const char* what) {
  throw ToolError(fmt::format("an isolated tool cannot be started: {}: {}", what, std::strerror(errno)));
}

int memory_file(std::size_t bytes) {
  const int file = memfd_create("wedjat-tool", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) fail("memfd_create");
  return file;
}

}  // namespace

void* ChildProcess::map(int file, std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) fail("mmap");
  return at;
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, double timeout_seconds, Print print)
    : output_(std::move(print)), timeout_(timeout_seconds) {
  const int ring = memory_file(ring_page + ring_bytes), tail = memory_file(ring_page);
  auto* memory = static_cast<std::byte*>(map(ring, ring_page + ring_bytes));
  head_ = new (memory) RingHead{};
  events_ = memory + ring_page;
  tail_ = new (map(tail, ring_page)) RingTail{};
  const int readable = open(fmt::format("/proc/self/fd/{}", ring).c_str(), O_RDONLY | O_CLOEXEC);
  int sockets[2];
  if (readable < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) fail("socketpair");
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // First out of the way of the numbers they get.
    const int from[] = {fcntl(sockets[1], F_DUPFD, 10), fcntl(readable, F_DUPFD, 10),
                        fcntl(tail, F_DUPFD, 10)};
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, 0), dup2(output_.output(), 1), dup2(output_.error(), 2);
    for (int i = 0; i < 3; ++i) dup2(from[i], control_socket + i);
    close_range(tail_file + 1, ~0u, 0);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  for (const int file : {ring, tail, readable, sockets[1]}) close(file);
  socket_ = sockets[0];
  output_.start();
}

ChildProcess::~ChildProcess() {
  give_up({});
  munmap(head_, ring_page + ring_bytes);
  munmap(tail_, ring_page);
}

std::string ChildProcess::ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it died of signal {}: {}", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("it exited with {}", WEXITSTATUS(status));
}

void ChildProcess::give_up(const std::string& why) {
  if (pid_ <= 0) return;
  detached_ = why;
  // One whose socket is gone is about to be gone too: then it can be asked how it ended.
  int status = 0, gone = waitpid(pid_, &status, WNOHANG);
  for (int i = 0; i < 100 && gone == 0 && why == ended_early; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    gone = waitpid(pid_, &status, WNOHANG);
  }
  if (gone == 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  } else if (!why.empty()) {
    const std::string how = ending(status);
    detached_ += " (" + (how.empty() ? "it exited with 0" : how) + ")";
  }
  pid_ = -1;
  close(socket_);
}

void ChildProcess::end() {
  if (pid_ <= 0) return;
  shutdown(socket_, SHUT_RDWR);
  const auto since = Clock::now();
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() - since > std::chrono::duration<double>(timeout_))
      return give_up(fmt::format("after its report it did not end for {} s", timeout_));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (const std::string how = ending(status); !how.empty()) detached_ = "after its report " + how;
  pid_ = -1;
  close(socket_);
}

// A tool that reads a little now and then would stop the run as surely as one that reads nothing: it must
// read a piece of the ring, or all there is, within its time; and the run waits for it no longer than many
// times that.
constexpr std::uint64_t good_piece = ring_bytes / 64;
constexpr int most_times = 30;

void ChildProcess::begin_to_wait() {
  since_ = Clock::now();
  read_then_ = read_;
}

bool ChildProcess::tail_advanced() {
  const std::uint64_t now = tail_->tail.load(std::memory_order_acquire);
  if (now < read_ || now > written_) {
    give_up("it says that it read what was never written");
    return false;
  }
  const bool advanced = now != read_;
  read_ = now;
  const auto time = Clock::now();
  const auto patience = std::chrono::duration<double>(timeout_);
  if (waited_ + (time - since_) > most_times * patience) {
    give_up(fmt::format("the run waited for it for {} s", most_times * timeout_));
  } else if (read_ - read_then_ >= good_piece || (advanced && read_ == written_)) {
    waited_ += time - since_;
    begin_to_wait();
  } else if (time - since_ > patience) {
    give_up(fmt::format("it made no progress for {} s", timeout_));
  }
  return advanced && alive();
}

std::byte* ChildProcess::reserve(std::size_t bytes, bool wait) {
  if (!alive()) return nullptr;
  const std::uint64_t at = written_ % ring_bytes;
  const std::size_t gap = at + bytes > ring_bytes ? ring_bytes - at : 0;
  if (written_ + gap + bytes - read_ > ring_bytes) begin_to_wait();
  unsigned spins = 0;
  while (written_ + gap + bytes - read_ > ring_bytes) {
    if (tail_advanced()) continue;
    if (!alive() || !wait) return nullptr;
    if (++spins % 64 == 0) {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid != 0)
        give_up(ended_early);
      if (!alive()) return nullptr;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  if (spins != 0) waited_ += Clock::now() - since_;
  if (gap != 0) {
    if (gap >= sizeof(Record)) {
      auto* filler = new (events_ + at) Record{};
      filler->watch = Record::wrap;
    }
    written_ += gap;
  }
  return events_ + written_ % ring_bytes;
}

void ChildProcess::publish(std::size_t bytes) {
  written_ += bytes;
  head_->head.store(written_, std::memory_order_release);
}

bool ChildProcess::transfer(char* bytes, std::size_t count, bool sending) {
  begin_to_wait();
  while (count != 0) {
    pollfd ready{socket_, static_cast<short>(sending ? POLLOUT : POLLIN), 0};
    if (poll(&ready, 1, 50) > 0) {
      const ssize_t done = sending ? send(socket_, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT)
                                   : recv(socket_, bytes, count, MSG_DONTWAIT);
      if (done < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (done <= 0) return give_up(ended_early), false;
      bytes += done, count -= static_cast<std::size_t>(done);
    }
    tail_advanced();
    if (!alive()) return false;
  }
  waited_ += Clock::now() - since_;
  return true;
}

bool ChildProcess::tell(nlohmann::json message) {
  if (!alive()) return false;
  message["head"] = written_;
  std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  auto size = static_cast<std::uint32_t>(text.size());
  return transfer(reinterpret_cast<char*>(&size), sizeof size, true) &&
         transfer(text.data(), text.size(), true);
}

std::optional<nlohmann::json> ChildProcess::ask(nlohmann::json message) {
  std::uint32_t size = 0;
  if (!tell(std::move(message)) || !transfer(reinterpret_cast<char*>(&size), sizeof size, false))
    return std::nullopt;
  if (size > longest_message) return give_up("its answer is too long"), std::nullopt;
  std::string text(size, ' ');
  if (!transfer(text.data(), text.size(), false)) return std::nullopt;
  nlohmann::json answer = nlohmann::json::parse(text, nullptr, false);
  if (!answer.is_object()) return give_up("its answer is no message"), std::nullopt;
  return answer;
}

}  // namespace wedjat::hooks
