// What a recording of the driver program holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "tests/interposer/recording.h"

using namespace wedjat::traces;

namespace {

// Recorded once for all cases of this file.
const Trace& recorded() {
  static const test::Folder folder;
  static const Trace trace = [] {
    REQUIRE(test::run(test::record_command(folder.path() / "t", "exit 7")) == 7);
    return open_trace(folder.path() / "t");
  }();
  return trace;
}

std::vector<unsigned> words(const Bytes& bytes) {
  std::vector<unsigned> result(bytes.size() / sizeof(unsigned));
  std::memcpy(result.data(), bytes.data(), result.size() * sizeof(unsigned));
  return result;
}

bool all_are(const Bytes& bytes, unsigned value) {
  const auto list = words(bytes);
  return list.size() == 4096 && std::count(list.begin(), list.end(), value) == 4096;
}

const Event& attached(const Call& call, std::string_view name, std::size_t nth = 0) {
  for (const Event* event : call.attached) {
    if (event->name == name && nth-- == 0) return *event;
  }
  throw std::runtime_error("no " + std::string(name) + " at " + std::string(call.symbol));
}

}  // namespace

TEST_CASE("a recording is whole and its manifest describes it") {
  const Trace& trace = recorded();
  CHECK(trace.flaws.empty());
  CHECK(trace.manifest.whole());
  CHECK(trace.manifest.exit_code == 7);
  CHECK(trace.manifest.argv.back() == "7");
  CHECK(trace.manifest.processes == 1);
  REQUIRE(trace.manifest.device);
  CHECK(trace.manifest.device->compute_capability == "9.0");
  CHECK(trace.manifest.events_numbered == trace.events.size());
  for (std::size_t i = 0; i < trace.events.size(); ++i) REQUIRE(trace.events[i].sequence == i);
}

TEST_CASE("arguments, results and module images") {
  const Calls calls = group_calls(recorded());
  const Call& alloc = test::call_of(calls, "cuMemAlloc_v2");
  CHECK(alloc.entry->number("bytesize") == 16384);
  CHECK(alloc.exit->numbers("dptr_out").size() == 1);
  const Call& load = test::call_of(calls, "cuModuleLoadData");
  const Event& image = attached(load, "image");
  CHECK(image.number("kind") == 1);
  const Bytes text = recorded().contents(image);
  CHECK(std::string(reinterpret_cast<const char*>(text.data())).starts_with(".version 8.0"));
  CHECK(text.back() == std::byte{0});
  CHECK(test::call_of(calls, "cuModuleGetFunction").entry->text("name_in") == "increment");
}

TEST_CASE("every fatbin of a linked library is told, with its own size") {
  const Calls calls = group_calls(recorded());
  const Call& load = test::call_of(calls, "cuLibraryLoadData");
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Event& image = attached(load, "image", i);
    CHECK(image.number("kind") == 3);
    CHECK(image.number("index") == i);
    CHECK(image.number("size") == 16 + 8 * (i + 1));
    CHECK(recorded().contents(image).size() == image.number("size"));
  }
  const Call& launch = test::call_of(calls, "cuLaunchKernel", 3);
  CHECK(launch.entry->bytes("kernelParams_in").empty());
}

TEST_CASE("copies and packed kernel parameters") {
  const Calls calls = group_calls(recorded());
  CHECK(all_are(recorded().contents(*test::call_of(calls, "cuMemcpyHtoD_v2").payload("host_in")), 41));
  CHECK(all_are(recorded().contents(*test::call_of(calls, "cuMemcpyDtoH_v2").payload("host_out")), 42));

  const Call& launch = test::call_of(calls, "cuLaunchKernel");
  const Bytes parameters = launch.entry->bytes("kernelParams_in");
  REQUIRE(parameters.size() == 12);
  std::uint64_t address = 0;
  unsigned count = 0;
  std::memcpy(&address, parameters.data(), 8);
  std::memcpy(&count, parameters.data() + 8, 4);
  CHECK(address == test::call_of(calls, "cuMemAlloc_v2").exit->numbers("dptr_out")[0]);
  CHECK(count == 4096);

  const Bytes box = recorded().contents(*test::call_of(calls, "cuMemcpy2D_v2").payload("host_in"));
  REQUIRE(box.size() == 12);
  CHECK(box[0] == std::byte{2});
  CHECK(box[4] == std::byte{18});
  CHECK(box[11] == std::byte{37});
}

TEST_CASE("pinned memory is told by ranges and deltas; asynchronous copies when they were waited for") {
  const Calls calls = group_calls(recorded());
  CHECK(attached(test::call_of(calls, "cuMemHostAlloc"), "host_range").number("kind") == 1);
  const Call& to_device = test::call_of(calls, "cuMemcpyHtoDAsync_v2");
  CHECK(to_device.payload("host_in") == nullptr);
  CHECK(attached(to_device, "host_delta").number("phase") == 0);
  const Event* copied = test::call_of(calls, "cuMemcpyDtoHAsync_v2").payload("host_out");
  REQUIRE(copied);
  CHECK(copied->number("phase") == 2);
  CHECK(copied->sequence > test::call_of(calls, "cuStreamSynchronize").sequence());
  CHECK(all_are(recorded().contents(*copied), 101));
}

