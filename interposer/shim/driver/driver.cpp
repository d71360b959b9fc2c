#include "interposer/shim/driver/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "interposer/shim/driver/entry_table.h"

namespace wedjat::interposer {
namespace {

constexpr const char* kSoname = "libcuda.so.1";

std::string canonical(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) ? resolved : "";
}

std::string own_path() {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<void*>(&driver_entry), &info) && info.dli_fname ? canonical(info.dli_fname)
                                                                                   : "";
}

// The folders the dynamic linker would look into; asking it for libcuda.so.1 itself would give us ourselves.
std::vector<std::string> search_folders() {
  std::vector<std::string> folders;
  void* self = ::dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (self && ::dlinfo(self, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<char> buffer(size.dls_size);
    auto* info = reinterpret_cast<Dl_serinfo*>(buffer.data());
    info->dls_size = size.dls_size;
    info->dls_cnt = size.dls_cnt;
    if (::dlinfo(self, RTLD_DI_SERINFO, info) == 0) {
      for (unsigned i = 0; i < info->dls_cnt; ++i) folders.emplace_back(info->dls_serpath[i].dls_name);
    }
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu",
                             "/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/local/cuda/compat"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

void* open_driver() {
  // DEEPBIND: the driver's references to its own functions must not come back to our wrappers.
  constexpr int kMode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
  if (const char* named = std::getenv("WEDJAT_LIBCUDA")) {
    if (void* driver = ::dlopen(named, kMode)) return driver;
    std::fprintf(stderr, "wedjat: WEDJAT_LIBCUDA=%s cannot be loaded: %s\n", named, ::dlerror());
    return nullptr;
  }
  const std::string self = own_path();
  for (const std::string& folder : search_folders()) {
    const std::string path = canonical(folder + "/" + kSoname);
    if (path.empty() || path == self) continue;
    if (void* driver = ::dlopen(path.c_str(), kMode)) return driver;
  }
  std::fprintf(stderr, "wedjat: no CUDA driver (%s) was found; set WEDJAT_LIBCUDA to its path\n", kSoname);
  return nullptr;
}

void* driver_library() {
  static void* const driver = open_driver();
  return driver;
}

// Marks a function that was looked up and is not there.
char absent;

std::atomic<void*> slots[kEntries];

}  // namespace

void* driver_entry(Entry entry) {
  std::atomic<void*>& slot = slots[static_cast<int>(entry)];
  void* address = slot.load(std::memory_order_acquire);
  if (address == nullptr) {
    void* driver = driver_library();
    address = driver ? ::dlsym(driver, kEntryTable[static_cast<int>(entry)].name) : nullptr;
    if (address == nullptr) address = &absent;
    slot.store(address, std::memory_order_release);
  }
  return address == &absent ? nullptr : address;
}

void* driver_function(const char* name) {
  void* const driver = driver_library();
  return driver == nullptr ? nullptr : ::dlsym(driver, name);
}

}  // namespace wedjat::interposer
