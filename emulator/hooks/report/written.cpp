#include "emulator/hooks/report/written.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string_view>

#include "emulator/hooks/report/tool_error.h"

namespace wedjat::hooks {
namespace fs = std::filesystem;

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  if (fs::equivalent(one, other, unknown)) return true;
  // Of files that are not there yet; a name without a folder stays one unless it is made absolute.
  const auto place = [](const std::string& file) {
    std::error_code error;
    fs::path path = fs::absolute(file, error);
    for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++links)
      path = path.parent_path() / fs::read_symlink(path, error);  // to what is not there yet, either
    path = fs::weakly_canonical(path, error);
    return error ? fs::path() : path;
  };
  const fs::path first = place(one);
  return !first.empty() && first == place(other);
}

void Written::claim(const std::string& file, const std::string& whose) {
  std::error_code unknown;
  const fs::file_status there = fs::status(file, unknown);
  if (fs::exists(there) && fs::is_other(there)) return;
  for (const auto& [other, owner] : claimed_)
    if (is_same_file(file, other))
      throw ToolError(fmt::format("{}: {} is also the file of {}", whose, file, owner));
  claimed_.emplace_back(file, whose);
}

void Written::claim_of_tool(const std::string& spec) {
  std::istringstream parts(spec);
  for (std::string part; std::getline(parts, part, ',');)
    for (const std::string_view key : {"html=", "file="})
      if (part.starts_with(key) && part.size() > key.size()) claim(part.substr(key.size()), "--tool " + spec);
}

}  // namespace wedjat::hooks
