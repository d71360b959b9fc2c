// What well-behaved programs do with the library.
#include <thread>

#include "tests/cli/library/library.h"

TEST_CASE("saxpy") {
  const Device device;
  std::vector<float> x(100), y(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i), y[i] = 1;
  const std::uint64_t at_x = device.copy_of(x), at_y = device.copy_of(y);
  CHECK(at_x % 512 == 0);
  const float a = 2;
  const std::uint32_t n = 100;
  const WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(at_y), WEDJAT_ARGUMENT_OF(at_x),
                                      WEDJAT_ARGUMENT_OF(a), WEDJAT_ARGUMENT_OF(n)};
  const WedjatLaunch launch = shape(4, 32);
  WedjatStatistics statistics{};
  statistics.size = sizeof statistics;
  REQUIRE(wedjat_kernel_launch(device.kernel(saxpy, "saxpy"), &launch, arguments, 4, &statistics) ==
          WEDJAT_OK);
  CHECK(statistics.thread_instructions == 28 * 7 + 100 * 18);
  const auto got = device.read<float>(at_y, 100);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == 2 * x[i] + 1);
}

TEST_CASE("memory with contents, and a module of a file") {
  const Device device;
  std::vector<float> x(100, 3);
  std::uint64_t address = 0;
  REQUIRE(wedjat_memory_with(device.handle, x.data(), 400, "x", &address) == WEDJAT_OK);
  CHECK(device.read<float>(address, 100) == x);
  const std::string path = WEDJAT_SOURCE_DIR "/cli/library/examples/saxpy.ptx";
  WedjatModule* module = nullptr;
  WedjatKernel* kernel = nullptr;
  REQUIRE(wedjat_module_load_file(device.handle, path.c_str(), &module) == WEDJAT_OK);
  REQUIRE(wedjat_module_kernel(module, "saxpy", &kernel) == WEDJAT_OK);
  WedjatKernelInfo info{};
  info.size = sizeof info;
  REQUIRE(wedjat_kernel_info(kernel, &info) == WEDJAT_OK);
  CHECK(info.file == path);
  CHECK(wedjat_module_load_file(device.handle, "/nowhere/k.ptx", &module) == WEDJAT_BROKEN_INPUT);
  CHECK(std::string(wedjat_last_error()->file) == "/nowhere/k.ptx");
}

TEST_CASE("what a kernel takes and needs") {
  const Device device;
  WedjatKernel* const kernel = device.kernel(
      head +
      ".visible .entry k(.param .u64 .ptr .global .align 16 to, .param .align 8 .b8 s[24], .param .f32 f)\n"
      ".reqntid 64, 2\n{ .shared .align 4 .b8 fixed[128]; .reg .b32 %r; mov.u32 %r, fixed; ret; }");
  WedjatKernelInfo info{};
  info.size = sizeof info;
  REQUIRE(wedjat_kernel_info(kernel, &info) == WEDJAT_OK);
  CHECK(std::string(info.name) == "k");
  CHECK(std::string(info.file) == "test.ptx");
  CHECK(info.line == 4);
  CHECK(info.parameter_count == 3);
  CHECK(info.parameter_bytes == 36);
  CHECK(info.required_block[1] == 2);
  WedjatParameter parameter{};
  parameter.size = sizeof parameter;
  REQUIRE(wedjat_kernel_parameter(kernel, 0, &parameter) == WEDJAT_OK);
  CHECK(std::string(parameter.name) == "to");
  CHECK(std::string(parameter.type) == "u64");
  CHECK(parameter.is_pointer == 1);
  REQUIRE(wedjat_kernel_parameter(kernel, 1, &parameter) == WEDJAT_OK);
  CHECK(parameter.is_array == 1);
  CHECK(parameter.elements == 24);
  CHECK(parameter.bytes == 24);
  CHECK(parameter.offset == 8);
  CHECK(parameter.alignment == 8);
  WedjatKernelNeeds needs{};
  needs.size = sizeof needs;
  REQUIRE(wedjat_kernel_needs(kernel, &needs) == WEDJAT_OK);
  CHECK(needs.static_shared_bytes == 128);
  CHECK(needs.most_threads == 128);
  CHECK(needs.ptx_version == 80);
}

