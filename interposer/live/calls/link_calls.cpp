// The driver's linker: PTX goes in, and a container that keeps it comes out (interposer/images/linked.h).
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "interposer/images/libraries.h"
#include "interposer/live/state/perform.h"
#include "interposer/live/work/modules.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUlinkState_st& state_at(CUlinkState handle) { return driver().links.at(handle, CUDA_ERROR_INVALID_HANDLE); }

void add(CUlinkState_st& state, CUjitInputType type, std::vector<std::byte> bytes, const char* name) {
  require(!state.completed && !bytes.empty());
  if (type == CU_JIT_INPUT_NVVM)
    fail(CUDA_ERROR_NOT_SUPPORTED, "NVVM's intermediate code is not linked here, only PTX and what holds it");
  std::vector<interposer::LinkedPart> parts;
  if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY)
    parts = interposer::code_of_library(name ? name : "", bytes);
  else
    parts.push_back({name ? name : "", std::move(bytes)});
  for (interposer::LinkedPart& part : parts) {
    code_of_bytes(name ? name : "linked", part.bytes, {});  // refuses what has no PTX
    state.parts.push_back(std::move(part));
  }
}

}  // namespace

void cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* made) {
  require(count == 0 || (options != nullptr && values != nullptr));
  auto state = std::make_unique<CUlinkState_st>();
  state->options.assign(options, options + count);
  state->values.assign(values, values + count);
  *made = driver().links.add(std::move(state));
}

void cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name,
                   unsigned, CUjit_option*, void**) {
  require(data != nullptr && size != 0);
  const auto* bytes = static_cast<const std::byte*>(data);
  add(state_at(state), type, {bytes, bytes + size}, name);
}

void cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*,
                   void**) {
  CUlinkState_st& known = state_at(state);
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), CUDA_ERROR_FILE_NOT_FOUND);
  const std::vector<char> text(std::istreambuf_iterator<char>(file), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  add(known, type, {bytes, bytes + text.size()}, path);
}

// The texts are read now, and told where they are wrong. A function that no text has is told when a kernel
// that calls it is launched.
void cuLinkComplete(CUlinkState handle, void** code, std::size_t* size) {
  CUlinkState_st& state = state_at(handle);
  require(!state.parts.empty());
  const JitOptions options{static_cast<unsigned>(state.options.size()), state.options.data(),
                           state.values.data()};
  interposer::Linked linked{{}, state.parts};
  for (const CUjit_option kept :
       {CU_JIT_MAX_REGISTERS, CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_GENERATE_DEBUG_INFO})
    if (const auto value = options.number(kept)) linked.options.push_back({kept, *value});
  state.completed = interposer::write_linked(linked);
  unload(load(context(), code_of_bytes("linked", *state.completed, options), options));
  *code = state.completed->data();
  if (size != nullptr) *size = state.completed->size();
}

void cuLinkDestroy(CUlinkState state) { driver().links.drop(&state_at(state)); }

}  // namespace wedjat::live::calls
