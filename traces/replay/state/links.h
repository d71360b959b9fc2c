// Which PTX went into machine code that was made in the program: by cuLink, and, recorded with --keep-ptx, by
// NVRTC and nvJitLink. They give the program a cubin; the program loads that.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/read/trace.h"

namespace wedjat::traces {

class Links {
 public:
  using Images = std::vector<const Event*>;
  using Contents = std::pair<std::uint64_t, std::uint64_t>;  // hash

  void add(std::uint64_t state, const Call& call);       // cuLinkAddData, cuLinkAddFile
  void complete(std::uint64_t state, const Call& call);  // cuLinkComplete
  void destroy(std::uint64_t state) { parts_.erase(state); }

  void learn(const Event& made_of);

  // What the image was made of, down to what nobody in the program made: itself, if it was not made there.
  // Throws nothing.
  struct Part {
    const Event* image;
    const Event* made;  // the machine code it was made into, or null
  };
  std::vector<Part> parts_of(const Event& image) const;

 private:
  void collect(const Part& part, std::size_t depth, std::set<Contents>& seen, std::vector<Part>& parts) const;

  std::unordered_map<std::uint64_t, Images> parts_;  // by CUlinkState
  std::map<Contents, Images> by_contents_;
};

}  // namespace wedjat::traces
