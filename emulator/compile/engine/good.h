// LLVM's results: what went wrong is thrown.
#pragma once
#include <llvm/Support/Error.h>

#include <stdexcept>

namespace wedjat::compile {

template <class T>
T good(llvm::Expected<T> result) {
  if (!result) throw std::runtime_error(llvm::toString(result.takeError()));
  return std::move(*result);
}

inline void good(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

}  // namespace wedjat::compile
