// How programs reach the compilers: linked with them, by these names, or through dlsym.
#include "interposer/keep_ptx/entries.h"

#include <dlfcn.h>

#include <cstdio>
#include <string_view>

#include "interposer/keep_ptx/compilers.h"
#include "interposer/keep_ptx/libraries.h"
#include "interposer/shim/events/export.h"

namespace wedjat::keep_ptx {
namespace {

constexpr int kNoLibrary = 11;  // NVRTC_ERROR_INTERNAL_ERROR; none of nvJitLink's results

struct Entry {
  std::string_view name;
  void* (*stand_in)(void* real);
};
constexpr Entry kEntries[] = {{"nvrtcGetCUBIN", &StandIn<&get_program_cubin>::of},
                              {"nvJitLinkCreate", &StandIn<&create_link>::of},
                              {"nvJitLinkAddData", &StandIn<&add_link_data>::of},
                              {"nvJitLinkAddFile", &StandIn<&add_link_file>::of},
                              {"nvJitLinkGetLinkedCubin", &StandIn<&get_linked_cubin>::of},
                              {"nvJitLinkDestroy", &StandIn<&destroy_link>::of}};

// "__nvJitLinkCreate_13_0", which its header makes of nvJitLinkCreate -> "nvJitLinkCreate"
std::string_view plain(std::string_view name) {
  if (name.substr(0, 2) != "__") return name;
  name.remove_prefix(2);
  return name.substr(0, name.find('_'));
}

const Entry* entry(std::string_view name) {
  for (const Entry& one : kEntries)
    if (one.name == plain(name)) return &one;
  return nullptr;
}

bool is_ours(void* function) {
  Dl_info info{}, own{};
  return ::dladdr(function, &info) && ::dladdr(reinterpret_cast<void*>(&entry), &own) &&
         info.dli_fbase == own.dli_fbase;
}

// The compiler's function behind one of ours: of the next library that all see, or of one that only some do.
void* behind(const char* stem, const char* name) {
  void* found = find_symbol(RTLD_NEXT, name);
  return found ? found : find_loaded(stem, name);
}

// What stands here for a function that the program was linked with.
template <auto Hook, class... Arguments>
int linked(const char* stem, const char* name, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto real = reinterpret_cast<Function>(behind(stem, name));
  if (real != nullptr) return Hook(real, arguments...);
  std::fprintf(stderr, "wedjat: no library that has %s is loaded\n", name);
  return kNoLibrary;
}

}  // namespace

void* watched(const char* name, void* found) {
  const Entry* const one = entry(name);
  if (found == nullptr || one == nullptr) return found;
  if (is_ours(found))
    return behind(one->name[2] == 'r' ? "libnvrtc" : "libnvJitLink", name) ? found : nullptr;
  return one->stand_in(found);
}

}  // namespace wedjat::keep_ptx

using namespace wedjat::keep_ptx;

extern "C" WEDJAT_EXPORT int nvrtcGetCUBIN(void* program, char* cubin) {
  return linked<&get_program_cubin>("libnvrtc", "nvrtcGetCUBIN", program, cubin);
}

// Its header gives every name the version of the toolkit.
#define LINKER(prefix, suffix)                                                                            \
  extern "C" WEDJAT_EXPORT int prefix##nvJitLinkCreate##suffix(void** link, std::uint32_t count,          \
                                                               const char** options) {                    \
    return linked<&create_link>("libnvJitLink", #prefix "nvJitLinkCreate" #suffix, link, count, options); \
  }                                                                                                       \
  extern "C" WEDJAT_EXPORT int prefix##nvJitLinkAddData##suffix(void* link, int type, const void* data,   \
                                                                std::size_t size, const char* name) {     \
    return linked<&add_link_data>("libnvJitLink", #prefix "nvJitLinkAddData" #suffix, link, type, data,   \
                                  size, name);                                                            \
  }                                                                                                       \
  extern "C" WEDJAT_EXPORT int prefix##nvJitLinkAddFile##suffix(void* link, int type, const char* path) { \
    return linked<&add_link_file>("libnvJitLink", #prefix "nvJitLinkAddFile" #suffix, link, type, path);  \
  }                                                                                                       \
  extern "C" WEDJAT_EXPORT int prefix##nvJitLinkGetLinkedCubin##suffix(void* link, void* cubin) {         \
    return linked<&get_linked_cubin>("libnvJitLink", #prefix "nvJitLinkGetLinkedCubin" #suffix, link,     \
                                     cubin);                                                              \
  }                                                                                                       \
  extern "C" WEDJAT_EXPORT int prefix##nvJitLinkDestroy##suffix(void** link) {                            \
    return linked<&destroy_link>("libnvJitLink", #prefix "nvJitLinkDestroy" #suffix, link);               \
  }
LINKER(, )
LINKER(__, _12_0)
LINKER(__, _12_1)
LINKER(__, _12_2)
LINKER(__, _12_3)
LINKER(__, _12_4)
LINKER(__, _12_5)
LINKER(__, _12_6)
LINKER(__, _12_8)
LINKER(__, _12_9)
LINKER(__, _13_0)
LINKER(__, _13_1)
LINKER(__, _13_2)
LINKER(__, _13_3)
LINKER(__, _13_4)
#undef LINKER
