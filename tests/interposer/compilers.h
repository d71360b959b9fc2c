// How programs reach the compilers of tests/interposer/fake_compilers: linked, by either name, or opened.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
int nvrtcGetCUBINSize(const char* program, std::size_t* size);
int nvrtcGetCUBIN(const char* program, char* cubin);
int __nvJitLinkCreate_13_0(void** link, unsigned count, const char** options);
int __nvJitLinkAddData_13_0(void* link, int type, const char* data, std::size_t size, const char* name);
int __nvJitLinkGetLinkedCubin_13_0(void* link, void* cubin);
int __nvJitLinkDestroy_13_0(void** link);
}

inline void compiled(int result) {
  if (result != 0) std::exit(96);
}

inline std::vector<char> by_linked_nvrtc(const std::string& text) {
  std::size_t size = 0;
  compiled(nvrtcGetCUBINSize(text.c_str(), &size));
  std::vector<char> code(size);
  compiled(nvrtcGetCUBIN(text.c_str(), code.data()));
  return code;
}

inline std::vector<char> by_opened_nvrtc(const std::string& text, const char* library) {
  void* const nvrtc = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  const auto get =
      nvrtc ? reinterpret_cast<int (*)(const char*, char*)>(dlsym(nvrtc, "nvrtcGetCUBIN")) : nullptr;
  if (get == nullptr) std::exit(95);
  std::vector<char> code(64);
  compiled(get(text.c_str(), code.data()));
  return code;
}

// The text as PTX, or compiled at link time, and perhaps an archive beside it; at most 32 registers a thread.
inline std::vector<char> by_linker(std::string text, bool lto, bool archive) {
  const char* options[] = {"-arch=sm_90", "-maxrregcount=32", "-lto"};
  void* link = nullptr;
  compiled(__nvJitLinkCreate_13_0(&link, lto ? 3 : 2, options));
  if (lto)
    for (char& one : text) one = static_cast<char>(~one);
  compiled(__nvJitLinkAddData_13_0(link, lto ? 3 : 2, text.data(), text.size(), "part"));
  if (archive) compiled(__nvJitLinkAddData_13_0(link, 6, "!<arch>\n", 8, "archive"));
  std::vector<char> code(64);
  compiled(__nvJitLinkGetLinkedCubin_13_0(link, code.data()));
  compiled(__nvJitLinkDestroy_13_0(&link));
  return code;
}
