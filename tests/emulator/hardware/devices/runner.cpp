#include "tests/emulator/hardware/devices/runner.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/emulator/hardware/devices/cuda_driver.h"
#include "tests/emulator/hardware/devices/gpu_child.h"

namespace wedjat::hardware_truth {
namespace {

class Child {
 public:
  Child(std::span<const Case> cases, const RunOptions& options, std::size_t module_size)
      : silence_seconds_(options.silence_seconds) {
    int ends[2];
    if (::pipe(ends) != 0) throw CudaError("pipe: no file descriptor left");
    process_ = ::fork();
    if (process_ < 0) throw CudaError("fork: no process left");
    if (process_ == 0) {
      ::close(ends[0]);
      run_in_child(cases, options, module_size, ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!end_.empty()) return;
    ::kill(process_, SIGKILL);
    reap();
  }

  // False when the child has ended; end() then says how.
  bool receive(MessageHead& head, std::vector<std::byte>& bytes) {
    if (!read_all(&head, sizeof(head))) return false;
    bytes.resize(head.bytes);
    return read_all(bytes.data(), bytes.size());
  }

  const std::string& end() const { return end_; }

 private:
  bool read_all(void* data, std::size_t bytes) {
    char* at = static_cast<char*>(data);
    while (bytes > 0) {
      pollfd waiting{pipe_, POLLIN, 0};
      const int ready = ::poll(&waiting, 1, silence_seconds_ * 1000);
      if (ready == 0) {
        ::kill(process_, SIGKILL);
        reap();
        end_ = fmt::format("the GPU process was silent for {} s", silence_seconds_);
        return false;
      }
      const ssize_t got = ::read(pipe_, at, bytes);
      if (got <= 0) {
        reap();
        return false;
      }
      at += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }

  void reap() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    ::close(pipe_);
    end_ = WIFSIGNALED(status) ? fmt::format("the GPU process was killed by signal {}", WTERMSIG(status))
                               : fmt::format("the GPU process ended with code {}", WEXITSTATUS(status));
  }

  int silence_seconds_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string end_;
};

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Lets one child work through the cases; returns how it ended. outcomes gets what it reported.
std::string collect(std::span<const Case> cases, const RunOptions& options, std::size_t module_size,
                    Machine& machine, std::vector<Outcome>& outcomes,
                    const std::function<void(std::size_t)>& progress) {
  Child child(cases, options, module_size);
  MessageHead head{};
  std::vector<std::byte> bytes;
  while (child.receive(head, bytes)) {
    if (head.kind == MessageHead::unusable) throw CudaError(as_text(bytes));
    if (head.kind == MessageHead::machine) {
      const std::string text = as_text(bytes);
      machine = {text.substr(0, text.find('\n')), text.substr(text.find('\n') + 1)};
      continue;
    }
    const bool ran = head.kind == MessageHead::ran;
    outcomes.push_back(ran ? Outcome{"", bytes} : Outcome{as_text(bytes), {}});
    progress(outcomes.size());
  }
  return child.end();
}

}  // namespace

std::vector<Outcome> run_cases(std::span<const Case> cases, const RunOptions& options, Machine& machine,
                               const std::function<void(std::size_t)>& progress) {
  std::vector<Outcome> outcomes;
  std::size_t careful_until = 0;  // cases before it get a module of their own: one of them ended a child
  while (outcomes.size() < cases.size()) {
    const std::size_t begin = outcomes.size();
    const bool careful = begin < careful_until;
    const std::size_t end = careful ? careful_until : cases.size();
    const std::string how = collect(cases.subspan(begin, end - begin), options,
                                    careful ? 1 : options.module_size, machine, outcomes, progress);
    const bool complete = outcomes.size() == end;
    const bool reported = outcomes.size() > begin && !outcomes.back().error.empty();
    if (complete || reported) continue;
    if (careful || options.module_size == 1) {
      outcomes.push_back({how, {}});
      progress(outcomes.size());
    } else {
      careful_until = std::min(outcomes.size() + options.module_size, cases.size());
    }
  }
  return outcomes;
}

}  // namespace wedjat::hardware_truth
