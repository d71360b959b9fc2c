// Where the parts of a bundle lie: as they were recorded, or elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

// Memory is placed in units of this: offsets in it stay, so alignments do.
inline constexpr std::uint64_t granule = std::uint64_t{2} << 20;

// What keeps its distances when it moves: a variable of the module, or granules of memory without a gap.
struct MovablePart {
  std::string variable;  // its name; empty: memory
  std::uint64_t address = 0, bytes = 0, at = 0;
};

class Places {
 public:
  explicit Places(const Bundle& bundle);  // as recorded
  // Where nothing of the bundle was, each part at another distance from the others; `way` numbers choices.
  static Places elsewhere(const Bundle& bundle, unsigned way);

  // An address of the recording -> the one that it has here, and back. The end of memory is its own. What
  // lies nowhere stays.
  std::uint64_t now(std::uint64_t recorded) const;
  std::uint64_t recorded(std::uint64_t now) const;

  const std::vector<MovablePart>& all() const { return all_; }  // variables first
  std::vector<MovablePart>& all() { return all_; }

 private:
  std::vector<MovablePart> all_;
};

}  // namespace wedjat::traces
