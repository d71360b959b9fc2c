#include "semcc/cli/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace semcc::cli {
namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& path, const std::string& text) {
  std::ifstream in(path, std::ios::binary);
  return in && std::string(std::istreambuf_iterator<char>(in), {}) == text;
}

void write_file(const fs::path& path, const std::string& text) {
  if (holds(path, text)) return;
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw FileError(fmt::format("cannot write {}", path.string()));
}

// Make's syntax has no quotes: spaces and dollars are escaped.
std::string escaped(const std::string& path) {
  std::string out;
  for (char c : fs::absolute(path).lexically_normal().string()) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<std::string> semantics_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error)) throw FileError(fmt::format("no such file or folder: {}", path));
      files.push_back(path);
      continue;
    }
    std::vector<std::string> below;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() && entry.path().extension() == ".psem")
        below.push_back(entry.path().lexically_normal().string());
    if (below.empty()) throw FileError(fmt::format("no .psem file below {}", path));
    std::sort(below.begin(), below.end());
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

emit::Kernels example_kernels(const std::vector<std::string>& semantics_files) {
  std::set<fs::path> folders;
  for (const std::string& file : semantics_files) folders.insert(fs::path(file).parent_path() / "examples");
  emit::Kernels kernels;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".ptx") continue;
      const std::string path = entry.path().lexically_normal().string();
      std::ifstream in(path, std::ios::binary);
      emit::Kernel kernel{path, {std::istreambuf_iterator<char>(in), {}}};
      if (!in) throw FileError(fmt::format("cannot read {}", path));
      if (!kernels.emplace(entry.path().stem().string(), std::move(kernel)).second)
        throw FileError(fmt::format("{}: there is another example of that name", path));
    }
  }
  return kernels;
}

void write_files(const std::string& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files) write_file(fs::path(folder) / name, text);
}

void write_depfile(const std::string& path, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& output : outputs) text += escaped(output) + " ";
  text += ":";
  for (const std::string& input : inputs) text += " \\\n  " + escaped(input);
  write_file(path, text + "\n");
}

}  // namespace semcc::cli
