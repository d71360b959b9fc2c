// The textures and surfaces that a kernel of `wedjat run` reaches.
#pragma once

#include <string>
#include <vector>

#include "cli/library/wedjat.h"
#include "cli/options/texel_arguments.h"

namespace wedjat::cli {

class RunObjects {
 public:
  explicit RunObjects(WedjatDevice* device) : device_(device) {}

  // The handle of a new object. Throws LibraryError.
  std::uint64_t make(const TexelArgument& argument);
  // NAME=texture:… for .texref and .surfref variables of a module. Throws std::invalid_argument, also for a
  // name that it does not declare.
  void bind(const std::string& file, WedjatModule* module, const std::vector<std::string>& bindings);
  // Variables that bind() found, and nothing was bound to.
  const std::vector<std::string>& unbound() const { return unbound_; }

  // Surfaces whose texels go to a file in the end.
  struct Result {
    std::string file, text;  // and the argument that named it
    WedjatArray* texels;
  };
  const std::vector<Result>& results() const { return results_; }

 private:
  WedjatDevice* device_;
  std::vector<std::string> unbound_;
  std::vector<Result> results_;
};

}  // namespace wedjat::cli
