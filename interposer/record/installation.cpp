#include "interposer/record/installation.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace wedjat::interposer {
namespace {
namespace fs = std::filesystem;

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    folder.append("/").append(program);
    if (::access(folder.c_str(), X_OK) == 0) return true;
  }
  return false;
}

void use_bundle(const fs::path& bundle, Installation& found) {
  found.sessiond = bundle / "bin/lttng-sessiond";
  found.lttng = bundle / "bin/lttng";
  found.consumerd = bundle / "libexec/lttng-consumerd";
  // Named twice: sessiond puts the folder it was built for in front of LD_LIBRARY_PATH when it starts the
  // consumer.
  found.libraries = bundle / "lib";
  found.tools["LD_LIBRARY_PATH"] = found.libraries;
  // With a slash at its end: LTTng appends the file's name to it.
  found.tools["LTTNG_SESSION_CONFIG_XSD_PATH"] = (bundle / "xml").string() + "/";
}

void use_system(Installation& found) {
  found.sessiond = "lttng-sessiond";
  found.lttng = "lttng";
  for (const std::string& program : {found.sessiond, found.lttng}) {
    if (!on_path(program)) {
      throw std::runtime_error(
          program + " was not found: install lttng-tools, or use the bundle (interposer/README.md)");
    }
  }
}

}  // namespace

Installation find_installation(fs::path root) {
  if (root.empty()) root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  Installation found;
  found.recorder = root / "lib/wedjat/libwedjat_record.so";
  found.root = root;
  if (!fs::exists(found.recorder))
    throw std::runtime_error("the recorder library is missing: " + found.recorder.string() +
                             " (`cmake --build` without a target makes it)");
  if (fs::exists(root / "lttng/bin/lttng-sessiond")) {
    use_bundle(root / "lttng", found);
  } else {
    use_system(found);
  }
  found.tools["LD_PRELOAD"] = root / "lib/wedjat/libwedjat_private_lttng.so";
  return found;
}

Environment keeping_ptx(const fs::path& root) {
  const fs::path ptxas = root / "lib/wedjat/keep_ptx/bin/ptxas",
                 library = root / "lib/wedjat/libwedjat_keep_ptx.so";
  for (const fs::path& needed : {ptxas, library})
    if (!fs::exists(needed))
      throw std::runtime_error("it is missing: " + needed.string() +
                               " (`cmake --build` without a target makes it)");
  return {{"LD_PRELOAD", library.string()},         {"TRITON_PTXAS_PATH", ptxas.string()},
          {"TRITON_ALWAYS_COMPILE", "1"},           {"TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1"},
          {"USE_PYTORCH_KERNEL_CACHE", "0"},        {"CUPY_CACHE_IN_MEMORY", "1"},
          {"JAX_ENABLE_COMPILATION_CACHE", "false"}};
}

}  // namespace wedjat::interposer
