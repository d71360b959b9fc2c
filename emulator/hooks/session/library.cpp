#include "emulator/hooks/session/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "emulator/hooks/session/session.h"
#include "emulator/hooks/session/witness.h"
#include "emulator/installation/installation.h"
#include "emulator/text/near_miss.h"

namespace wedjat::hooks {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() { return installation() / "lib" / "wedjat" / "tools"; }

std::vector<std::string> folders() {
  std::vector<std::string> all;
  if (const char* path = std::getenv("WEDJAT_TOOL_PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');)
      if (!part.empty()) all.emplace_back(part);
  }
  all.push_back(own_folder());
  return all;
}

}  // namespace

bool is_python(const std::string& library) { return library.ends_with(".py"); }

std::string find_library(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    const fs::file_status found = fs::status(name, error);
    if (!fs::exists(found)) throw ToolError(fmt::format("tool {}: there is no such file", name));
    // A pipe might never answer.
    if (!fs::is_regular_file(found)) throw ToolError(fmt::format("tool {}: it is no regular file", name));
    return fs::absolute(name);
  }
  std::vector<std::string> names;
  for (const std::string& path : all_libraries()) {
    names.push_back(fs::path(path).stem());
    if (names.back() == name) return path;
  }
  throw ToolError(fmt::format("no tool '{}' in {}{} (`wedjat tools` lists them; a path needs a '/')", name,
                              fmt::join(folders(), ", "), text::did_you_mean(name, names)));
}

std::vector<std::string> all_libraries() {
  std::map<std::string, fs::path> all;  // by name
  std::set<fs::path> looked;
  for (const fs::path folder : folders()) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error && folder != own_folder())
      throw ToolError(
          fmt::format("$WEDJAT_TOOL_PATH: {} cannot be read: {}", folder.string(), error.message()));
    if (error || !looked.insert(real).second) continue;
    for (const auto& entry : fs::directory_iterator(real, error)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".so" && path.extension() != ".py") continue;
      if (std::error_code gone; !entry.is_regular_file(gone)) continue;
      const auto [other, fresh] = all.emplace(path.stem(), path);
      if (!fresh)
        throw ToolError(
            fmt::format("tool {}: there are two, {} and {}; rename one in $WEDJAT_TOOL_PATH, or "
                        "give its path instead",
                        path.stem().string(), other->second.string(), path.string()));
    }
  }
  std::vector<std::string> paths;
  paths.reserve(all.size());
  for (const auto& [name, path] : all) paths.push_back(path);
  return paths;
}

std::string summary_of_python(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (const std::string_view quotes : {"\"\"\"", "'''", "\"", "'"}) {
      if (!line.starts_with(quotes)) continue;
      if (line == quotes && !std::getline(in, line)) return {};
      if (line.starts_with(quotes)) line.erase(0, quotes.size());
      return line.substr(0, line.find(quotes));
    }
    break;
  }
  return {};
}

const wedjat_tool& open_library(const std::string& path) {
  // What it does while it is loaded is its own doing.
  const InsideTool inside(Witness::here().enroll(fs::path(path).stem().string()));
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

std::shared_ptr<const std::string> bitcode_beside(const std::string& library) {
  const fs::path file = fs::path(library).replace_extension(".bc");
  if (!fs::exists(file)) return nullptr;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || bytes.str().empty())
    throw ToolError(fmt::format("tool {}: {} cannot be read", library, file.string()));
  return std::make_shared<const std::string>(bytes.str());
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
      throw ToolError(fmt::format(
          "tool {}: no option '{}'; it has: {}{}", tool.name, key, known.empty() ? "none" : tool.options,
          key == "timeout" || key == "pressure" ? " (that one goes with isolated)" : ""));
}

}  // namespace wedjat::hooks
