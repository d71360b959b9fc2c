#include "interposer/live/command/live_command.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"
#include "emulator/hooks/session/library.h"
#include "interposer/live/command/environment.h"
#include "interposer/live/command/linkage.h"
#include "interposer/live/command/outcome.h"
#include "interposer/record/record.h"
#include "interposer/record/separator.h"
#include "interposer/record/subprocess.h"
#include "traces/format/file.h"

namespace wedjat::live {
namespace {

struct Arguments {
  Options options;
  bool shell = false, keep_ptx = false;
  std::string trace, json;
  std::vector<std::string> command;
};

// A folder that goes when the run is over.
class Reports {
 public:
  Reports() {
    std::string name = (std::filesystem::temp_directory_path() / "wedjat-live-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(name + ": cannot be made: " + std::strerror(errno));
    path_ = name;
  }
  ~Reports() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
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
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  fmt::print(stderr, "wedjat: {} cannot be run: {}\n", command[0], std::strerror(errno));
  ::_exit(errno == ENOENT ? 127 : 126);
}

int program(const Arguments& arguments, const Installation& installation,
            const std::map<std::string, std::string>& environment) {
  if (!arguments.trace.empty()) {
    for (const auto& [name, value] : environment)
      if (name != "LD_LIBRARY_PATH") ::setenv(name.c_str(), value.c_str(), 1);
    interposer::RecordOptions options;
    options.output = arguments.trace;
    options.command = arguments.command;
    options.driver = installation.driver;
    options.keep_ptx = arguments.keep_ptx;
    options.emulated = true;
    return interposer::record(options);
  }
  const int status =
      interposer::wait_forwarding_signals(interposer::start_program(arguments.command, environment));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void write(const std::string& file, const std::string& text) {
  if (file == "-") return void(std::puts(text.c_str()));
  traces::write_file(file, text + "\n");
}

int run(Arguments& arguments) {
  if (arguments.shell != arguments.command.empty())
    throw CLI::RequiredError(arguments.shell ? "live: no program beside --shell"
                                             : "live: a program, or --shell");
  if (const std::string missing = arguments.options.jit == "all" ? compile::Tier({}).missing() : "";
      !missing.empty())
    throw device::Refused("--jit all: no native code can be made: " + missing);
  const Installation installation = find_installation();
  if (arguments.options.lenient) arguments.options.tools.push_back("beyond_allocations");
  const bool watched = arguments.options.any_tool() || !arguments.json.empty();
  if (arguments.shell) {
    if (watched || !arguments.trace.empty())
      throw CLI::ExcludesError("live: tools, --record and --json need a program:", "--shell");
    for (const auto& [name, value] : environment_of(installation, arguments.options, arguments.keep_ptx))
      fmt::print("export {}={}\n", name, quoted(value));
    return 0;
  }
  if (has_static_runtime(program_file(arguments.command.front()))) {
    fmt::print(stderr,
               "wedjat: {} holds the static CUDA runtime, which asks the driver for what is not public; link "
               "it with "
               "the shared one: nvcc -cudart shared\n",
               arguments.command.front());
    return 4;
  }
  if (!watched && arguments.trace.empty()) {
    for (const auto& [name, value] : environment_of(installation, arguments.options, arguments.keep_ptx))
      ::setenv(name.c_str(), value.c_str(), 1);
    start(arguments.command);
  }
  // The program is not run in vain.
  for (const std::string& tool : arguments.options.tools)
    (void)hooks::find_library(tool.substr(0, tool.find(',')));
  if (!arguments.json.empty() && arguments.json != "-") write(arguments.json, "");
  const Reports reports;
  if (watched) arguments.options.reports = reports.path();
  const int code =
      program(arguments, installation,
              // The recorder keeps PTX by itself, and tells the driver.
              environment_of(installation, arguments.options, arguments.keep_ptx && arguments.trace.empty()));
  const Outcome outcome = outcome_of(reports.path(), code, arguments.options.any_tool());
  if (!arguments.json.empty()) write(arguments.json, outcome.json);
  return outcome.code;
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
  command
      ->add_option("--threads", arguments->options.threads,
                   "host threads (default: all cores); results are the same")
      ->check(CLI::Range(0, 1024));
  command
      ->add_option(
          "--tool", arguments->options.tools,
          "NAME[,key=value...][,isolated]: watch with this tool (`wedjat tools` lists them); again for more")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--check", arguments->options.check,
                    "watch with every checker; exit code 6 if one finds errors and the program ends well");
  command->add_option("--suppress", arguments->options.suppressions, "file of findings not to report");
  command->add_flag("--fidelity", arguments->options.fidelity,
                    "say which executed instructions were not exact");
  command
      ->add_option("--jit", arguments->options.jit,
                   "native code of kernels: off, auto (of what runs often, made in the background) or all "
                   "(before it runs); results never depend on it")
      ->check(CLI::IsMember({"off", "auto", "all"}))
      ->default_str("auto");
  command->add_flag(
      "--lenient", arguments->options.lenient,
      "accesses beyond allocations (also to memory given back) go well where a GPU has a page of 2 "
      "MiB mapped, and shared memory ends where its unit of 128 bytes does; what was let through "
      "is told at the end");
  command->add_flag("--keep-ptx", arguments->keep_ptx,
                    "compilers in the program (NVRTC, nvJitLink, Triton) leave "
                    "PTX beside their machine code, and it is run");
  command->add_option("--record", arguments->trace, "also record the run: the trace folder to make");
  command->add_option("--json", arguments->json, "file for a summary at the end; - is standard output");
  command->add_option("command", arguments->command, "Program and its arguments, after --");
  refuse_separator(*command);
  command->positionals_at_end();
  command->footer("Example: wedjat live -- ./saxpy 1024");
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace wedjat::live
