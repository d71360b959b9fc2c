// Accesses that leave the variable they go through, for the one beside it.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <string>
#include <utility>
#include <wedjat/tool.hpp>

#include "extent.hpp"
#include "owners.hpp"
#include "utilities/findings/first_findings.hpp"

namespace memory_check {

class Variables : public wedjat::Tool {
 public:
  using Event = wedjat::Event;
  using Location = wedjat::Location;

  void beyond_parameter(const Event& event) {
    const Through& one = *static_cast<const Through*>(event.user);
    if (one.told || found_.is_known(event.thread, event.cta, one.index)) return;
    const wedjat_operand& address = event.instruction->operands[one.access->operand];
    note(event, one,
         "accesses " + std::to_string(one.access->bytes) + " bytes from byte " +
             std::to_string(Owners::displacement(address.text)) + " of parameter " + one.variable->name +
             ", which has " + std::to_string(one.variable->bytes),
         static_cast<unsigned>(std::countr_zero(event.executed)));
  }
  void within(const Event& event) {
    const Through& one = *static_cast<const Through*>(event.user);
    if (event.addresses == nullptr) return;
    const std::uint64_t* const address = event.addresses[one.access - event.instruction->accesses];
    check_inside(event, one, extent_of(address, event.executed & one.access->lanes));
  }

 protected:
  /// `extent`: of the lanes that access.
  void check_inside(const Event& event, const Through& one, const Extent& extent) {
    if (one.told) return;
    const std::uint64_t size =
        one.variable->bytes != 0 ? one.variable->bytes : event.launch->shared_bytes - one.variable->address;
    if (surely_inside(one, extent, size)) return;
    const std::uint64_t* const address = event.addresses[one.access - event.instruction->accesses];
    const std::uint32_t lanes = event.executed & one.access->lanes;
    wedjat::each_lane(lanes, [&](unsigned lane) {
      const Location at = wedjat::locate(event, *one.access, address[lane]);
      const std::uint64_t bytes = wedjat::bytes_of(event, *one.access, lane);
      const std::uint64_t offset = at.address - one.variable->address;
      if (bytes == 0 || at.kind != kind_of(*one.variable) || (offset < size && bytes <= size - offset) ||
          found_.is_known(event.thread, event.cta, one.index))
        return;
      const auto distance = static_cast<std::int64_t>(offset);
      note(event, one,
           (one.access->writes ? "writes " : "reads ") + std::to_string(bytes) + " bytes at " +
               one.variable->name + (distance < 0 ? "" : "+") + std::to_string(distance) + ", outside its " +
               std::to_string(size) + " bytes" + wedjat::in_variable(*event.launch->kernel, at),
           lane);
    });
  }
  void begin_variables(const wedjat_launch& launch) { found_.launch_begin(launch); }
  void end_variables(const wedjat_launch& launch) {
    found_.launch_end([&](const findings::Noted& noted) { report(noted.of(launch)); });
    for (Through& one : through_) one.told = found_.is_told(one.index);
  }

  /// Calls takes(instruction, through) for accesses within a variable: whether the tool checks them itself.
  template <class Takes>
  void watch_variables(const wedjat_kernel& k, Takes takes) {
    const Owners owners(k, frames_.emplace_back(k));
    for (const auto& i : wedjat::instructions(k))
      for (const auto& access : wedjat::accesses(i)) {
        const wedjat_variable* const variable = owners.of(i, access);
        if (variable == nullptr) continue;
        Through& one =
            through_.emplace_back(Through{&access, variable, static_cast<std::uint32_t>(through_.size())});
        const wedjat_operand& address = i.operands[access.operand];
        if (variable->space != WEDJAT_PARAM) {
          if (!takes(i, one)) before<&Variables::within>(i, WEDJAT_ADDRESSES, &one);
        } else if (address.registers[0] == WEDJAT_NO_REGISTER &&
                   Owners::displacement(address.text) + access.bytes > variable->bytes) {
          before<&Variables::beyond_parameter>(i, WEDJAT_MASKS, &one);
        }
      }
  }

 private:
  static Location::Kind kind_of(const wedjat_variable& variable) {
    using Kind = Location::Kind;
    return variable.space == WEDJAT_SHARED  ? Kind::shared
           : variable.space == WEDJAT_LOCAL ? Kind::local
                                            : Kind::global;
  }
  // As nearly all are: by the least and the greatest address of the CTA's own shared memory.
  static bool surely_inside(const Through& one, const Extent& extent, std::uint64_t size) {
    if (one.access->space != WEDJAT_SHARED || one.access->bytes == 0 || size < one.access->bytes)
      return false;
    const std::uint64_t first = WEDJAT_SHARED_RESERVED + one.variable->address;
    return extent.least >= first && extent.greatest <= first + size - one.access->bytes;
  }

  void note(const Event& event, const Through& one, std::string message, unsigned lane) {
    found_.note(event.thread, one.index,
                {WEDJAT_ERROR, "beyond-variable", std::move(message), event.instruction, event.cta,
                 32 * event.warp + lane});
  }

  std::deque<FrameArrays> frames_;  // by kernel
  std::deque<Through> through_;
  findings::FirstFindings<std::uint32_t> found_;  // by Through::index
};

}  // namespace memory_check
