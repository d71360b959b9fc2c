#include "cli/terminal/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/terminal/output.h"

namespace wedjat::cli {
namespace {

std::string painted(char code, std::string_view text) {
  static const bool colour = is_terminal(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  return colour ? fmt::format("{}{}{}", code, text, kPlain) : std::string(text);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

std::string good(std::string_view text) { return painted(kGood, text); }
std::string bad(std::string_view text) { return painted(kBad, text); }

Progress::Progress(std::string label) : label_(std::move(label)), shown_(is_terminal(STDERR_FILENO)) {}

Progress::~Progress() {
  if (shown_ && last_ > 0) write_raw(STDERR_FILENO, "\r\033[K");
}

void Progress::update(std::uint64_t done, std::uint64_t all) {
  if (!shown_ || !all || now() - last_ < 0.1) return;
  last_ = now();
  constexpr std::uint64_t width = 30;
  const auto filled = static_cast<std::size_t>(done * width / all);
  write_raw(STDERR_FILENO, fmt::format("\r{} [{:<{}}] {}/{}\033[K", label_, std::string(filled, '#'), width,
                                       grouped(done), grouped(all)));
}

void print_json(const nlohmann::json& object) {
  fmt::print("{}\n", object.dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace wedjat::cli
