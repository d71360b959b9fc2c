// The subcommands of `wedjat`; each adds itself to the application and sets `exit_code` when it ran.
#pragma once

#include <CLI/CLI.hpp>

namespace wedjat::cli {

void add_replay_command(CLI::App& app, int& exit_code);
void add_pack_command(CLI::App& app, int& exit_code);
void add_regress_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);

}  // namespace wedjat::cli
