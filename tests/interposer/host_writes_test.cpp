// What the host writes to memory that the device sees too is told before the device can take it.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/interposer/recording.h"

using namespace wedjat::traces;

namespace {

// Memory by the address of its first byte.
class Memory {
 public:
  void begins(std::uint64_t address, std::uint64_t size) { parts_[address] = Bytes(size); }
  std::byte* at(std::uint64_t address) {
    auto& [begin, bytes] = *std::prev(parts_.upper_bound(address));
    return bytes.data() + (address - begin);
  }

 private:
  std::map<std::uint64_t, Bytes> parts_;
};

// Does what the calls say, with no more of the host's memory than the trace tells. Returns the bytes that
// came to the host differently, of which there are more than `least`.
std::size_t differences(const Trace& trace, std::size_t least) {
  Memory memory;
  std::size_t differ = 0, compared = 0;
  const Calls calls = group_calls(trace);
  for (const Call& call : calls.calls) {
    for (const Event* event : call.attached) {
      if (event->name == "host_range" && event->number("operation") == 1)
        memory.begins(event->number("address"), event->number("size"));
      if (event->name == "host_delta")
        std::ranges::copy(trace.contents(*event), memory.at(event->number("address")));
    }
    const auto number = [&](const char* field) { return call.entry->number(field); };
    if (call.symbol == "cuMemAlloc_v2") memory.begins(call.exit->numbers("dptr_out")[0], number("bytesize"));
    if (call.symbol == "cuMemcpyHtoDAsync_v2")
      std::copy_n(memory.at(number("srcHost")), number("ByteCount"), memory.at(number("dstDevice")));
    if (!call.symbol.starts_with("cuMemcpyDtoH")) continue;
    const Bytes came = trace.contents(*call.payload("host_out"));
    const std::byte* const here = memory.at(number("srcDevice"));
    for (std::size_t i = 0; i < came.size(); ++i) differ += came[i] != here[i];
    compared += came.size();
    if (call.symbol == "cuMemcpyDtoHAsync_v2") std::ranges::copy(came, memory.at(number("dstHost")));
  }
  REQUIRE(compared > least);
  return differ;
}

}  // namespace

TEST_CASE("pinned buffers written here and there, by several threads, beside other page faults") {
  struct Run {
    const char* arguments;
    std::size_t least;
  };
  for (const Run& one : {
           Run{"1", 4'000'000},
           Run{"2", 4'000'000},
           Run{"3", 4'000'000},
           Run{"4 50", 20'000'000},  // the kernel is asked side by side
           Run{"5 60 700", 40'000},
           Run{"6 100 5000", 500'000},  // they share pages
           Run{"7 2000 300", 500'000},
       }) {
    CAPTURE(one.arguments);
    const test::Folder folder;
    REQUIRE(test::run(
                test::record_command(folder.path() / "t", one.arguments, WEDJAT_PINNED_WRITES_PROGRAM)) == 0);
    CHECK(differences(open_trace(folder.path() / "t"), one.least) == 0);
  }
}
