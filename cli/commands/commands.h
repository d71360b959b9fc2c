// The subcommands of `wedjat`; each adds itself to the application and sets `exit_code` when it ran.
#pragma once

#include <CLI/CLI.hpp>

namespace wedjat::cli {

// Of `--threads`; 0: as many as there are cores.
inline const CLI::Range thread_counts{0, 1024};

void add_replay_command(CLI::App& app, int& exit_code);
void add_pack_command(CLI::App& app, int& exit_code);
void add_regress_command(CLI::App& app, int& exit_code);
void add_fidelity_command(CLI::App& app);
void add_info_command(CLI::App& app, int& exit_code);
void add_tools_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_judge_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_extract_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
void add_fuzz_command(CLI::App& app, int& exit_code);
void add_reduce_command(CLI::App& app, int& exit_code);
void add_expect_command(CLI::App& app, int& exit_code);

}  // namespace wedjat::cli
