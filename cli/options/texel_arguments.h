// Textures and surfaces of `wedjat run`: as kernel arguments (`--arg`) or for variables (`--bind NAME=`).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/device/device.h"

namespace wedjat::cli {

// texture:FILE:FORMAT:EXTENTS[:OPTIONS]      texels from the file, row by row, without gaps
// surface:FILE:FORMAT:EXTENTS[:OPTIONS]      the same, written back to the file afterwards
// surface-out:FILE:FORMAT:EXTENTS[:OPTIONS]  zeros, written to the file afterwards
// FORMAT: u8 s8 u16 s16 f16 u32 s32 f32, or with 2 or 4 channels: f32x4. EXTENTS: W, W,H or W,H,D.
// OPTIONS, with commas: layered, cube (D: layers, faces); of textures: memory (device memory, no array),
// levels=N (one after the other in the file), normalized, linear, miplinear, wrap, mirror, border, integers,
// srgb, seamless.
struct TexelArgument {
  std::string text;  // as written
  bool is_surface = false, in_memory = false;
  memory::ArrayShape shape;
  unsigned levels = 1;
  memory::Sampler sampler;
  std::vector<std::byte> texels;  // of all levels
  std::string write_back;         // file to write afterwards, or empty
};

bool is_texel_argument(const std::string& text);

// Throws std::invalid_argument telling what is wrong with `text`, traces::FormatError if a file cannot be
// read.
TexelArgument parse_texel_argument(const std::string& text);

}  // namespace wedjat::cli
