// What is to be compiled, and for whom.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

#include "emulator/compile/analysis/liveness.h"
#include "emulator/compile/analysis/region.h"
#include "emulator/compile/analysis/shape.h"
#include "emulator/exec/access/noted_run.h"
#include "emulator/exec/texture/line.h"
#include "emulator/exec/warp/compiled.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat {
struct Expected;
}

namespace wedjat::compile {

/// Functions of the program that runs the code.
struct HostCalls {
  /// exec::note_range
  void (*note_range)(exec::WarpContext&, const kernel::Step&, exec::Use, std::uint64_t address,
                     std::uint64_t bytes);
  /// exec::begin_run
  void (*begin_run)(exec::WarpContext&, exec::NotedRun&, std::uint64_t address, std::uint64_t bytes);
  /// exec::learn_memory
  bool (*learn_memory)(exec::WarpContext&, const kernel::Step&, kernel::Space, exec::Use,
                       std::uint64_t address);
  /// exec::find_words
  void (*find_words)(exec::WarpContext&, const kernel::Step&, std::uint64_t handle, std::uint32_t texel_bytes,
                     exec::WordLine&);
  /// exec::find_plane
  void (*find_plane)(exec::WarpContext&, const kernel::Step&, std::uint64_t handle, std::uint32_t channels,
                     exec::TexelPlane&);
  /// Expectation::pass_rounds
  void (*pass_rounds)(Expected&, std::uint64_t first, std::uint64_t count, std::uint64_t rounds,
                      std::uint64_t done);
  /// kernel::traits_of
  const kernel::Traits& (*traits_of)(const kernel::Form&);
  /// exec::plain_barrier
  std::optional<std::uint32_t> (*plain_barrier)(const kernel::Function&, const kernel::Step&);
};

struct Request {
  const kernel::Kernel& kernel;
  std::uint32_t function, block, step;
  exec::PathKind paths;
  std::uint32_t lanes;                   ///< Geometry::lanes or rest: of paths that are whole, or the rest
  unsigned width;                        ///< of the block of lanes: Shape
  std::map<std::uint32_t, Shape> fills;  ///< rows that hold a value when the function begins, by offset
  std::map<std::uint32_t, Shape> entry;  ///< rows that are live at the entry: checked when it runs
  const HostCalls& host;
  Bounds bounds;       ///< of the region
  bool sweep = false;  ///< exec::SweepCode, of the kernel's beginning; else exec::NativeCode

  /// Paths have all lanes that their warp has.
  bool full() const { return paths == exec::PathKind::whole || paths == exec::PathKind::rest; }
  const kernel::Function& code() const { return kernel.functions[function]; }
};

}  // namespace wedjat::compile
