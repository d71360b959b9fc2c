// cuStreamWriteValue, cuStreamWaitValue, cuStreamBatchMemOp: words written and waited for by streams.
#include <fmt/format.h>

#include "cuda_abi.h"
#include "interposer/meaning/words.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace {

struct Word {
  std::uint64_t address, value;
  std::size_t bytes;
  unsigned flags = 0;
};

std::uint64_t place_of(Replayer& replayer, const Call& call, const Word& word) {
  const auto at = replayer.resolve(word.address);
  if (!at) replayer.refuse(call, fmt::format("{:#x} is no memory of the device", word.address));
  return *at;
}

void write(Replayer& replayer, const Call& call, const Word& word) {
  Bytes bytes(word.bytes);
  std::memcpy(bytes.data(), &word.value, word.bytes);
  replayer.device().write(place_of(replayer, call, word), bytes);
  replayer.host_memory().given(word.address, word.bytes);
}

// The replay is serial: what a stream waits for must have come before.
void wait(Replayer& replayer, const Call& call, const Word& word) {
  Bytes bytes(word.bytes);
  replayer.device().read(place_of(replayer, call, word), bytes);
  std::uint64_t now = 0;
  std::memcpy(&now, bytes.data(), word.bytes);
  if (!interposer::holds(now, word.value, word.bytes, word.flags))
    replayer.refuse(
        call, fmt::format("it waits for a value at {:#x} that was written only after the call; replay does "
                          "one call after the other",
                          word.address));
}

Word word_of(const Call& call) {
  const std::size_t bytes = call.base.find("64") != std::string::npos ? 8 : 4;
  return {call.entry->number("addr"), call.entry->number("value"), bytes,
          static_cast<unsigned>(call.entry->number("flags"))};
}

}  // namespace

namespace handle {

void write_value(Replayer& replayer, const Call& call) { write(replayer, call, word_of(call)); }
void wait_value(Replayer& replayer, const Call& call) { wait(replayer, call, word_of(call)); }

void memory_operations(Replayer& replayer, const Call& call, const Bytes& list, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto one = replayer.structure<CUstreamBatchMemOpParams>(call, list, i);
    const auto word = [](const auto& of, std::size_t bytes) {
      return Word{of.address, bytes == 4 ? of.value : of.value64, bytes, of.flags};
    };
    switch (one.operation) {
      case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        write(replayer, call, word(one.writeValue, 4));
        break;
      case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        write(replayer, call, word(one.writeValue, 8));
        break;
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        wait(replayer, call, word(one.waitValue, 4));
        break;
      case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        wait(replayer, call, word(one.waitValue, 8));
        break;
      case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      case CU_STREAM_MEM_OP_BARRIER:
        break;
      default:
        replayer.refuse(
            call, fmt::format("replay does not know memory operation {}", static_cast<int>(one.operation)));
    }
  }
}

void batch_memory_operations(Replayer& replayer, const Call& call) {
  memory_operations(replayer, call, replayer.input(call, "paramArray"), call.entry->number("count"));
}

}  // namespace handle
}  // namespace wedjat::traces
