// From an object file, as LLVM writes it, to an image.
#pragma once
#include <llvm/Support/MemoryBufferRef.h>

#include <string>

#include "emulator/compile/image/image.h"

namespace wedjat::compile {

/// Of its function `name`. Throws std::runtime_error for what an object of native code does not hold.
Image image_of(llvm::MemoryBufferRef object, const std::string& name);

}  // namespace wedjat::compile
