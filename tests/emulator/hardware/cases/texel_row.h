// Rows of the inventory that read, write or ask about textures and surfaces: what they meet and what their
// operands mean.
#pragma once

#include <string>
#include <vector>

#include "tests/emulator/hardware/cases/row_shape.h"
#include "tests/emulator/hardware/cases/texel_scene.h"

namespace wedjat::hardware_truth {

// What a source register is: a coordinate along x, y, z, …
enum class Meaning : unsigned char {
  x,
  y,
  z,
  layer,
  sample,
  level,
  gradient,
  offset,
  compared,
  data,
  unused
};

struct TexelRow {
  RowShape shape;                 // the sources in the order of the text
  std::vector<Meaning> meanings;  // of the sources
  std::string geometry;           // "a2d"; empty: it only asks
  bool fetched = false;           // coordinates are integers
  bool surface = false, stored = false;
  bool bytes = false;        // x counts bytes
  bool traps = false;        // coordinates must lie inside
  unsigned access = 0;       // bytes of a surface access; 0: a texel
  std::string variable;      // "texr", "sfr": names a variable; empty: a handle
  bool independent = false;  // textures and samplers are apart; both are registers called texr and smpr
  const SceneSet* scenes = nullptr;
  // Bytes of a lane's input record: the sources, each at a multiple of its size; the last byte is 0 for a
  // lane that sits out.
  unsigned input_bytes = 0;
};

TexelRow texel_row(const fidelity::InventoryRow& row);

// Those with handles, then those that name variables, then those of independent samplers; each by id.
std::vector<const fidelity::InventoryRow*> texel_rows();

}  // namespace wedjat::hardware_truth
