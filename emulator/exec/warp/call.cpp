// Calls: lanes enter a frame of their own and come back to where they left (PTX ISA 9.7.12.5, call and ret).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/warp/rows.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

namespace {

// Bytes: a return address, aligned as the stack is.
constexpr std::uint64_t least_stack_frame = 16;

}  // namespace

void Warp::call(const kernel::Terminator& end, std::uint32_t mask) {
  if (end.target != kernel::Terminator::indirect) return enter(end.target, end);

  const auto* address = reinterpret_cast<const std::uint64_t*>(context_.rows + end.row);
  const auto& functions = cta_.launch->kernel.functions;
  const auto* others = cta_.launch->called_as;
  const std::uint32_t origin = current_;
  while (mask != 0) {
    const std::uint64_t wanted = address[__builtin_ctz(mask)];
    std::uint32_t group = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      if (address[__builtin_ctz(rest)] == wanted) group |= rest & -rest;
    const auto other = others ? others->find(wanted) : decltype(others->end()){};
    const std::uint64_t meant = others && other != others->end() ? other->second : wanted;
    const auto callee = std::find_if(functions.begin(), functions.end(), [&](const kernel::Function& f) {
      return meant != 0 && f.address == meant;
    });
    if (callee == functions.end())
      fail(context_, end.id, group, FaultKind::bad_call,
           fmt::format("no function has the address {:#x}", wanted));
    mask &= ~group;
    if (mask == 0) {
      current().mask = group;
    } else {
      split(current(), group);
      current_ = path_count_ - 1;
    }
    enter(static_cast<std::uint32_t>(callee - functions.begin()), end);
    current_ = origin;
  }
}

// The lanes of the current path enter the function.
void Warp::enter(std::uint32_t function, const kernel::Terminator& end) {
  Path& path = current();
  const kernel::Function& code = cta_.launch->kernel.functions[function];
  if (!code.refused.empty()) fail(context_, end.id, path.mask, FaultKind::bad_call, code.refused);
  if (end.arguments.size() != code.parameters.size() || end.results.size() != code.results.size())
    fail(context_, end.id, path.mask, FaultKind::bad_call,
         fmt::format("'{}' takes {} arguments and gives {} results; the call has {} and {}", code.name,
                     code.parameters.size(), code.results.size(), end.arguments.size(), end.results.size()));
  const auto [frame, fresh] = frames_.take(function);
  if (frame == nullptr)
    fail(
        context_, end.id, path.mask, FaultKind::stack_overflow,
        fmt::format("calls nest {} deep, and the frames of the CTA's warps hold 512 MiB", path.frame->depth));
  frame->caller = path.frame;
  frame->call = &end;
  frame->depth = path.frame->depth + 1;
  frame->lanes = path.mask;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) frame->local_base[lane] = top_[lane];
  // Calls of unknown depth take some of it even without variables, as on hardware: that is what ends them.
  const std::uint64_t need = cta_.launch->kernel.local_bytes
                                 ? code.local_bytes
                                 : std::max<std::uint64_t>(code.local_bytes, least_stack_frame);
  for (std::uint32_t rest = path.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    raise_top(lane, top_[lane] + need, end.id);
  }
  for (const kernel::RowFill& fill : code.fills)
    if (fresh || lifetime(fill, context_.cluster_ctas > 1) == Lifetime::call)
      fill_row(*frame, fill, cta_, index_);
  for (std::size_t i = 0; i < code.parameters.size(); ++i)
    transfer(*path.frame, end.arguments[i], *frame, code.parameters[i], path.mask);
  path.frame = frame;
  rival_ = 0;
  jump(0);
}

void Warp::leave(std::uint32_t mask) {
  Path& path = current();
  Frame* const frame = path.frame;
  Frame* const caller = frame->caller;
  if (caller == nullptr) return exit_lanes(mask);
  const auto& results = frame->function->results;
  for (std::size_t i = 0; i < results.size(); ++i)
    transfer(*frame, results[i], *caller, frame->call->results[i], mask);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    top_[lane] = frame->local_base[lane];
  }
  path.frame = caller;
  rival_ = 0;
  jump(frame->call->next);
  frame->lanes &= ~mask;
  if (frame->lanes == 0) frames_.give_back(frame);
}

std::byte* Warp::local_of(const Frame& frame, std::uint32_t lane) const {
  return local_.host + lane * local_.stride + frame.local_base[lane];
}

void Warp::transfer(const Frame& from, const kernel::Place& source, const Frame& to,
                    const kernel::Place& target, std::uint32_t mask) {
  using Kind = kernel::Place::Kind;
  if (source.bytes == 0 && target.bytes == 0) {
    const auto* bits = reinterpret_cast<const std::uint32_t*>(from.rows + source.offset);
    auto* into = reinterpret_cast<std::uint32_t*>(to.rows + target.offset);
    *into = (*into & ~mask) | (*bits & mask);
    return;
  }
  const std::uint32_t bytes = std::min(source.bytes, target.bytes);
  auto at = [&](const Frame& frame, const kernel::Place& place, std::uint32_t lane) {
    return place.kind == Kind::Row ? frame.rows + place.offset + lane * place.bytes
                                   : local_of(frame, lane) + place.offset;
  };
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    std::memcpy(at(to, target, lane), at(from, source, lane), bytes);
  }
}

void Warp::raise_top(std::uint32_t lane, std::uint64_t top, std::uint32_t id) {
  if (top > local_.bytes)
    fail(context_, id, 1u << lane, FaultKind::stack_overflow,
         fmt::format(
             "{} bytes of local memory needed, a thread has {}{}", top, local_.bytes,
             current().frame->depth > 1 ? fmt::format("; calls nest {} deep", current().frame->depth) : ""));
  top_[lane] = static_cast<std::uint32_t>(top);
  local_high_ = std::max(local_high_, top_[lane]);
}

}  // namespace wedjat::exec