TEST_CASE("several sources are one module, with variables and kernels in order") {
  const Device device;
  const std::string first =
                        head + ".visible .global .align 4 .u32 number = 41;\n.visible .entry a() { ret; }",
                    second =
                        head +
                        ".extern .global .align 4 .u32 number;\n.visible .entry b() { .reg .b32 %r; "
                        "ld.global.u32 %r, [number]; add.u32 %r, %r, 1; st.global.u32 [number], %r; ret; }";
  const WedjatSource sources[] = {{"first.ptx", first.c_str(), first.size()}, {nullptr, second.c_str(), 0}};
  WedjatModule* module = nullptr;
  REQUIRE(wedjat_module_load(device.handle, sources, 2, &module) == WEDJAT_OK);
  std::size_t count = 0;
  REQUIRE(wedjat_module_kernel_count(module, &count) == WEDJAT_OK);
  REQUIRE(count == 2);
  WedjatKernel *kernel = nullptr, *same = nullptr;
  REQUIRE(wedjat_module_kernel_at(module, 1, &kernel) == WEDJAT_OK);
  REQUIRE(wedjat_module_kernel(module, "b", &same) == WEDJAT_OK);
  CHECK(kernel == same);
  const WedjatLaunch launch = shape(1, 1);
  REQUIRE(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr) == WEDJAT_OK);
  REQUIRE(wedjat_module_variable_count(module, &count) == WEDJAT_OK);
  REQUIRE(count == 1);
  WedjatVariable variable{};
  variable.size = sizeof variable;
  REQUIRE(wedjat_module_variable_at(module, 0, &variable) == WEDJAT_OK);
  CHECK(std::string(variable.name) == "number");
  REQUIRE(wedjat_module_variable(module, "number", &variable) == WEDJAT_OK);
  CHECK(std::string(variable.type) == "u32");
  CHECK(variable.bytes == 4);
  CHECK(device.read<std::uint32_t>(variable.address, 1)[0] == 42);
}

TEST_CASE("copies and fills") {
  const Device device;
  const std::uint64_t at = device.copy_of(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
  REQUIRE(wedjat_memory_copy(device.handle, at + 8, at, 16) == WEDJAT_OK);
  CHECK(device.read<std::uint32_t>(at, 8) == std::vector<std::uint32_t>{1, 2, 1, 2, 3, 4, 7, 8});
  const std::uint16_t pattern = 0x1234;
  REQUIRE(wedjat_memory_fill(device.handle, at + 4, &pattern, 2, 3) == WEDJAT_OK);
  CHECK(device.read<std::uint32_t>(at, 3) == std::vector<std::uint32_t>{1, 0x12341234, 0x00001234});
  constexpr std::uint64_t large = (3 << 20) + 13;
  const std::uint64_t long_one = device.allocate(large);
  const char triple[] = {1, 2, 3};
  REQUIRE(wedjat_memory_fill(device.handle, long_one, triple, 3, large / 3) == WEDJAT_OK);
  REQUIRE(wedjat_memory_copy(device.handle, long_one + 1, long_one, large - 1) == WEDJAT_OK);
  const auto bytes = device.read<char>(long_one, large);
  for (std::uint64_t i = 1; i < large - 1; ++i) REQUIRE(bytes[i] == static_cast<char>((i - 1) % 3 + 1));
}

TEST_CASE("memory of the host is the kernel's too, at its own alignment") {
  const Device device;
  std::vector<float> x(101, 3), y(101, 1);
  std::uint64_t at_x = 0, at_y = 0;
  REQUIRE(wedjat_memory_adopt(device.handle, x.data(), 404, "x", &at_x) == WEDJAT_OK);
  REQUIRE(wedjat_memory_adopt(device.handle, y.data() + 1, 400, "y", &at_y) == WEDJAT_OK);
  const float a = 2;
  const std::uint32_t n = 100;
  const WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(at_y), WEDJAT_ARGUMENT_OF(at_x),
                                      WEDJAT_ARGUMENT_OF(a), WEDJAT_ARGUMENT_OF(n)};
  const WedjatLaunch launch = shape(4, 32);
  REQUIRE(wedjat_kernel_launch(device.kernel(saxpy, "saxpy"), &launch, arguments, 4, nullptr) == WEDJAT_OK);
  CHECK(y[0] == 1);
  for (std::size_t i = 1; i < y.size(); ++i) CHECK(y[i] == 7);
  CHECK(wedjat_memory_free(device.handle, at_y) == WEDJAT_OK);
  CHECK(y[1] == 7);
}

