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

std::map<std::string, std::string> environment_of(const Installation& installation, const Options& options) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  return {{"LD_LIBRARY_PATH",
           installation.driver.parent_path().string() + (before && *before ? std::string(":") + before : "")},
          {"WEDJAT_INSTALLATION", installation.root.string()},
          {options_variable, as_text(options)}};
}

}  // namespace wedjat::live
