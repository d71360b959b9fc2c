// One device of the library, and what directives gave it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/expect/case.h"
#include "cli/library/wedjat.h"

namespace wedjat::expect {

class Device {
 public:
  /// Throws cli::LibraryError.
  explicit Device(WedjatRunOptions options);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  void load(const std::string& name, const std::string& ptx);
  /// Buffers, scalars and variables of the launch. `file` is that of the directives; throws DirectiveError.
  void give(const std::string& file, const Launch& launch, bool mark_outputs);
  /// Throws cli::LibraryError, DirectiveError for arguments that the kernel does not take.
  void launch(const std::string& file, const Launch& launch);

  struct Held {
    std::uint64_t address = 0, bytes = 0;
    Buffer buffer;  ///< of variables nobody gave: no initial values
  };
  const std::map<std::string, Held>& held() const { return held_; }
  /// A buffer, or a variable of the module. Throws DirectiveError.
  std::vector<std::byte> read(const std::string& file, const Expectation& expectation);
  std::string printed;

  std::vector<std::string> findings();  ///< of all launches; ends the tools

 private:
  const Held& find(const std::string& file, unsigned line, const std::string& name);
  std::vector<std::byte> argument(const std::string& file, const Launch& launch, const std::string& name);

  WedjatDevice* device_ = nullptr;
  WedjatModule* module_ = nullptr;
  std::map<std::string, Held> held_;
  std::map<std::string, Scalar> scalars_;
};

/// The first contents of a buffer that is given some.
std::vector<std::byte> initial_contents(const Buffer& buffer);
/// Of any buffer: an `out` one is full of values that a kernel is not likely to compute.
std::vector<std::byte> first_contents(const Buffer& buffer);

}  // namespace wedjat::expect
