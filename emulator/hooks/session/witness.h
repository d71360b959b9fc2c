// Which tool each host thread is in, where another process can read it too: when this process ends without
// a word, that tells who ended it (cli/options/supervised.h).
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wedjat::hooks {

class Witness {
 public:
  static constexpr int not_told = -1;

  /// The one of this process.
  static Witness& here();
  /// From here on it lies in memory that this process shares with those it forks.
  static void share();

  /// A number for the tool, from 1; 0: there are too many to name.
  std::uint8_t enroll(const std::string& tool);
  /// Tools that some thread is in: "race_check"; several: "race_check or mine"; none: "".
  std::string inside() const;

  std::atomic<int> told{not_told};  ///< the exit code that the command is about to end with

 private:
  friend class InsideTool;
  static constexpr std::size_t most_tools = 255, longest_name = 63, most_threads = 512;
  struct alignas(64) Thread {
    std::atomic<std::uint8_t> tool;
  };
  static inline thread_local Thread* mine_ = nullptr;  // of this thread, in the Witness of this process
  Thread& take_thread();

  std::atomic<std::uint32_t> tools_{0}, threads_{0};
  char names_[most_tools + 1][longest_name + 1]{};
  Thread inside_[most_threads]{};
};

/// While it lives this thread is in the tool.
class InsideTool {
 public:
  explicit InsideTool(std::uint8_t tool)
      : thread_(Witness::mine_ != nullptr ? *Witness::mine_ : Witness::here().take_thread()) {
    thread_.tool.store(tool, std::memory_order_relaxed);
  }
  ~InsideTool() { thread_.tool.store(0, std::memory_order_relaxed); }
  InsideTool(const InsideTool&) = delete;
  InsideTool& operator=(const InsideTool&) = delete;

 private:
  Witness::Thread& thread_;
};

}  // namespace wedjat::hooks
