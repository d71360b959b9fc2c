#include "traces/replay/state/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cuda_abi.h"

namespace wedjat::traces {
namespace {

struct Failure {
  cudaError_enum result;
  const char* name;
};

#define WEDJAT_FAILURE(name) \
  { name, #name }
constexpr Failure failures[] = {
    WEDJAT_FAILURE(CUDA_ERROR_ILLEGAL_ADDRESS),
    WEDJAT_FAILURE(CUDA_ERROR_LAUNCH_TIMEOUT),
    WEDJAT_FAILURE(CUDA_ERROR_ASSERT),
    WEDJAT_FAILURE(CUDA_ERROR_HARDWARE_STACK_ERROR),
    WEDJAT_FAILURE(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    WEDJAT_FAILURE(CUDA_ERROR_MISALIGNED_ADDRESS),
    WEDJAT_FAILURE(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    WEDJAT_FAILURE(CUDA_ERROR_INVALID_PC),
    WEDJAT_FAILURE(CUDA_ERROR_LAUNCH_FAILED),
};
#undef WEDJAT_FAILURE

const Failure* find(const Call& call) {
  if (!call.exit) return nullptr;
  const auto found = std::ranges::find_if(failures, [&](const Failure& failure) {
    return call.exit->number("result") == static_cast<std::uint64_t>(failure.result);
  });
  return found == std::end(failures) ? nullptr : found;
}

}  // namespace

bool says_kernel_failed(const Call& call) { return find(call) != nullptr; }

std::string shown_failure(const Call& call) {
  return fmt::format("{} (seq {}) gave {}", call.symbol, call.sequence(), find(call)->name);
}

}  // namespace wedjat::traces
