// Memory that one process of the recording gives to another (cuIpc).
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace handle {

void give_memory(Replayer& replayer, const Call& call) {
  const auto [address, size] = replayer.allocation_of(call, call.entry->number("dptr"));
  replayer.shared_handles().give(call.exit->bytes("pHandle_out"), replayer, address, size);
}

void open_memory(Replayer& replayer, const Call& call) {
  const Bytes& handle = call.entry->bytes("handle");
  const std::uint64_t size = replayer.shared_handles().size_of(handle),
                      address = replayer.given_out(call, "pdptr_out");
  if (size == 0) replayer.refuse(call, "the process that shares this memory was not recorded");
  if (!replayer.device().is_allocated(address)) replayer.allocate(call, address, size);
  replayer.shared_handles().open(handle, replayer, address);
}

void close_memory(Replayer& replayer, const Call& call) {
  const std::uint64_t address = call.entry->number("dptr");
  if (replayer.shared_handles().close(replayer, address)) replayer.release(call, address);
}

}  // namespace handle

}  // namespace wedjat::traces
