// Programs that open a compiler's library ask dlsym for its functions. Declared here alone: what the C
// library's header says of it forbids the tail call.
#include <cstring>

#include "interposer/keep_ptx/entries.h"
#include "interposer/keep_ptx/libraries.h"
#include "interposer/shim/events/export.h"

namespace {

bool begins(const char* name, const char* with) { return std::strncmp(name, with, std::strlen(with)) == 0; }

}  // namespace

// The C library looks who calls when it is asked for the next symbol of a name: what is not ours to watch
// goes there as if we were not between.
extern "C" WEDJAT_EXPORT void* dlsym(void* library, const char* name) {
  using namespace wedjat::keep_ptx;
  if (begins(name, "nvrtcGetCUBIN") || begins(name, "nvJitLink") || begins(name, "__nvJitLink"))
    return watched(name, find_symbol(library, name));
  [[clang::musttail]] return c_library_dlsym()(library, name);
}
