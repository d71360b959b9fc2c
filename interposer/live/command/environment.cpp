#include "interposer/live/command/environment.h"

#include <cstdlib>
#include <stdexcept>

namespace wedjat::live {

Installation find_installation() {
  namespace fs = std::filesystem;
  const fs::path root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path library = root / "lib/wedjat/live/libcuda.so.1";
  if (!fs::exists(library))
    throw std::runtime_error("the driver is missing: " + library.string() +
                             " (`cmake --build` without a target makes it)");
  return {root, library};
}

namespace {

// Before what a list of the environment has.
std::string before_others(const std::string& first, const char* variable) {
  const char* const others = std::getenv(variable);
  return first + (others && *others ? std::string(":") + others : "");
}

}  // namespace

std::map<std::string, std::string> environment_of(const Installation& installation, const Options& options) {
  const std::filesystem::path folder = installation.driver.parent_path();
  std::map<std::string, std::string> all = {
      {"LD_LIBRARY_PATH", before_others(folder.string(), "LD_LIBRARY_PATH")},
      {"WEDJAT_INSTALLATION", installation.root.string()},
      {options_variable, as_text(options)}};
  if (const auto runtime = folder / "libcudart.so.13"; std::filesystem::exists(runtime))
    all["LD_PRELOAD"] = before_others(runtime.string(), "LD_PRELOAD");
  return all;
}

}  // namespace wedjat::live
