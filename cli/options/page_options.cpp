#include "cli/options/page_options.h"

#include <filesystem>
#include <fstream>

#include "emulator/hooks/report/names.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

namespace fs = std::filesystem;

// A file named in a recording is looked for below the user's folder, by its name or by the end of its path:
// nothing else of this machine gets into a page.
fs::path find_source(const fs::path& folder, const fs::path& recorded) {
  fs::path tail;
  fs::path found;
  for (fs::path rest = recorded.lexically_normal(); rest.has_filename(); rest = rest.parent_path()) {
    if (rest.filename() == "..") break;
    tail = tail.empty() ? rest.filename() : rest.filename() / tail;
    std::error_code error;
    if (fs::is_regular_file(folder / tail, error)) found = folder / tail;
  }
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

void PageOptions::add_to(CLI::App& command) {
  CLI::Option* const page = command.add_option(
      "--html", file, "write a page of the results and of what each tool found to this file");
  command.add_option("--sources", sources, "folder of the program's source files, shown on that page")
      ->check(CLI::ExistingDirectory)
      ->needs(page);
  command.add_flag("--mangled", mangled, "show kernels by the names that the linker knows");
}

std::string PageOptions::names(const std::vector<std::string>& kernels) const {
  std::string text;
  for (const std::string& kernel : kernels) text += (text.empty() ? "" : ", ") + name(kernel);
  return text.empty() ? "-" : text;
}

std::string PageOptions::name(const std::string& kernel) const {
  return mangled ? kernel : hooks::demangled(kernel);
}

void PageOptions::write(hooks::Page page) const {
  for (const hooks::Listing& kernel : page.kernels)
    for (const hooks::Listing::Line& line : kernel.lines) {
      if (sources.empty() || line.source_file.empty() || page.sources.contains(line.source_file)) continue;
      const fs::path found = find_source(sources, line.source_file);
      page.sources[line.source_file] = found.empty() ? std::vector<std::string>() : lines_of(found);
    }
  traces::write_file(file, hooks::to_html(page));
}

}  // namespace wedjat::cli