TEST_CASE("kernels print") {
  std::string printed;
  WedjatRunOptions options{};
  options.size = sizeof options;
  options.print = [](void* user, const char* text, size_t bytes) {
    static_cast<std::string*>(user)->append(text, bytes);
  };
  options.print_user = &printed;
  const Device device(&options);
  WedjatKernel* const kernel = device.kernel(saying_hi);
  const WedjatLaunch launch = shape(1, 2);
  const WedjatStatus status = wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr);
  INFO(wedjat_last_error()->message);
  REQUIRE(status == WEDJAT_OK);
  CHECK(printed == "Hi\nHi\n");
}

TEST_CASE("devices in several threads do not disturb each other, calls for one wait for each other") {
  const Device shared;
  WedjatKernel* const counting =
      shared.kernel(head +
                    ".visible .entry k(.param .u64 to) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [to];\n"
                    "ld.global.u32 %r, [%d]; add.u32 %r, %r, 1; st.global.u32 [%d], %r; ret; }");
  const std::uint64_t counter = shared.allocate(4);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      WedjatDevice* own = nullptr;
      const WedjatArgument argument = WEDJAT_ARGUMENT_OF(counter);
      const WedjatLaunch launch = shape(1, 1);
      wrong[t] += wedjat_device_create(nullptr, &own) != WEDJAT_OK;
      const WedjatSource source{"saxpy", saxpy.c_str(), 0};
      WedjatModule* module = nullptr;
      wrong[t] += wedjat_module_load(own, &source, 1, &module) != WEDJAT_OK;
      for (int i = 0; i < 50; ++i)
        wrong[t] += wedjat_kernel_launch(counting, &launch, &argument, 1, nullptr) != WEDJAT_OK;
      // The last error is this thread's own.
      wrong[t] += wedjat_memory_free(own, static_cast<std::uint64_t>(t) + 1) != WEDJAT_WRONG_ARGUMENT;
      wrong[t] += std::string(wedjat_last_error()->message).find("0x" + std::to_string(t + 1) + " ") != 0;
      wrong[t] += wedjat_device_free(own) != WEDJAT_OK;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
  CHECK(shared.read<std::uint32_t>(counter, 1)[0] == 200);
}

TEST_CASE("addresses come again, but late") {
  const Device device;
  const std::uint64_t first = device.allocate(100);
  REQUIRE(wedjat_memory_free(device.handle, first) == WEDJAT_OK);
  CHECK(device.allocate(100) != first);
  constexpr std::uint64_t large = std::uint64_t{60} << 30;
  std::uint64_t address = 0;
  // More than three times as much as there is.
  for (int i = 0; i < 8; ++i) {
    const WedjatStatus status = wedjat_memory_allocate(device.handle, large, nullptr, &address);
    if (status != WEDJAT_OK) {
      MESSAGE("this machine has not so much: ", wedjat_last_error()->message);
      break;
    }
    REQUIRE(wedjat_memory_free(device.handle, address) == WEDJAT_OK);
  }
}
