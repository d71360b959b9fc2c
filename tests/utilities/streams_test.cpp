// Races among kernels: what streams and events order.
#include "tests/utilities/watched.h"

using namespace wedjat;

namespace {

constexpr const char* increments = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.s32 %r2, %r2, 1;
  st.global.u32 [%rd3], %r2;
  ret; })";

// A program of one kernel under race_check: driver calls, and launches in streams.
struct Program {
  hooks::Hooks hooks;
  std::unique_ptr<device::Device> device;
  device::Module* module = nullptr;
  std::uint64_t sequence = 0;

  Program() {
    hooks.add("race_check");
    device::DeviceOptions options;
    options.threads = 1;
    options.hooks = &hooks;
    device = std::make_unique<device::Device>(options);
    module = device->load_module({{"k.ptx", increments}}, {});
    device->allocate_at(0x7f0000000000, 256, "buffer");
  }
  using Arguments = std::vector<std::pair<const char*, std::uint64_t>>;
  void tell(const char* name, const Arguments& arguments, bool is_exit) {
    std::vector<wedjat_argument> list;
    for (const auto& [field, number] : arguments) list.push_back({field, "", number});
    wedjat_call call{sizeof call, name,    "",          sequence,
                     0,           is_exit, list.data(), static_cast<std::uint32_t>(list.size())};
    hooks.call(call);
  }
  void call(const char* name, const Arguments& entry, const Arguments& exit = {}) {
    ++sequence;
    tell(name, entry, false);
    tell(name, exit, true);
  }
  void launch_graph(std::uint64_t stream, const std::vector<std::uint64_t>& captured) {
    ++sequence;
    tell("cuGraphLaunch", {{"hGraph", 1}, {"hStream", stream}}, false);
    for (const std::uint64_t in : captured) launch(in);
    tell("cuGraphLaunch", {}, true);
  }
  void launch(std::uint64_t stream) {
    const Arguments arguments = {{"f", 1}, {"hStream", stream}};
    ++sequence;
    tell("cuLaunchKernel", arguments, false);
    std::vector<std::byte> parameters(8);
    constexpr std::uint64_t address = 0x7f0000000000;
    std::memcpy(parameters.data(), &address, 8);
    device::LaunchConfig config;
    config.block[0] = 32;
    device->launch(device->function(module, "k"), config, parameters);
    tell("cuLaunchKernel", {}, true);
  }
  void stream(std::uint64_t handle, std::uint64_t flags) {
    call("cuStreamCreate", {{"Flags", flags}}, {{"phStream", handle}});
  }
  std::uint64_t races() { return hooks.finish().at(0).errors; }
};

}  // namespace

TEST_CASE("one stream, or the default one, is in order") {
  for (const std::uint64_t stream : {0, 7}) {
    Program p;
    p.stream(7, 0);
    for (int i = 0; i < 3; ++i) p.launch(stream);
    CHECK(p.races() == 0);
  }
}

TEST_CASE("two streams without an event race") {
  Program p;
  p.stream(7, 1);
  p.stream(8, 1);
  p.launch(7);
  p.launch(8);
  CHECK(p.races() > 0);
}

TEST_CASE("an event, a wait of the host or the default stream order two streams") {
  for (const char* how : {"event", "event of before", "stream", "context", "default", "default apart"}) {
    INFO(how);
    const std::string_view way = how;
    const bool apart = way != "default";
    Program p;
    p.stream(7, apart);
    p.stream(8, apart);
    if (way == "event of before") p.call("cuEventRecord", {{"hEvent", 3}, {"hStream", 7}});
    p.launch(7);
    if (way == "event") p.call("cuEventRecord", {{"hEvent", 3}, {"hStream", 7}});
    if (way.starts_with("event")) p.call("cuStreamWaitEvent", {{"hStream", 8}, {"hEvent", 3}});
    if (way == "stream") p.call("cuStreamSynchronize", {{"hStream", 7}});
    if (way == "context") p.call("cuCtxSynchronize", {});
    if (way.starts_with("default")) p.launch(0);
    if (!way.starts_with("default")) p.launch(8);
    const bool races = way == "event of before" || way == "default apart";
    CHECK((p.races() > 0) == races);
  }
}

TEST_CASE("three streams, of which one waits for another") {
  Program p;
  for (const std::uint64_t stream : {7, 8, 9}) p.stream(stream, 1);
  p.launch(7);
  p.call("cuEventRecord", {{"hEvent", 3}, {"hStream", 7}});
  p.call("cuStreamWaitEvent", {{"hStream", 8}, {"hEvent", 3}});
  p.launch(8);
  p.launch(9);
  CHECK(p.races() > 0);
}

TEST_CASE("kernels of a graph are ordered by it, whatever streams they were captured in") {
  Program program;
  program.stream(8, 1);
  program.stream(9, 1);
  program.launch_graph(8, {8, 9, 8});
  program.launch_graph(8, {8, 9});
  CHECK(program.races() == 0);
}

TEST_CASE("graphs in streams that do not wait for each other race") {
  Program program;
  program.stream(8, 1);
  program.stream(9, 1);
  program.launch_graph(8, {8});
  program.launch_graph(9, {8});
  CHECK(program.races() > 0);
}
