// The recorder alone, for machines that have a GPU and nothing else: `wedjat record` without emulator and
// readers.
#include <CLI/CLI.hpp>

#include "interposer/record/record.h"

int main(int argc, char** argv) {
  CLI::App app("Wedjat's recorder");
  app.set_version_flag("--version", WEDJAT_VERSION);
  app.require_subcommand(1);
  wedjat::interposer::add_record_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // of the recorded program
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // as of `wedjat record`
  }
  return 0;
}
