// Native code as bytes that may lie anywhere, in any process that runs the same kernel.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/compile/analysis/certificates.h"

namespace wedjat::compile {

/// What code refers to beside itself: a word of its table, which is filled in where the code is placed.
struct Link {
  enum class Kind : std::uint8_t {
    step,    ///< address of kernel::Step `number` of the function
    full,    ///< its executor for all lanes
    masked,  ///< its executor for some
    offer,   ///< the number that way out `number` has got: Image::offers
    wanted,  ///< address of the Certificates::Accepted of Image::want
    behind,  ///< address of where the code stands, of the same kind of paths, that way out `number` leads to
    note_range,
    begin_run,
    learn_memory,
    find_words,
    find_plane,
    pass_rounds,  ///< addresses in HostCalls
    keep_zmm,
    keep_ymm,
    keep_xmm,  ///< keeping_call.h
    probe,     ///< address of what the probe of step `number` calls: exec::Probe::call
    tool,      ///< address of a function of a tool: tool_function()
    library,   ///< address of the C library's function `name`
  };
  Kind kind{};
  std::uint32_t number = 0;
  std::string name;

  bool operator==(const Link&) const = default;
};

struct Image {
  /// Rows of these shapes, where code begins.
  struct Certified {
    Certificates::Place place;
    Certificates::Shapes shapes;
  };

  /// Code, its constants, then `table`, a word for each link. Lies at a multiple of 64.
  std::vector<std::byte> bytes;
  std::uint32_t entry = 0, table = 0;
  std::uint32_t frames = 0;  ///< what unwinding needs to know (.eh_frame), ended by a word of zeros
  std::vector<Link> links;
  std::vector<Certified> offers;  ///< what it knows of the rows where it leaves
  std::optional<Certified> want;  ///< where it begins, it need not look at rows that are so
};

/// The number of a link to InlinedFunction `function` of the probe of a step, and back.
constexpr std::uint32_t tool_function(std::uint32_t step, std::uint32_t function) {
  return step << 8 | function;
}
constexpr std::uint32_t step_of_tool(std::uint32_t number) { return number >> 8; }
constexpr std::uint32_t function_of_tool(std::uint32_t number) { return number & 0xff; }

/// The name by which code in the making knows a link; of the C library's functions it is their own.
std::string symbol_of(Link::Kind kind, std::uint32_t number);
Link link_of(const std::string& symbol);

}  // namespace wedjat::compile
