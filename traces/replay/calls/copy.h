// Copies between memory of the device, arrays and memory of the host: boxes of bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "interposer/meaning/boxes.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

using interposer::Extent;
using interposer::span_of;

// Where an address lies, by the call that names it.
enum class Owner : std::uint8_t { device, host, either };

// One side of a copy.
struct Side {
  std::shared_ptr<memory::Array> array;  // or, without one, an address as the program names it
  std::uint64_t start = 0;               // of the first byte: the address, or its offset in the array
  std::uint64_t pitch = 0, plane = 0;    // from row to row, from plane to plane
  Owner owner = Owner::either;

  static Side line(std::uint64_t address, Owner owner = Owner::either) {
    return {nullptr, address, 0, 0, owner};
  }
  // `x` in bytes. Refuses a handle that is not known.
  static Side in_array(Replayer& replayer, const Call& call, std::uint64_t handle, std::uint64_t x,
                       std::uint64_t y, std::uint64_t z);
};

// Copies, and compares what the hardware brought to the host with what we bring. `suffix` tells the payloads
// of one copy of a batch from those of the others.
void copy(Replayer& replayer, const Call& call, const Side& from, const Side& to, const Extent& extent,
          const std::string& suffix = "");

// The copy a CUDA_MEMCPY3D describes.
void copy_box(Replayer& replayer, const Call& call, const Bytes& description);

// Fills `rows` rows of `count` elements of 1, 2 or 4 bytes.
void fill(Replayer& replayer, const Call& call, std::uint64_t address, std::uint64_t pitch,
          std::uint64_t value, std::size_t element, std::uint64_t count, std::uint64_t rows);

}  // namespace wedjat::traces
