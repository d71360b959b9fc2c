// cuLink: which PTX went into what it made. The driver gives the program a cubin; the program loads that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/read/trace.h"

namespace wedjat::traces {

class Links {
 public:
  using Images = std::vector<const Event*>;

  void add(std::uint64_t state, const Call& call);       // cuLinkAddData, cuLinkAddFile
  void complete(std::uint64_t state, const Call& call);  // cuLinkComplete
  void destroy(std::uint64_t state) { parts_.erase(state); }

  // What was linked into this image, or null if cuLink did not make it. Throws nothing.
  const Images* parts_of(const Event& image) const;

 private:
  std::unordered_map<std::uint64_t, Images> parts_;                        // by CUlinkState
  std::map<std::pair<std::uint64_t, std::uint64_t>, Images> by_contents_;  // hash of the cubin
};

}  // namespace wedjat::traces
