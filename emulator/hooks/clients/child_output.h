// What a tool in a process of its own prints: line by line to where the user sees it, as it comes.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace wedjat::hooks {

/// Takes text of a tool: whole lines, without what a terminal would obey.
using Print = std::function<void(bool is_error, std::string_view text)>;

/// To standard output or standard error.
void print_here(bool is_error, std::string_view text);

class ChildOutput {
 public:
  static constexpr std::size_t most_bytes = 1 << 20;  ///< shown of one tool; what more it prints is dropped
  static constexpr std::size_t most_kept = 1 << 16;   ///< of its standard error

  explicit ChildOutput(Print print);
  ~ChildOutput();
  ChildOutput(const ChildOutput&) = delete;
  ChildOutput& operator=(const ChildOutput&) = delete;

  /// For the tool: its standard output, its standard error. Valid until start().
  int output() const { return pipes_[0].theirs; }
  int error() const { return pipes_[1].theirs; }
  /// After the fork: closes the tool's ends and begins to read.
  void start();
  /// After the tool has ended: the last of what it wrote has been shown when this returns. The end of its
  /// standard error.
  const std::string& wait();

 private:
  struct Pipe {
    int ours = -1, theirs = -1;
    std::string line;  // that has no end
  };
  void run();
  bool take(Pipe& pipe);
  void show(Pipe& pipe, std::size_t bytes);

  Print print_;
  Pipe pipes_[2];
  std::size_t shown_ = 0;
  std::string errors_;
  std::thread thread_;
};

}  // namespace wedjat::hooks
