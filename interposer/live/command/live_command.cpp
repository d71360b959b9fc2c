#include "interposer/live/command/live_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <memory>

#include "interposer/live/command/environment.h"

namespace wedjat::live {
namespace {

struct Arguments {
  LiveOptions options;
  bool shell = false;
  std::vector<std::string> command;
};

// 'it''s' as a shell reads it.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The program takes our place: signals, terminal and exit code are its own.
[[noreturn]] void start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  fmt::print(stderr, "wedjat: {} cannot be run: {}\n", command[0], std::strerror(errno));
  ::_exit(errno == ENOENT ? 127 : 126);
}

void run(const Arguments& arguments) {
  if (arguments.shell != arguments.command.empty())
    throw CLI::RequiredError(arguments.shell ? "live: no program beside --shell"
                                             : "live: a program, or --shell");
  const auto environment = environment_of(arguments.options);
  if (!arguments.shell) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    start(arguments.command);
  }
  for (const auto& [name, value] : environment) fmt::print("export {}={}\n", name, quoted(value));
}

}  // namespace

void add_live_command(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("live", "Run a CUDA program here, on the emulated device: no GPU is needed");
  command->add_flag("--shell", arguments->shell,
                    "print the environment for a shell instead of running a program");
  command->add_flag("--strict", arguments->options.strict,
                    "end the program (exit code 4) at the first driver call that is not carried out");
  command->add_option("--threads", arguments->options.threads,
                      "host threads (default: all cores); results are the same");
  command->add_option("command", arguments->command, "Program and its arguments, after --");
  command->positionals_at_end();
  command->footer("Example: wedjat live -- ./saxpy 1024");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace wedjat::live
