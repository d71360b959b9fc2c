// wedjat pack TRACE
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/format/manifest.h"
#include "traces/read/archive.h"

namespace wedjat::cli {

void add_pack_command(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("pack", "Make one small file of a trace folder; replay and info take either");
  command->add_option("trace", *folder, "folder written by wedjat record")->required();
  command->add_option("-o,--output", *file, "the file (default: the folder's name with .tar.zst)");
  command->callback([folder, file, &exit_code] {
    std::filesystem::path from = std::filesystem::path(*folder).lexically_normal();
    if (!from.has_filename()) from = from.parent_path();
    const std::filesystem::path to =
        file->empty() ? std::filesystem::path(from.string() + ".tar.zst") : std::filesystem::path(*file);
    traces::read_manifest(from);  // refuses what is no trace
    for (const std::string& name : traces::pack_trace(from, to))
      fmt::print(stderr, "note: {} is no part of a trace, and was left out\n", (from / name).string());
    fmt::print("{}: {} bytes\n", to.string(), grouped(std::filesystem::file_size(to)));
    exit_code = all_well;
  });
}

}  // namespace wedjat::cli
