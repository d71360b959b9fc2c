#include "emulator/hooks/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "emulator/hooks/session.h"

namespace wedjat::hooks {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  std::vector<fs::path> all;
  if (const char* path = std::getenv("WEDJAT_TOOL_PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');)
      if (!part.empty()) all.emplace_back(part);
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  all.push_back(self.parent_path().parent_path() / "lib" / "wedjat" / "tools");
  return all;
}

}  // namespace

std::string find_library(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!fs::exists(name)) throw ToolError(fmt::format("tool {}: there is no such file", name));
    return fs::absolute(name);
  }
  std::vector<std::string> looked;
  for (const fs::path& folder : folders()) {
    for (const char* suffix : {".so", ".py"})
      if (const fs::path file = folder / (name + suffix); fs::exists(file)) return file;
    looked.push_back(folder);
  }
  throw ToolError(fmt::format("no tool '{}' in {} (`wedjat tools` lists them; a path needs a '/')", name,
                              fmt::join(looked, ", ")));
}

std::vector<std::string> all_libraries() {
  std::vector<std::string> all;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".so") all.push_back(entry.path());
  }
  std::ranges::sort(all, {}, [](const std::string& path) { return fs::path(path).filename(); });
  return all;
}

const wedjat_tool& open_library(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw ToolError(fmt::format("tool {}: {}", path, dlerror()));
  const auto entry = reinterpret_cast<const wedjat_tool* (*)()>(dlsym(library, "wedjat_tool_entry"));
  if (entry == nullptr) throw ToolError(fmt::format("tool {}: it exports no wedjat_tool_entry", path));
  const wedjat_tool* tool = entry();
  if (tool == nullptr || tool->size < sizeof(wedjat_tool) || tool->create == nullptr || tool->name == nullptr)
    throw ToolError(fmt::format("tool {}: wedjat_tool_entry gives no tool", path));
  if (tool->abi != WEDJAT_ABI)
    throw ToolError(fmt::format("tool {}: it was built for ABI {}, this is {}", path, tool->abi, WEDJAT_ABI));
  return *tool;
}

void check_options(const wedjat_tool& tool, const std::map<std::string, std::string>& options) {
  std::istringstream words(std::string(tool.options ? tool.options : ""));
  std::vector<std::string> known;
  for (std::string part; std::getline(words, part, ';');) {
    part.erase(0, part.find_first_not_of(' '));
    known.push_back(part.substr(0, part.find('=')));
  }
  for (const auto& [key, value] : options)
    if (std::ranges::find(known, key) == known.end())
      throw ToolError(fmt::format("tool {}: no option '{}'; it has: {}", tool.name, key,
                                  known.empty() ? "none" : tool.options));
}

}  // namespace wedjat::hooks
