// What .version and .target of a module bring and bound.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/ptx/text/source.h"

namespace wedjat::ptx {

struct Version {
  unsigned major = 0, minor = 0;

  unsigned number() const { return 100 * major + minor; }
};

/// Fails if the word written at `where` came with a later .version than the module's.
void require(const Source& source, const Version& version, std::size_t where, std::string_view word);

/// 90 of "sm_90a" and what stands behind it, "a"; 0 of a word that is no architecture.
struct Architecture {
  unsigned number = 0;
  std::string_view flavour;  ///< "", "a" or "f"
};
Architecture architecture(std::string_view target);

/// Bytes the parameters of an entry may take.
std::uint64_t parameter_space(const Version& version, Architecture architecture);

}  // namespace wedjat::ptx
