// How a call ends that cannot be carried out.
#pragma once

#include <string>
#include <utility>

#include "cuda_abi.h"

namespace wedjat::live {

struct Failure {
  CUresult code;
  std::string why;  // told on standard error; empty where the code says it all
};

[[noreturn]] inline void fail(CUresult code, std::string why = {}) { throw Failure{code, std::move(why)}; }

inline void require(bool holds, CUresult code = CUDA_ERROR_INVALID_VALUE) {
  if (!holds) fail(code);
}

}  // namespace wedjat::live
