#include "emulator/exec/warp/compiled.h"

#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

// Runs the current path in native code, if there is some where it stands.
Left Warp::run_native(NativeKernel& native) {
  Path& path = current();
  // Others go first after this block.
  if (rival_ <= path.block) return Left::refused;
  const NativeKernel::Visitor visitor{path.frame->rows, path.mask, rival_};
  const NativeKernel::Place place{path.frame->function_index, path.block, path.step};
  Entry& entry = native.entry(place.function, place.block, place.step);
  NativeCode code = (path.mask == all_lanes ? entry.full : entry.masked).load(std::memory_order_acquire);
  if (code == nullptr) {
    const std::uint32_t visits = entry.visits.load(std::memory_order_relaxed) + 1;
    entry.visits.store(visits, std::memory_order_relaxed);
    if ((visits & native.unasked) != 0) return Left::refused;
    code = native.visited(place, entry, visits, visitor);
    if (code == nullptr) return Left::refused;
  }
  const MemoryPort& port = *context_.memory;
  context_.rows = path.frame->rows;
  Passage passage{.rows = path.frame->rows,
                  .warp = &context_,
                  .recent = port.cache.data(),
                  .shared_host = reinterpret_cast<std::uintptr_t>(port.shared) - port.shared_address,
                  .shared_bytes = port.shared_bytes,
                  .shared_address = port.shared_address,
                  .mask = path.mask,
                  .rival = rival_,
                  .floor = floor_,
                  .budget = *budget_,
                  .certificate = path.certificate};
  const Left left = code(passage);
  if (left == Left::refused) {
    native.refused(place, entry, visitor);
    return left;
  }
  cta_.steps += passage.steps;
  *budget_ = passage.budget;
  cta_.warp_instructions += passage.instructions;
  cta_.thread_instructions +=
      passage.instructions * static_cast<std::uint64_t>(__builtin_popcount(path.mask));
  cta_.native_steps += passage.steps;
  path.certificate = passage.leaves;
  path.block = passage.block;
  path.step = passage.step;
  return left;
}

// What special() does at a barrier of all threads, where native code left the current path.
bool Warp::arrive_plainly(const NativeKernel& native) {
  Path& path = current();
  const kernel::Function& function = *path.frame->function;
  const kernel::Block& block = function.blocks[path.block];
  if (path.step == block.count) return false;
  const auto name = native.barrier_at({path.frame->function_index, path.block, path.step});
  if (!name) return false;
  const kernel::Step& step = function.steps[block.first + path.step];
  ++path.step;
  count(1);
  cta_.barriers->arrive(context_, step, {.lanes = path.mask, .name = *name, .threads = context_.cta_threads});
  return true;
}

}  // namespace wedjat::exec
