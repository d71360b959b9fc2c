// The recorder alone, for machines that have a GPU and nothing else: `wedjat record` without emulator and
// readers.
#include <CLI/CLI.hpp>

#include "interposer/record/record.h"

int main(int argc, char** argv) {
  CLI::App app("Wedjat's recorder");
  app.set_version_flag("--version", WEDJAT_VERSION);
  app.require_subcommand(1);
  wedjat::interposer::add_record_command(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
