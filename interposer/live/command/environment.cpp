#include "interposer/live/command/environment.h"

#include <cstdlib>
#include <stdexcept>

#include "interposer/record/installation.h"

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

std::map<std::string, std::string> environment_of(const Installation& installation, const Options& options,
                                                  bool keeps_ptx) {
  const std::filesystem::path folder = installation.driver.parent_path();
  std::map<std::string, std::string> all = {
      {"LD_LIBRARY_PATH", before_others(folder.string(), "LD_LIBRARY_PATH")},
      {"WEDJAT_INSTALLATION", installation.root.string()},
      {options_variable, as_text(options)}};
  std::string preload;
  for (const char* runtime : {"libcudart.so.13", "libcudart.so.12"})
    if (std::filesystem::exists(folder / runtime))
      preload += (preload.empty() ? "" : ":") + (folder / runtime).string();
  preload = before_others(preload, "LD_PRELOAD");
  if (!keeps_ptx) {
    all["LD_PRELOAD"] = preload;
    return all;
  }
  // The library there asks the driver for a function of its own, so the driver is loaded with it.
  auto others = interposer::keeping_ptx(installation.root);
  all["LD_PRELOAD"] =
      installation.driver.string() + ":" + others.extract("LD_PRELOAD").mapped() + ":" + preload;
  all.merge(others);
  return all;
}

}  // namespace wedjat::live
