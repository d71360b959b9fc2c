// The textures and surfaces that a kernel of `wedjat run` reaches.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/options/texel_arguments.h"

namespace wedjat::cli {

class RunObjects {
 public:
  explicit RunObjects(device::Device& device) : device_(device) {}

  // The handle of a new object. Throws memory::Error.
  std::uint64_t make(const TexelArgument& argument);
  // NAME=texture:… for .texref and .surfref variables of a file: where each lies. Throws
  // std::invalid_argument, also for a name that the file does not declare.
  std::map<std::string, std::uint64_t> bind(const std::string& file, const std::string& ptx,
                                            const std::vector<std::string>& bindings);
  // Variables that bind() found, and nothing was bound to.
  const std::vector<std::string>& unbound() const { return unbound_; }

  // Surfaces whose texels go to a file in the end: the file, their address and bytes.
  struct Result {
    std::string file;
    std::uint64_t address, bytes;
  };
  const std::vector<Result>& results() const { return results_; }

 private:
  device::Device& device_;
  std::uint64_t next_ = 0x7e0000000000;
  std::vector<std::string> unbound_;
  std::vector<Result> results_;
};

}  // namespace wedjat::cli
