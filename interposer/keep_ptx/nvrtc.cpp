// NVRTC makes PTX first, whatever it is asked for, and still has it when the program fetches the machine code
// (seen with 13.0).
#include <cstdio>
#include <vector>

#include "interposer/keep_ptx/compilers.h"
#include "interposer/keep_ptx/libraries.h"
#include "interposer/shim/calls/made_of.h"

namespace wedjat::keep_ptx {

int get_program_cubin(GetProgramCubin* real, void* program, char* cubin) {
  const int result = real(program, cubin);
  if (result != 0 || wedjat_made_of == nullptr) return result;
  const Library nvrtc(reinterpret_cast<void*>(real));
  using GetSize = int(void*, std::size_t*);
  auto* const cubin_size = nvrtc.find<GetSize>("nvrtcGetCUBINSize");
  auto* const ptx_size = nvrtc.find<GetSize>("nvrtcGetPTXSize");
  auto* const get_ptx = nvrtc.find<int(void*, char*)>("nvrtcGetPTX");
  std::size_t made = 0, kept = 0;
  const bool known = cubin_size && ptx_size && get_ptx && cubin_size(program, &made) == 0 &&
                     ptx_size(program, &kept) == 0 && kept > 1;
  std::vector<char> ptx(kept);
  if (!known || get_ptx(program, ptx.data()) != 0) {
    std::fprintf(stderr, "wedjat: NVRTC gave machine code, but no PTX for it: replay will lack it\n");
    return result;
  }
  const wedjat_part part{ptx.data(), ptx.size(), "nvrtcGetPTX"};
  wedjat_made_of(cubin, made, &part, 1, 0);
  return result;
}

}  // namespace wedjat::keep_ptx