TEST_CASE("a wait returns when what it waited for is told, also if another thread's wait tells it") {
  const test::Folder folder;
  REQUIRE(test::run(test::record_command(folder.path() / "t", "", WEDJAT_TWO_WAITS_PROGRAM)) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  const Call& copy = test::call_of(calls, "cuMemcpyDtoHAsync_v2", 1);
  CHECK(words(trace.contents(attached(copy, "payload"))) == std::vector<unsigned>{7});
}

TEST_CASE("a call that went well at once, and gave nothing out, has no exit event") {
  const Trace& trace = recorded();
  const Calls calls = group_calls(trace);
  const Call& launch = test::call_of(calls, "cuLaunchKernel", 1);
  CHECK(launch.succeeded());
  CHECK(launch.exit->sequence == launch.sequence());
  const auto events = [&](std::string_view name) {
    return std::ranges::count(trace.events, name, &Event::name);
  };
  CHECK(events("cuLaunchKernel_exit") < events("cuLaunchKernel_entry"));
  CHECK(events("cuMemAlloc_v2_exit") == events("cuMemAlloc_v2_entry"));
}

TEST_CASE("a launch that reaches the driver behind another thread's wait changes memory at the next one") {
  const test::Folder folder;
  REQUIRE(test::run(test::record_command(folder.path() / "t", "late", WEDJAT_GIVEN_MEANWHILE_PROGRAM)) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  for (const Event* event : test::call_of(calls, "cuCtxSynchronize").attached)
    CHECK(event->name == "host_delta");  // not that the device rests
  const Call& last = test::call_of(calls, "cuCtxSynchronize", 1);
  const Event& changed = attached(last, "host_delta");
  CHECK(changed.number("phase") == 1);
  CHECK(trace.contents(changed)[0] == std::byte{6});
  CHECK(attached(last, "host_rest").number("call") == last.sequence());
}

TEST_CASE("managed memory is left alone while another thread's launch may work at it, where it has to be") {
  const test::Folder folder;
  const std::string command =
      test::record_command(folder.path() / "t", "managed", WEDJAT_GIVEN_MEANWHILE_PROGRAM);
  REQUIRE(test::run("FAKE_MANAGED_ALONE=1 " + command) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  const Call& last = test::call_of(calls, "cuCtxSynchronize", 1);
  CHECK(trace.contents(attached(last, "host_delta"))[0] == std::byte{1});
  CHECK(attached(last, "host_rest").number("call") == last.sequence());
}

TEST_CASE(
    "a copy that is given during another thread's wait, or free, is told when it was waited for itself") {
  std::string how;
  SUBCASE("wait") { how = "copy"; }
  SUBCASE("free") { how = "free"; }
  const test::Folder folder;
  REQUIRE(test::run(test::record_command(folder.path() / "t", how, WEDJAT_GIVEN_MEANWHILE_PROGRAM)) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  const Call& copy = test::call_of(calls, "cuMemcpyDtoHAsync_v2");
  CHECK(words(trace.contents(attached(copy, "payload"))) == std::vector<unsigned>{7});
}

TEST_CASE("managed memory: the host's byte before the launch, the kernel's and the host function's after") {
  const Calls calls = group_calls(recorded());
  const Event& written = attached(test::call_of(calls, "cuLaunchKernel", 2), "host_delta");
  CHECK(written.number("size") == 1);
  CHECK(written.bytes("data")[0] == std::byte{7});
  const Call& function = test::call_of(calls, "cuLaunchHostFunc");
  CHECK(attached(function, "host_function").number("call") == function.sequence());
  const Event& by_kernel = attached(function, "host_delta");
  CHECK(by_kernel.number("phase") == 1);
  CHECK(words(recorded().contents(by_kernel))[0] == 8);
  const Event& by_function = attached(function, "host_delta", 1);
  CHECK(by_function.number("phase") == 2);
  CHECK(by_function.number("size") <= 4);
}

TEST_CASE("a managed variable whose size the program did not ask for") {
  const Calls calls = group_calls(recorded());
  const Event& range = attached(test::call_of(calls, "cuLibraryGetManaged"), "host_range");
  CHECK(range.number("kind") == 3);
  CHECK(range.number("size") == 4096);
  bool told = false;
  for (const Event& event : recorded().events)
    told = told || (event.name == "host_delta" && event.number("address") == range.number("address") &&
                    event.bytes("data")[0] == std::byte{5});
  CHECK(told);
}

TEST_CASE("kernels and entry points that escaped are told") {
  bool kernel = false;
  bool escaped = false;
  for (const Event& event : recorded().events) {
    if (event.name == "kernel_info" && event.text("name") == "increment") {
      kernel = event.numbers("offsets") == std::vector<std::uint64_t>{0, 8} &&
               event.numbers("sizes") == std::vector<std::uint64_t>{8, 4} && event.number("known") == 1;
    }
    escaped = escaped || (event.name == "escaped" && event.text("symbol") == "cuFromTheFuture");
  }
  CHECK(kernel);
  CHECK(escaped);
}

TEST_CASE("with --time each launch has the hardware's time, and kernels the registers of a thread") {
  const test::Folder folder;
  std::string command = test::record_command(folder.path() / "t", "exit 7");
  command.insert(command.find(" record ") + 8, "--time ");
  REQUIRE(test::run(command) == 7);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  std::size_t launches = 0;
  for (const Call& call : calls.calls) {
    if (call.base != "cuLaunchKernel" || !call.succeeded()) continue;
    ++launches;
    CHECK(attached(call, "launch_time").number("nanoseconds") == 250000);
  }
  CHECK(launches > 0);
  for (const Event& event : trace.events)
    if (event.name == "kernel_info" && event.number("is_kernel") == 0) CHECK(event.number("registers") == 24);
  for (const Event& event : recorded().events) CHECK(event.name != "launch_time");
}
