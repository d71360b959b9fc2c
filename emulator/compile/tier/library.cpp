#include "emulator/compile/tier/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/exec/access/learn_memory.h"
#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/warp/plain_barrier.h"
#include "emulator/installation/installation.h"
#include "utilities/include/wedjat/expected.hpp"

namespace wedjat::compile {

namespace {

constexpr const char* library_name = "libwedjat-compile.so";

#define WEDJAT_TEXT(name) #name
#define WEDJAT_TEXT_OF(name) WEDJAT_TEXT(name)
// Its name ends in what the headers are that both sides were made from.
constexpr const char* make_compiler_name = WEDJAT_TEXT_OF(WEDJAT_MAKE_COMPILER);

// What all tiers of the process share. Never destroyed: a thread may still wait for it when the process ends.
struct Shared {
  std::mutex making;  ///< held while the compiler works
  bool over = false;
  std::vector<std::unique_ptr<RegionCompiler>> compilers;
};

Shared& shared() {
  static Shared* const all = new Shared;
  return *all;
}

// Before what the library's own end destroys: no code is being made then, and none will be.
void end_making() {
  const std::lock_guard lock(shared().making);
  shared().over = true;
}

}  // namespace

std::filesystem::path Library::path() {
  auto library = installation() / "lib" / "wedjat" / library_name;
  return std::filesystem::exists(library) ? library : std::filesystem::path();
}

const HostCalls& Library::host() {
  static constexpr HostCalls calls{.note_range = exec::note_range,
                                   .begin_run = exec::begin_run,
                                   .learn_memory = exec::learn_memory,
                                   .find_words = exec::find_words,
                                   .find_plane = exec::find_plane,
                                   .pass_rounds = Expectation::pass_rounds,
                                   .traits_of = kernel::traits_of,
                                   .plain_barrier = exec::plain_barrier};
  return calls;
}

std::optional<Image> Library::compile(const Request& request, const Liveness& liveness, double& seconds) {
  const std::lock_guard lock(shared().making);
  if (shared().over) return std::nullopt;
  if (!tried_) open();
  if (compiler_ == nullptr) return std::nullopt;
  const auto began = std::chrono::steady_clock::now();
  std::optional<Image> code = compiler_->compile(request, liveness);
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return code;
}

std::string Library::why() {
  const std::lock_guard lock(shared().making);
  if (!tried_) open();
  return why_;
}

void Library::open() {
  tried_ = true;
  const std::filesystem::path file = path();
  if (file.empty()) {
    why_ = fmt::format("{} is not beside this program", library_name);
    return;
  }
  // It stays: code that it made does too.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why_ = ::dlerror();
    return;
  }
  auto* const make = reinterpret_cast<MakeCompiler*>(::dlsym(library, make_compiler_name));
  if (make == nullptr) {
    why_ = file.string() + " is of another build than this program";
    return;
  }
  static const int registered = std::atexit(end_making);
  (void)registered;
  shared().compilers.emplace_back(make(features_, lane_names(), why_));
  compiler_ = shared().compilers.back().get();
}

}  // namespace wedjat::compile
