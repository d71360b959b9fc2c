// The `--arg` values of `wedjat run`: how kernel arguments are written on a command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/texel_arguments.h"

namespace wedjat::cli {

// in:FILE       a buffer holding the file's bytes; the kernel gets its address
// inout:FILE    the same, written back to the file afterwards
// out:FILE:N    a buffer of N bytes, written to the file afterwards; zeros, but checkers say who reads them
// zeros:N       a buffer of N zero bytes that count as written
// u8: s8: b8: … u64: s64: b64: f32: f64: a value (decimal, or 0x… bits for b and f types too)
// bytes:FILE    the file's bytes as the argument itself (a struct by value)
// texture: surface: surface-out:  a texture or surface object (texel_arguments.h)
struct Argument {
  enum class Kind { buffer, value, texels } kind = Kind::value;
  std::string text;  // as written
  std::vector<std::byte>
      bytes;  // buffer: initial contents, zeros follow; value: the argument's bytes, little endian
  std::uint64_t size = 0;  // buffer: bytes of memory
  std::string write_back;  // buffer: file to write afterwards, or empty
  TexelArgument texels;    // texels: the object whose handle the kernel gets
};

// Throws std::invalid_argument telling what is wrong with `text`, traces::FormatError if a file cannot be
// read.
Argument parse_argument(const std::string& text);

// "64" or "64,8" or "64,8,2", each at least 1. Throws std::invalid_argument.
void parse_shape(const std::string& text, std::uint32_t (&shape)[3]);

}  // namespace wedjat::cli
