// semcc: the compiler of the semantics language.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "semcc/cli/commands.h"
#include "semcc/cli/files.h"

int main(int argc, char** argv) {
  using namespace semcc::cli;
  CLI::App app("Checks the semantics of PTX instructions and turns them into C++ and documentation.",
               "semcc");
  app.footer(
      "A folder stands for all .psem files below it.\n"
      "Exit status: 0 success, 1 errors in the semantics files or an undefined result, 2 wrong usage or "
      "unreadable files.");
  app.require_subcommand(1);
  app.fallthrough();

  std::vector<std::string> paths;
  CLI::App* check_app = app.add_subcommand("check", "Report every error in semantics files.");
  check_app->add_option("FILES", paths, "semantics files or folders")->required();

  Emit request;
  CLI::App* emit_app = app.add_subcommand(
      "emit", "Generate files from semantics files; files that would not change are left alone.");
  emit_app
      ->add_option("KIND", request.kinds,
                   "executors: C++ that runs each form for 32 lanes; forms: C++ table for the decoder; "
                   "lanes: C++ of what each form computes for one lane; registers: C++ of the "
                   "special registers; limits: C++ of what the device can; manual: HTML; smt: SMT-LIB "
                   "of claims and functions; tests: cases as text, with the results of the judge. Several, "
                   "with commas between them, are made at once, each in a folder of its name")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(
          CLI::IsMember({"executors", "forms", "lanes", "limits", "manual", "registers", "smt", "tests"}));
  emit_app->add_option("-o,--output", request.output, "folder to write to")->required()->type_name("DIR");
  emit_app
      ->add_option("--depfile", request.depfile,
                   "also write what the output was made from, for make or ninja")
      ->type_name("FILE");
  emit_app->add_option("--evidence", request.evidence, "for the manual: what `wedjat fidelity --table` wrote")
      ->type_name("FILE");
  emit_app
      ->add_option("--times", request.times,
                   "for the manual: what forms take in time, the table of a profile")
      ->type_name("FILE");
  emit_app
      ->add_option("--probes", request.probes,
                   "for the manual: what probes say of time, the table of a profile")
      ->type_name("FILE");
  emit_app
      ->add_option("--times-beside", request.times_beside,
                   "for the manual: what forms take on one other device, a table of the same columns")
      ->type_name("FILE");
  emit_app
      ->add_option("--probes-beside", request.probes_beside,
                   "for the manual: what probes say of the other device, a table of the same columns")
      ->type_name("FILE");
  emit_app->add_option("FILES", request.paths, "semantics files or folders")->required();

  std::string instruction, semantics = "semantics";
  CLI::App* eval_app =
      app.add_subcommand("eval", "Compute one instruction exactly: semcc eval \"add.sat.s32 0x7fffffff, 1\"");
  eval_app->add_option("INSTRUCTION", instruction, "form and input operands")->required();
  eval_app->add_option("--semantics", semantics, "semantics file or folder")
      ->capture_default_str()
      ->type_name("DIR");

  bool summary = false;
  CLI::App* print_app = app.add_subcommand("print", "Print every form after expansion and checking.");
  print_app->add_flag("--forms", summary,
                      "one line for each way to write a form: text, operands, since, hints (tab separated; d "
                      "destination, s source)");
  print_app->add_option("FILES", paths, "semantics files or folders")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  try {
    if (*check_app) return check(paths);
    if (*emit_app) return emit(request);
    if (*eval_app) return eval(instruction, semantics);
    return print(paths, summary);
  } catch (const FileError& error) {
    fmt::print(stderr, "semcc: {}\n", error.what());
    return exit_status::usage;
  }
}
