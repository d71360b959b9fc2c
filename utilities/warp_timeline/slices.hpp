// What a timeline is written as.
#pragma once
#include <cstdint>
#include <string>

namespace warp_timeline {

struct Slices {
  virtual ~Slices() = default;
  [[nodiscard]] virtual bool good() const = 0;
  virtual void slice(const std::string& name, std::uint64_t sm, std::uint64_t cta, std::uint32_t warp,
                     std::uint64_t start, std::uint64_t stop) = 0;
  /// Whether all of it is in the file.
  virtual bool finish() = 0;
};

}  // namespace warp_timeline
