#include "interposer/live/command/environment.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "interposer/live/state/options.h"

namespace wedjat::live {

std::map<std::string, std::string> environment_of(const LiveOptions& options) {
  namespace fs = std::filesystem;
  const fs::path root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path folder = root / "lib/wedjat/live";
  if (!fs::exists(folder / "libcuda.so.1"))
    throw std::runtime_error("the driver is missing: " + (folder / "libcuda.so.1").string());
  const char* before = std::getenv("LD_LIBRARY_PATH");
  std::map<std::string, std::string> environment{
      {"LD_LIBRARY_PATH", folder.string() + (before && *before ? std::string(":") + before : "")}};
  if (options.strict) environment[strict_variable] = "1";
  if (options.threads != 0) environment[threads_variable] = std::to_string(options.threads);
  return environment;
}

}  // namespace wedjat::live
