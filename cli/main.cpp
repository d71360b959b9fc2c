// The command `wedjat`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/options/interruption.h"
#include "cli/options/library_error.h"
#include "cli/options/supervised.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/output.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"
#include "emulator/hooks/report/names.h"
#include "emulator/hooks/session/session.h"
#include "emulator/ptx/text/error.h"
#include "emulator/text/near_miss.h"
#include "interposer/live/command/live_command.h"
#include "interposer/record/record.h"
#include "traces/format/error.h"
#include "traces/replay/replay.h"

namespace {

int complain(const std::exception& error, int code) {
  // Without exceptions: where the error cannot be written, its code still tells.
  std::fputs(fmt::format("wedjat: error: {}\n", error.what()).c_str(), stderr);
  return code;
}

// Kernels by the names that people read, unless the command was told otherwise.
std::runtime_error readable(const std::exception& error, const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    if (const CLI::Option* mangled = command->get_option_no_throw("--mangled");
        mangled && mangled->count() > 0)
      return std::runtime_error(error.what());
  return std::runtime_error(wedjat::hooks::demangled_in(error.what()));
}

// Those of the library are the same where it has them.
int exit_code_of(WedjatStatus status) {
  switch (status) {
    case WEDJAT_NO_MEMORY:
      return wedjat::cli::refused;
    case WEDJAT_INTERRUPTED:
      return wedjat::cli::interrupted_exit_code();
    case WEDJAT_INTERNAL_ERROR:
      return wedjat::cli::broken_input;
    default:
      return static_cast<int>(status);
  }
}

// With a line on native code: its library is opened to be sure.
std::string version() {
  const std::string missing = wedjat::compile::Tier({}).missing();
  return "wedjat 0.1.0\nnative code: " + (missing.empty() ? "yes" : "no: " + missing);
}

std::string unknown_subcommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(known->get_name());
  return fmt::format("{} is no {}{} (`wedjat --help` lists them)", word,
                     word.starts_with('-') ? "option" : "subcommand",
                     wedjat::text::did_you_mean(word, names));
}

int command(int argc, char** argv) {
  using namespace wedjat;
  CLI::App app("Record a CUDA program once on a GPU; replay, inspect and verify it anywhere, bit for bit.");
  app.name("wedjat");
  app.set_version_flag("--version", version);
  app.require_subcommand(0, 1);  // with 1 an unknown one would be "required", not named
  app.footer(
      "Exit codes: 0 all well, 1 results differ from the hardware, 2 wrong arguments, 3 broken input,\n"
      "4 refused instruction, call or launch, 5 the kernel failed, 6 a tool found errors, 7 a tool died,\n"
      "8 nothing, or not all that was recorded, was compared, 130 interrupted (128 and the signal). `wedjat "
      "record` and `wedjat live` keep the program's own.");
  int exit_code = cli::all_well;
  interposer::add_record_command(app);
  live::add_live_command(app);
  cli::add_pack_command(app, exit_code);
  cli::add_replay_command(app, exit_code);
  cli::add_regress_command(app, exit_code);
  cli::add_fidelity_command(app);
  cli::add_info_command(app, exit_code);
  cli::add_run_command(app, exit_code);
  cli::add_expect_command(app, exit_code);
  cli::add_reduce_command(app, exit_code);
  cli::add_export_command(app, exit_code);
  cli::add_extract_command(app, exit_code);
  cli::add_judge_command(app, exit_code);
  cli::add_compare_command(app, exit_code);
  cli::add_fuzz_command(app, exit_code);
  cli::add_tools_command(app, exit_code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // of the recorded program
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) &&
        app.get_subcommands().empty())
      return complain(std::invalid_argument(unknown_subcommand(app, argv[1])), cli::wrong_arguments);
    std::ostringstream out, complaint;
    const int code = app.exit(error, out, complaint);
    std::fputs(complaint.str().c_str(), stderr);
    if (std::fputs(out.str().c_str(), stdout) < 0 || !cli::finish_output())
      return complain(std::runtime_error("standard output cannot be written"), cli::broken_input);
    return code == 0 ? cli::all_well : cli::wrong_arguments;
  } catch (const ptx::Error& error) {
    return complain(error, cli::broken_input);
  } catch (const traces::FormatError& error) {
    return complain(error, cli::broken_input);
  } catch (const traces::ReplayRefused& error) {
    return complain(error, cli::refused);
  } catch (const hooks::ToolFileError& error) {
    return complain(error, cli::broken_input);
  } catch (const hooks::ToolError& error) {
    return complain(error, cli::wrong_arguments);
  } catch (const cli::LibraryError& error) {
    return complain(readable(error, app), exit_code_of(error.status));
  } catch (const device::Refused& error) {
    return complain(readable(error, app), cli::refused);
  } catch (const device::Interrupted& error) {
    return complain(readable(error, app), cli::interrupted_exit_code());
  } catch (const device::Failed& error) {
    return complain(readable(error, app), cli::kernel_failed);
  } catch (const std::invalid_argument& error) {
    return complain(error, cli::wrong_arguments);
  } catch (const std::bad_alloc&) {
    return complain(std::runtime_error("this machine has not enough memory for it"), cli::refused);
  } catch (const std::exception& error) {
    return complain(error, cli::broken_input);
  }
  if (!cli::finish_output())
    return complain(std::runtime_error("standard output cannot be written"), cli::broken_input);
  // Whoever asked the command to end is told so, though it came too late to leave anything out.
  if (exit_code == cli::all_well && device::interrupted() != 0)
    return complain(std::runtime_error("interrupted behind the last launch"), cli::interrupted_exit_code());
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  wedjat::cli::guard_output();
  return wedjat::cli::told(command(argc, argv));
}
