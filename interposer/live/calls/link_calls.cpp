// The driver's linker: PTX goes in, and a container that keeps it comes out (interposer/images/linked.h).
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "emulator/device/module.h"
#include "emulator/ptx/text/error.h"
#include "interposer/images/libraries.h"
#include "interposer/live/state/perform.h"
#include "interposer/live/work/modules.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr std::uint64_t any_shared = ~std::uint64_t{0};

// The linker does not know what the device has: it holds kernels to what every device has.
std::optional<std::string> excess_of(const CUmod_st& whole) {
  try {
    whole.module->check_sizes(
        static_cast<std::uint64_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)));
    return std::nullopt;
  } catch (const ptx::Error& error) {
    return error.what();
  }
}

CUlinkState_st& state_at(CUlinkState handle) { return driver().links.at(handle, CUDA_ERROR_INVALID_HANDLE); }

JitOptions options_of(const CUlinkState_st& state) {
  return {static_cast<unsigned>(state.options.size()), state.options.data(),
          const_cast<void**>(state.values.data())};
}

void add(CUlinkState_st& state, CUjitInputType type, std::vector<std::byte> bytes, const char* name) {
  require(!state.completed, CUDA_ERROR_INVALID_HANDLE);
  require(!bytes.empty() && type >= CU_JIT_INPUT_CUBIN && type <= CU_JIT_INPUT_NVVM);
  if (type == CU_JIT_INPUT_NVVM)
    fail(CUDA_ERROR_NOT_SUPPORTED, "NVVM's intermediate code is not linked here, only PTX and what holds it");
  const std::string called = name ? name : "";
  std::vector<interposer::LinkedPart> parts;
  if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) {
    parts = interposer::code_of_library(called, bytes);
    require(!parts.empty() || interposer::is_archive(bytes), CUDA_ERROR_UNKNOWN);
  } else {
    parts.push_back({called, std::move(bytes)});
  }
  for (interposer::LinkedPart& part : parts) {
    // Refuses what has no PTX, and PTX that is wrong by itself.
    Code code = code_of_bytes(called.empty() ? "linked" : called, part.bytes, {});
    // How much shared memory its kernels have is looked at when all is there.
    if (is_complete(code)) unload(load(context(), std::move(code), options_of(state), any_shared));
    state.parts.push_back(std::move(part));
  }
}

// Of texts that are right by themselves, or want others.
void check_together(CUlinkState_st& state, Code code) {
  try {
    CUmod_st& whole = load(context(), std::move(code), options_of(state), any_shared);
    const std::optional<std::string> excess = excess_of(whole);
    unload(whole);
    if (excess) fail(CUDA_ERROR_INVALID_SOURCE, *excess);
  } catch (const ptx::Error& error) {
    fail(CUDA_ERROR_UNKNOWN, error.what());
  } catch (const Failure& failure) {
    fail(failure.code == CUDA_ERROR_INVALID_PTX ? CUDA_ERROR_UNKNOWN : failure.code, failure.why);
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
  require(!known.completed);
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), CUDA_ERROR_FILE_NOT_FOUND);
  const std::vector<char> text(std::istreambuf_iterator<char>(file), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  add(known, type, {bytes, bytes + text.size()}, path);
}

void cuLinkComplete(CUlinkState handle, void** code, std::size_t* size) {
  CUlinkState_st& state = state_at(handle);
  require(!state.completed, CUDA_ERROR_INVALID_HANDLE);
  const JitOptions options = options_of(state);
  interposer::Linked linked{{}, state.parts};
  for (const CUjit_option kept :
       {CU_JIT_MAX_REGISTERS, CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_GENERATE_DEBUG_INFO})
    if (const auto value = options.number(kept)) linked.options.push_back({kept, *value});
  std::vector<std::byte> completed = interposer::write_linked(linked);
  if (!state.parts.empty()) check_together(state, code_of_bytes("linked", completed, options));
  state.completed = std::move(completed);
  *code = state.completed->data();
  if (size != nullptr) *size = state.completed->size();
}

void cuLinkDestroy(CUlinkState state) { driver().links.drop(&state_at(state)); }

}  // namespace wedjat::live::calls
