// Filling the rows that hold a value before any instruction runs.
#pragma once
#include "emulator/exec/cta/cta_state.h"
#include "emulator/exec/warp/frame.h"

namespace wedjat::exec {

/// How long the value of a fill lasts.
enum class Lifetime : std::uint8_t {
  launch,  ///< for every CTA that a warp slot runs: filled when the frame is made
  call,    ///< differs from CTA to CTA, or from call to call: filled each time
};
/// `clustered`: CTAs of the launch form clusters, and each has an address of its own there.
Lifetime lifetime(const kernel::RowFill& fill, bool clustered);

/// Fills all 32 lanes, those that no thread has too.
void fill_row(const Frame& frame, const kernel::RowFill& fill, const CtaState& cta, std::uint32_t warp);

/// Whether it is one number of at most 8 bytes for all lanes of a CTA.
bool is_same_in_cta(const kernel::RowFill& fill);

/// What fill_row() puts in the first lane, of rows whose elements have at most 8 bytes and are no addresses
/// of local memory.
std::uint64_t first_lane(const kernel::RowFill& fill, const CtaState& cta, std::uint32_t warp);

/// `value` in every lane of a row whose elements have 1, 2, 4 or 8 bytes.
void broadcast(std::byte* row, unsigned element_bytes, std::uint64_t value);

}  // namespace wedjat::exec
