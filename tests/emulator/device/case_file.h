// A PTX case with its header lines: README.md has the format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/device/device.h"

namespace wedjat::test {

struct CaseArgument {
  enum class Kind { buffer, value, surface, texture, multicast } kind = Kind::buffer;
  std::string type;              ///< "u32"
  std::vector<std::byte> bytes;  ///< the value, or what the buffer, array or each place of it holds
  unsigned width = 0, height = 0, places = 0;
};

struct CaseLaunch {
  std::string kernel;  ///< empty: the first of the file
  device::LaunchConfig config;
};

struct CaseFile {
  std::string name, text;
  std::vector<CaseArgument> arguments;
  std::vector<CaseLaunch> launches;
  std::map<std::size_t, std::vector<std::byte>> expected;  ///< by argument
  std::string printed;
  std::vector<std::string> errors;
  std::string hardware;  ///< where it was run too: "DEVICE, DRIVER: DIGEST", DIGEST of this text
};

/// Throws std::runtime_error naming the line that is none of the format's.
CaseFile read_case(const std::string& path);

/// Of the text without its `// hardware:` line.
std::string digest(const CaseFile& file);
/// The text with such a line.
std::string with_hardware(const CaseFile& file, const std::string& device);

std::string first_kernel(const std::string& text);

unsigned size_of_type(const std::string& type);
std::string element_text(const std::string& type, const std::byte* bytes);

}  // namespace wedjat::test
