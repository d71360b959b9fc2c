#include "interposer/keep_ptx/libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace wedjat::keep_ptx {
namespace {

// By the versions it has had: one of them is this machine's.
FindSymbol look_for_dlsym() {
  for (const char* version : {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"})
    if (void* found = ::dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<FindSymbol>(found);
  std::fprintf(stderr, "wedjat: the C library has no dlsym\n");
  std::abort();
}

struct Search {
  std::string beginning;  // of the file's name
  std::string path;
};

int look(dl_phdr_info* object, std::size_t, void* search_address) {
  auto& search = *static_cast<Search*>(search_address);
  const char* slash = std::strrchr(object->dlpi_name, '/');
  const char* file = slash ? slash + 1 : object->dlpi_name;
  if (std::strncmp(file, search.beginning.c_str(), search.beginning.size()) != 0) return 0;
  search.path = object->dlpi_name;
  return 1;
}

}  // namespace

FindSymbol c_library_dlsym() {
  static const FindSymbol found = look_for_dlsym();
  return found;
}

void* find_symbol(void* library, const char* name) { return c_library_dlsym()(library, name); }

Library::Library(void* function) : handle_(nullptr) {
  Dl_info info{};
  if (::dladdr(function, &info) && info.dli_fname)
    handle_ = ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

Library::~Library() {
  if (handle_) ::dlclose(handle_);
}

void* find_loaded(const char* stem, const char* name) {
  Search search{std::string(stem) + ".so", ""};
  ::dl_iterate_phdr(look, &search);
  if (search.path.empty()) return nullptr;
  void* library = ::dlopen(search.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* found = find_symbol(library, name);
  ::dlclose(library);
  return found;
}

}  // namespace wedjat::keep_ptx
