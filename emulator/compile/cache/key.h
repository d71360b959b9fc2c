// What kept code is good for: anything else has another key.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "emulator/compile/analysis/geometry.h"
#include "emulator/exec/warp/probe.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

/// 128 bits of a hash (XXH3) of all that decides what code is made.
struct Key {
  std::uint64_t low = 0, high = 0;

  std::string hex() const;
  bool operator==(const Key&) const = default;
};

/// Of the program that runs, of the compiler's library, of the processor and what of it is used: the part
/// that all kernels share.
struct Maker {
  std::string program, compiler;  ///< build ids
  std::string processor;
  std::string features;     ///< TierOptions::features
  std::uint32_t leave = 0;  ///< TierOptions::leave
};

/// `compiler`: the library. Whatever has no build id is empty.
Maker maker_of(const std::filesystem::path& compiler, const std::string& features, std::uint32_t leave);

/// Of the lowered kernel, whatever PTX and options it was made from, and of who watches (null: nobody).
Key key_of(const Maker& maker, const kernel::Kernel& kernel, const Geometry& geometry,
           const exec::Probes* probes = nullptr);

}  // namespace wedjat::compile
