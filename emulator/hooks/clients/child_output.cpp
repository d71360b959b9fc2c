#include "emulator/hooks/clients/child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "emulator/hooks/report/report.h"
#include "emulator/hooks/report/tool_error.h"

namespace wedjat::hooks {

void print_here(bool is_error, std::string_view text) {
  FILE* const to = is_error ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

ChildOutput::ChildOutput(Print print) : print_(std::move(print)) {
  for (Pipe& pipe : pipes_) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw ToolError(std::string("an isolated tool cannot be started: pipe: ") + std::strerror(errno));
    pipe.ours = ends[0];
    pipe.theirs = ends[1];
  }
}

ChildOutput::~ChildOutput() {
  wait();
  for (const Pipe& pipe : pipes_)
    for (const int file : {pipe.ours, pipe.theirs})
      if (file >= 0) close(file);
}

void ChildOutput::start() {
  for (Pipe& pipe : pipes_) close(std::exchange(pipe.theirs, -1));
  thread_ = std::thread([this] { run(); });
}

const std::string& ChildOutput::wait() {
  if (thread_.joinable()) thread_.join();
  return errors_;
}

void ChildOutput::run() {
  std::array<bool, 2> open = {true, true};
  while (open[0] || open[1]) {
    std::array<pollfd, 2> ready{};
    for (std::size_t i = 0; i < 2; ++i) ready[i] = {open[i] ? pipes_[i].ours : -1, POLLIN, 0};
    if (poll(ready.data(), ready.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < 2; ++i)
      if (ready[i].revents != 0) open[i] = take(pipes_[i]);
  }
}

// False when no more will come.
bool ChildOutput::take(Pipe& pipe) {
  std::array<char, 1 << 16> buffer;
  const ssize_t got = read(pipe.ours, buffer.data(), buffer.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return show(pipe, pipe.line.size()), false;
  pipe.line.append(buffer.data(), static_cast<std::size_t>(got));
  const std::size_t end = pipe.line.rfind('\n');
  if (end != std::string::npos)
    show(pipe, end + 1);
  else if (pipe.line.size() >= buffer.size())
    show(pipe, pipe.line.size());
  return true;
}

void ChildOutput::show(Pipe& pipe, std::size_t bytes) {
  if (bytes == 0) return;
  const bool is_error = &pipe == &pipes_[1];
  std::istringstream lines(pipe.line.substr(0, bytes));
  pipe.line.erase(0, bytes);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace(line, '\t', ' ');
    text += printable(std::move(line)) + '\n';
  }
  if (is_error) errors_ += text;
  if (errors_.size() > most_kept) errors_.erase(0, errors_.size() - most_kept);
  if (shown_ >= most_bytes) return;
  shown_ += text.size();
  print_(is_error, text);
  if (shown_ >= most_bytes) print_(true, "… the tool printed more than is shown\n");
}

}  // namespace wedjat::hooks
