// Forms that wait for the lanes of a membermask (PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync,
// bar.warp.sync …).
#include "emulator/exec/address_pattern.h"
#include "emulator/exec/warp.h"

namespace wedjat::exec {

namespace {

// Whether all lanes, also those that do not execute, name `wanted`.
bool all_name(const std::uint32_t* members, std::uint32_t wanted) {
  const auto* eight = reinterpret_cast<const Eight*>(members);  // two members in each number
  const Eight all = Eight{} + (std::uint64_t{wanted} << 32 | wanted);
  return !detail::any_bit((eight[0] ^ all) | (eight[1] ^ all));
}

// The lanes of `mask` that name the same members as its lowest lane.
std::uint32_t first_group(const std::uint32_t* members, std::uint32_t mask) {
  const std::uint32_t wanted = members[__builtin_ctz(mask)];
  std::uint32_t same = 0;
  for (int lane = 0; lane < lanes; ++lane)
    same |= static_cast<std::uint32_t>(members[lane] == wanted) << lane;
  return same & mask;
}

}  // namespace

// Lanes of one path may name different members (tiles of a warp): each group is a rendezvous of its own.
Warp::Next Warp::meet(const kernel::Step& step) {
  const std::uint32_t mask = current().mask;
  const auto* members = operand<const std::uint32_t>(step, step.flags >> 8);
  if (current().met) {
    current().met = false;
    execute_groups(step, mask);
    return Next::step;
  }

  // Nearly always all name the same, and are here.
  const std::uint32_t wanted = members[__builtin_ctz(mask)];
  if ((wanted & context_.live) == mask && (all_name(members, wanted) || first_group(members, mask) == mask)) {
    execute(step, mask);
    return Next::step;
  }
  bool all_here = true;
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t group = first_group(members, rest);
    const std::uint32_t named = members[__builtin_ctz(rest)];
    if (group & ~named)
      undefined(context_, step, group & ~named, "the membermask does not name the lane that executes");
    all_here &= (named & context_.live & ~group) == 0;
    rest &= ~group;
  }
  if (all_here) {
    execute_groups(step, mask);
    return Next::step;
  }

  // Every group becomes a path that waits; those that are complete are released at once.
  std::uint32_t named[lanes];
  int groups = 0;
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t group = first_group(members, rest);
    rest &= ~group;
    Path& path = rest == 0 ? current() : split(current(), group);
    path.mask = group;
    path.state = Path::State::rendezvous;
    path.members = named[groups++] = members[__builtin_ctz(group)];
  }
  for (int i = 0; i < groups; ++i) release_rendezvous(named[i]);
  return Next::pick;
}

void Warp::execute_groups(const kernel::Step& step, std::uint32_t mask) {
  const auto* members = operand<const std::uint32_t>(step, step.flags >> 8);
  // Read before the step writes: its result may lie in the same row.
  std::uint32_t group[lanes];
  int groups = 0;
  while (mask != 0) {
    group[groups] = first_group(members, mask);
    mask &= ~group[groups++];
  }
  for (int i = 0; i < groups; ++i) execute(step, group[i]);
}

void Warp::release_rendezvous(std::uint32_t members) {
  std::uint32_t here = 0;
  auto waits = [&](const Path& path) {
    return path.state == Path::State::rendezvous && path.members == members;
  };
  for (std::uint32_t i = 0; i < path_count_; ++i)
    if (waits(paths_[i])) here |= paths_[i].mask;
  if (members & context_.live & ~here) return;
  for (std::uint32_t i = 0; i < path_count_; ++i) {
    if (!waits(paths_[i])) continue;
    paths_[i].state = Path::State::ready;
    paths_[i].met = true;
  }
}

}  // namespace wedjat::exec
