// printf inside kernels: the host's formatting over arguments that lie in device memory.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace wedjat::exec {

struct DeviceReader {
  std::function<void(std::uint64_t address, void* to, std::size_t bytes)> bytes;
  std::string string(std::uint64_t address) const;
};

struct Formatted {
  std::string text;
  int arguments = 0;  ///< how many the format took: what printf returns
};

/// `arguments`: address of the packed arguments, each aligned to its size, as the compiler lays them out for
/// vprintf.
Formatted format_device(const DeviceReader& reader, std::uint64_t format, std::uint64_t arguments);

}  // namespace wedjat::exec
