// A piece of native code of a kernel, with all that it takes to go on where its process stopped.
#pragma once
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "emulator/compile/cache/key.h"
#include "emulator/compile/image/image.h"
#include "emulator/exec/warp/compiled.h"

namespace wedjat::compile {

struct Piece {
  exec::NativeKernel::Place place{};
  exec::PathKind paths{};                ///< Request
  bool sweep = false;                    ///< Request
  std::uint32_t rival = 0;               ///< Bounds::until
  std::map<std::uint32_t, Shape> entry;  ///< Request::entry
  Image image;

  /// Of code that does the same there is one piece only.
  bool stands_for(const Piece& other) const;
};

/// The file that holds them: the key, and a hash of everything.
std::vector<std::byte> encode(const Key& key, std::span<const Piece> pieces);
/// Throws Damaged if the bytes are not what encode() made for that key.
std::vector<Piece> decode(const Key& key, std::span<const std::byte> file);

}  // namespace wedjat::compile
