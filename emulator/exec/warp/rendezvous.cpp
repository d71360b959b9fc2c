// Forms that wait for the lanes of a membermask (PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync,
// bar.warp.sync …).
#include <fmt/format.h>

#include "emulator/exec/access/all_hold.h"
#include "emulator/exec/access/fault.h"
#include "emulator/exec/warp/joint_step.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

namespace {

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
  if ((wanted & context_.live) == mask && (all_hold(members, wanted) || first_group(members, mask) == mask)) {
    execute(step, mask);
    return Next::step;
  }
  bool all_here = true;
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t group = first_group(members, rest);
    const std::uint32_t named = members[__builtin_ctz(rest)];
    if (const std::uint32_t omitted = group & ~named; omitted != 0) {
      // Hardware's test of the mask takes that for an illegal instruction. The compiler leaves the test out
      // where all lanes that are named are here anyway: then all that are here take part.
      if (group == mask && (named & context_.live & ~mask) == 0) {
        execute(step, mask);
        return Next::step;
      }
      fail(context_, step.id, omitted, FaultKind::undefined,
           fmt::format("the membermask {:#010x} does not name the lane that executes, an illegal instruction",
                       named));
    }
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

// Lanes that meet at one place go on as one path; lanes at several places of one form exchange what they hold
// all the same: the step is executed here, for all of them.
void Warp::release_rendezvous(std::uint32_t members) {
  std::uint32_t here = 0;
  const Path* first = nullptr;
  bool one_place = true, one_form = true;
  auto step_of = [](const Path& path) -> const kernel::Step& {
    const kernel::Function& function = *path.frame->function;
    return function.steps[function.blocks[path.block].first + path.step];
  };
  auto each_waiting = [&](auto visit) {
    for (std::uint32_t i = 0; i < path_count_; ++i)
      if (paths_[i].state == Path::State::rendezvous && paths_[i].members == members) visit(paths_[i]);
  };
  each_waiting([&](const Path& path) {
    here |= path.mask;
    if (first == nullptr) first = &path;
    one_place &= path.frame == first->frame && path.block == first->block && path.step == first->step;
    one_form &= step_of(path).form != nullptr && step_of(path).form == step_of(*first).form;
  });
  if (first == nullptr || (members & context_.live & ~here) != 0) return;
  if (!one_place && one_form) {
    JointStep joint(step_of(*first));
    each_waiting([&](const Path& path) { joint.gather(path.frame->rows, step_of(path), path.mask); });
    joint.execute(context_, here);
    each_waiting([&](Path& path) {
      joint.scatter(path.frame->rows, step_of(path), path.mask);
      ++path.step;
      path.state = Path::State::ready;
    });
    count(1);
    return;
  }
  each_waiting([](Path& path) {
    path.state = Path::State::ready;
    path.met = true;
  });
}

}  // namespace wedjat::exec
