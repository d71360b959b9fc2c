// Copies and fills between memory of the device and of the host.
#pragma once

#include "interposer/live/state/driver.h"
#include "interposer/meaning/boxes.h"

namespace wedjat::live {

// Where an address may lie, by the call that names it.
enum class Owner : std::uint8_t { device, host, either };

struct Line {
  std::uint64_t address = 0;
  Owner owner = Owner::either;
};

// Where bytes of an array lie, row after row, as the copies of one extent count them.
Line in_array(CUarray array, std::uint64_t offset, std::uint64_t bytes);

// Fail with CUDA_ERROR_INVALID_VALUE where memory is not all there.
void copy(Line to, Line from, std::uint64_t bytes);
void copy(const interposer::CopyBox& box);
// Rows of `count` elements of 1, 2 or 4 bytes.
void fill(std::uint64_t address, std::uint64_t pitch, std::uint32_t value, unsigned element,
          std::uint64_t count, std::uint64_t rows);
// What graphs may have as a node: some bytes, and memory that is all there.
void check(const interposer::CopyBox& box);
void check_fill(std::uint64_t address, std::uint64_t pitch, unsigned element, std::uint64_t count,
                std::uint64_t rows);

}  // namespace wedjat::live
