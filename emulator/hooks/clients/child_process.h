// The process of an isolated tool: started, spoken to, and killed when it does not answer.
#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "emulator/hooks/clients/child_output.h"
#include "emulator/hooks/clients/ring.h"

namespace wedjat::hooks {

class ChildProcess {
 public:
  /// Runs `command` with the control socket, the ring and the tail as its files. Throws ToolError.
  ChildProcess(const std::vector<std::string>& command, double timeout_seconds, Print print);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool alive() const { return pid_ > 0; }
  /// Why it was given up.
  const std::string& detached() const { return detached_; }

  /// Room for `bytes` in the ring, or null: there is none (and `wait` is false), or it was given up while
  /// waiting.
  std::byte* reserve(std::size_t bytes, bool wait);
  void publish(std::size_t bytes);
  /// Sends; what it answers, or nothing if it was given up. A tool makes progress by reading the ring or
  /// answering.
  std::optional<nlohmann::json> ask(nlohmann::json message);
  bool tell(nlohmann::json message);
  void give_up(const std::string& why);
  /// After its last answer: it is to end by itself, and well. All it printed has been shown then.
  void end();
  /// The end of what it wrote to its standard error; when it is no longer alive.
  const std::string& errors() { return output_.wait(); }

 private:
  /// While the host waits: whether the tool read on. Gives it up when it has read too little for too long.
  bool tail_advanced();
  void begin_to_wait();
  bool transfer(char* bytes, std::size_t count, bool sending);
  void* map(int file, std::size_t bytes);

  /// It ended: why, in words; nothing if it did as it should.
  static std::string ending(int status);

  int pid_ = -1, socket_ = -1;
  ChildOutput output_;
  double timeout_;
  std::string detached_;
  RingHead* head_ = nullptr;
  RingTail* tail_ = nullptr;
  std::byte* events_ = nullptr;
  std::uint64_t written_ = 0, read_ = 0;
  std::chrono::steady_clock::time_point since_{};  ///< it waits, or it saw the last good piece of progress
  std::uint64_t read_then_ = 0;
  std::chrono::steady_clock::duration waited_{};  ///< in all
};

}  // namespace wedjat::hooks
