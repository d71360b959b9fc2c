// Everything that a program may do wrong gives an error, and the library goes on.
#include <cstdint>
#include <limits>

#include "tests/cli/library/library.h"

namespace {

template <class Handle>
Handle* made_up(std::uintptr_t number) {
  return reinterpret_cast<Handle*>(number);
}

// Asks for everything of a device that is none.
void ask(WedjatDevice* device, const std::string& text) {
  WedjatModule* module = nullptr;
  WedjatArray* array = nullptr;
  std::uint64_t number = 0;
  char* json = nullptr;
  char byte = 0;
  const WedjatSource source{"a", saxpy.c_str(), 0};
  const WedjatShape texels{sizeof texels, WEDJAT_FORMAT_F32, 1, 8, 8, 0, 0, 0, 0};
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, text); };
  wrong(wedjat_device_free(device));
  wrong(wedjat_device_report(device, &json));
  wrong(wedjat_memory_allocate(device, 4, nullptr, &number));
  wrong(wedjat_memory_with(device, &byte, 1, nullptr, &number));
  wrong(wedjat_memory_adopt(device, &byte, 1, nullptr, &number));
  wrong(wedjat_memory_free(device, 1));
  wrong(wedjat_memory_write(device, 1, &byte, 1));
  wrong(wedjat_memory_read(device, 1, &byte, 1));
  wrong(wedjat_memory_copy(device, 1, 2, 1));
  wrong(wedjat_memory_fill(device, 1, &byte, 1, 1));
  wrong(wedjat_module_load(device, &source, 1, &module));
  wrong(wedjat_module_load_file(device, "a.ptx", &module));
  wrong(wedjat_array_create(device, &texels, &array));
  wrong(wedjat_texture_create_linear(device, 1, 0, &texels, nullptr, &number));
  wrong(wedjat_object_free(device, 1));
  CHECK(module == nullptr);
  CHECK(array == nullptr);
  CHECK(number == 0);
  CHECK(json == nullptr);
}

void ask(WedjatModule* module, const std::string& text) {
  std::size_t count = 77;
  WedjatKernel* kernel = nullptr;
  WedjatVariable variable{};
  variable.size = sizeof variable;
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, text); };
  wrong(wedjat_module_free(module));
  wrong(wedjat_module_kernel_count(module, &count));
  wrong(wedjat_module_kernel_at(module, 0, &kernel));
  wrong(wedjat_module_kernel(module, "saxpy", &kernel));
  wrong(wedjat_module_variable_count(module, &count));
  wrong(wedjat_module_variable_at(module, 0, &variable));
  wrong(wedjat_module_variable(module, "x", &variable));
  wrong(wedjat_module_bind(module, "x", 1));
  CHECK(count == 77);
  CHECK(kernel == nullptr);
}

void ask(WedjatKernel* kernel, const std::string& text) {
  WedjatKernelInfo info{};
  info.size = sizeof info;
  WedjatKernelNeeds needs{};
  needs.size = sizeof needs;
  WedjatParameter parameter{};
  parameter.size = sizeof parameter;
  const WedjatLaunch launch = shape(1, 1);
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, text); };
  wrong(wedjat_kernel_info(kernel, &info));
  wrong(wedjat_kernel_needs(kernel, &needs));
  wrong(wedjat_kernel_parameter(kernel, 0, &parameter));
  wrong(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr));
}

void ask(WedjatArray* array, const std::string& text) {
  std::uint64_t number = 0;
  char byte = 0;
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, text); };
  wrong(wedjat_array_free(array));
  wrong(wedjat_array_bytes(array, 0, &number));
  wrong(wedjat_array_write(array, 0, &byte, 1));
  wrong(wedjat_array_read(array, 0, &byte, 1));
  wrong(wedjat_texture_create(array, nullptr, &number));
  wrong(wedjat_surface_create(array, &number));
  CHECK(number == 0);
}

template <class Handle>
void ask_wrong_ones(Handle* of_another_kind) {
  ask(static_cast<Handle*>(nullptr), "is NULL");
  ask(made_up<Handle>(0x1234567890), "never gave it out");
  ask(made_up<Handle>(~std::uintptr_t{0}), "never gave it out");
  int on_the_stack = 0;
  ask(reinterpret_cast<Handle*>(&on_the_stack), "never gave it out");
  ask(of_another_kind, "was never a");
}

WedjatArray* array_of(const Device& device) {
  const WedjatShape texels{sizeof texels, WEDJAT_FORMAT_F32, 1, 8, 8, 0, 0, 0, 0};
  WedjatArray* array = nullptr;
  REQUIRE(wedjat_array_create(device.handle, &texels, &array) == WEDJAT_OK);
  return array;
}

}  // namespace

TEST_CASE("handles that are NULL, made up, or of another kind") {
  const Device device;
  WedjatModule* const module = device.load(saxpy);
  ask_wrong_ones(reinterpret_cast<WedjatDevice*>(module));
  ask_wrong_ones(reinterpret_cast<WedjatModule*>(device.handle));
  ask_wrong_ones(reinterpret_cast<WedjatKernel*>(module));
  ask_wrong_ones(reinterpret_cast<WedjatArray*>(module));
}

TEST_CASE("handles that are gone, alone or with their device or module") {
  Device device;
  WedjatModule *const freed = device.load(saxpy), *const left = device.load(saxpy);
  WedjatKernel *kernel = nullptr, *other = nullptr;
  REQUIRE(wedjat_module_kernel(freed, "saxpy", &kernel) == WEDJAT_OK);
  REQUIRE(wedjat_module_kernel(left, "saxpy", &other) == WEDJAT_OK);
  WedjatArray *const array = array_of(device), *const other_array = array_of(device);
  REQUIRE(wedjat_module_free(freed) == WEDJAT_OK);
  REQUIRE(wedjat_array_free(array) == WEDJAT_OK);
  ask(freed, "is gone");
  ask(kernel, "is gone");
  ask(array, "is gone");
  WedjatKernelInfo info{};
  info.size = sizeof info;
  CHECK(wedjat_kernel_info(other, &info) == WEDJAT_OK);
  REQUIRE(wedjat_device_free(device.handle) == WEDJAT_OK);
  ask(device.handle, "is gone");
  ask(left, "is gone");
  ask(other, "is gone");
  ask(other_array, "is gone");
  device.handle = nullptr;
}

TEST_CASE("NULL where something must be") {
  const Device device;
  WedjatModule* const module = device.load(saxpy);
  WedjatKernel* const kernel = device.kernel(saxpy, "saxpy");
  WedjatArray* const array = array_of(device);
  const std::uint64_t at = device.allocate(8);
  const WedjatSource no_text{"a", nullptr, 5}, source{"a", saxpy.c_str(), 0};
  const WedjatShape texels{sizeof texels, WEDJAT_FORMAT_F32, 1, 8, 8, 0, 0, 0, 0};
  std::uint64_t number = 0;
  WedjatModule* other = nullptr;
  WedjatArray* other_array = nullptr;
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, "NULL"); };
  wrong(wedjat_device_create(nullptr, nullptr));
  wrong(wedjat_device_report(device.handle, nullptr));
  wrong(wedjat_memory_allocate(device.handle, 8, nullptr, nullptr));
  wrong(wedjat_memory_adopt(device.handle, nullptr, 8, nullptr, &number));
  wrong(wedjat_memory_write(device.handle, at, nullptr, 8));
  wrong(wedjat_memory_read(device.handle, at, nullptr, 8));
  wrong(wedjat_memory_fill(device.handle, at, nullptr, 1, 8));
  wrong(wedjat_module_load(device.handle, nullptr, 1, &other));
  wrong(wedjat_module_load(device.handle, &no_text, 1, &other));
  wrong(wedjat_module_load(device.handle, &source, 1, nullptr));
  wrong(wedjat_module_kernel_count(module, nullptr));
  wrong(wedjat_module_kernel_at(module, 0, nullptr));
  wrong(wedjat_module_kernel(module, "saxpy", nullptr));
  wrong(wedjat_module_kernel(module, nullptr, nullptr));
  wrong(wedjat_module_variable_count(module, nullptr));
  wrong(wedjat_module_variable(module, nullptr, nullptr));
  wrong(wedjat_module_bind(module, nullptr, 1));
  wrong(wedjat_kernel_info(kernel, nullptr));
  wrong(wedjat_kernel_needs(kernel, nullptr));
  wrong(wedjat_kernel_parameter(kernel, 0, nullptr));
  wrong(wedjat_kernel_launch(kernel, nullptr, nullptr, 0, nullptr));
  wrong(wedjat_array_create(device.handle, nullptr, &other_array));
  wrong(wedjat_array_create(device.handle, &texels, nullptr));
  wrong(wedjat_array_bytes(array, 0, nullptr));
  wrong(wedjat_array_write(array, 0, nullptr, 256));
  wrong(wedjat_array_read(array, 0, nullptr, 256));
  wrong(wedjat_texture_create(array, nullptr, nullptr));
  wrong(wedjat_surface_create(array, nullptr));
  wrong(wedjat_texture_create_linear(device.handle, at, 0, nullptr, nullptr, &number));
  wrong(wedjat_tools(nullptr));
  wrong(wedjat_replay(nullptr, nullptr, nullptr));
  wrong(wedjat_replay("trace", nullptr, nullptr));
  wedjat_text_free(nullptr);
  wedjat_interrupt();
}

TEST_CASE("structs that say a wrong size, or hold what is not known") {
  WedjatDevice* device = nullptr;
  WedjatRunOptions options{};
  check_error(wedjat_device_create(&options, &device), WEDJAT_WRONG_ARGUMENT, "size is 0");
  struct {
    WedjatRunOptions known;
    std::uint64_t more;
  } newer{};
  newer.known.size = sizeof newer;
  REQUIRE(wedjat_device_create(&newer.known, &device) == WEDJAT_OK);
  wedjat_device_free(device);
  newer.more = 1;
  check_error(wedjat_device_create(&newer.known, &device), WEDJAT_WRONG_ARGUMENT, "older");
  // A program that was built when there was less.
  options.size = sizeof options.size + sizeof options.threads;
  options.jit = 99;
  REQUIRE(wedjat_device_create(&options, &device) == WEDJAT_OK);
  wedjat_device_free(device);
  const Device own;
  WedjatKernel* const kernel = own.kernel(saxpy, "saxpy");
  WedjatKernelInfo info{};
  check_error(wedjat_kernel_info(kernel, &info), WEDJAT_WRONG_ARGUMENT, "size is 0");
  info.size = sizeof info.size + sizeof info.name;
  info.line = 99;
  REQUIRE(wedjat_kernel_info(kernel, &info) == WEDJAT_OK);
  CHECK(std::string(info.name) == "saxpy");
  CHECK(info.line == 99);
}

TEST_CASE("options that cannot be had") {
  const auto refused = [](auto set, const char* text) {
    WedjatDevice* device = nullptr;
    WedjatRunOptions options{};
    options.size = sizeof options;
    set(options);
    check_error(wedjat_device_create(&options, &device), WEDJAT_WRONG_ARGUMENT, text);
    CHECK(device == nullptr);
  };
  static const char* const no_tool[] = {"no_such_tool"};
  static const char* const no_option[] = {"instruction_count,colour=red"};
  static const char* const no_name[] = {nullptr};
  refused([](auto& o) { o.jit = 3; }, "jit is 3");
  refused([](auto& o) { o.contract = 2; }, "contract is 2");
  refused([](auto& o) { o.threads = 5000; }, "threads is 5000");
  refused([](auto& o) { o.stack_limit = 12; }, "stack_limit is 12");
  refused([](auto& o) { o.tools = no_tool, o.tool_count = 1; }, "no tool 'no_such_tool'");
  refused([](auto& o) { o.tools = no_option, o.tool_count = 1; }, "no option 'colour'");
  refused([](auto& o) { o.tools = no_name, o.tool_count = 1; }, "NULL");
  refused([](auto& o) { o.tool_count = 1; }, "NULL");
  refused([](auto& o) { o.suppressions = "list"; }, "without tools");
  WedjatDevice* device = nullptr;
  WedjatRunOptions options{};
  options.size = sizeof options;
  options.check = 1;
  options.suppressions = "/no/such/list";
  check_error(wedjat_device_create(&options, &device), WEDJAT_BROKEN_INPUT, "/no/such/list");
}

TEST_CASE("memory that is not there, absurd sizes") {
  const Device device;
  const std::uint64_t at = device.allocate(100);
  alignas(512) char bytes[200] = {};
  std::uint64_t address = 5;
  const auto wrong = [&](WedjatStatus status) { check_error(status, WEDJAT_WRONG_ARGUMENT, ""); };
  wrong(wedjat_memory_allocate(device.handle, 0, nullptr, &address));
  for (const std::uint64_t size : {std::uint64_t{1} << 45, std::numeric_limits<std::uint64_t>::max()})
    CHECK(wedjat_memory_allocate(device.handle, size, nullptr, &address) == WEDJAT_REFUSED);
  for (char* from : {bytes, bytes + 1})
    wrong(wedjat_memory_adopt(device.handle, from, ~std::uint64_t{0}, nullptr, &address));
  CHECK(address == 5);
  wrong(wedjat_memory_write(device.handle, at, bytes, 101));
  wrong(wedjat_memory_write(device.handle, at - 1, bytes, 1));
  wrong(wedjat_memory_read(device.handle, at + 100, bytes, 1));
  wrong(wedjat_memory_read(device.handle, 0, bytes, 1));
  wrong(wedjat_memory_read(device.handle, ~std::uint64_t{0}, bytes, 2));
  wrong(wedjat_memory_copy(device.handle, at, at + 60, 50));
  wrong(wedjat_memory_copy(device.handle, at + 60, at, ~std::uint64_t{0} - 5));
  wrong(wedjat_memory_fill(device.handle, at, bytes, 0, 1));
  wrong(wedjat_memory_fill(device.handle, at, bytes, 17, 1));
  wrong(wedjat_memory_fill(device.handle, at, bytes, 16, std::uint64_t{1} << 62));
  wrong(wedjat_memory_fill(device.handle, at, bytes, 4, 26));
  CHECK(wedjat_memory_fill(device.handle, at, bytes, 4, 0) == WEDJAT_OK);
  wrong(wedjat_memory_free(device.handle, at + 1));
  REQUIRE(wedjat_memory_free(device.handle, at) == WEDJAT_OK);
  wrong(wedjat_memory_free(device.handle, at));
  wrong(wedjat_memory_read(device.handle, at, bytes, 1));
}

TEST_CASE("text that is no PTX, or not to be run, is told with its place") {
  const Device device;
  const auto load = [&](const std::string& text, WedjatModule** module) {
    const WedjatSource source{"bad.ptx", text.data(), text.size()};
    return wedjat_module_load(device.handle, &source, text.empty() ? 0 : 1, module);
  };
  WedjatModule* module = nullptr;
  check_error(load("", &module), WEDJAT_WRONG_ARGUMENT, "no sources");
  for (const std::string& text :
       {std::string("hello"), head + "\n.visible .entry k(", head + ".global .u33 x;", std::string(3, '\0'),
        std::string("\xff\xfe\x00\x80", 4),
        head + ".visible .entry k(.param .u32 p[99999999999999999999]) { ret; }"}) {
    INFO(text);
    const WedjatStatus status = load(text, &module);
    check_error(status, WEDJAT_BROKEN_INPUT, "bad.ptx");
    CHECK(std::string(wedjat_last_error()->file) == "bad.ptx");
    CHECK(wedjat_last_error()->line > 0);
    CHECK(module == nullptr);
  }
  REQUIRE(load(head + ".visible .entry k() {\n  frobnicate.b32 1;\n  ret; }\n.visible .entry well() { ret; }",
               &module) == WEDJAT_OK);
  WedjatKernel* kernel = nullptr;
  REQUIRE(wedjat_module_kernel(module, "k", &kernel) == WEDJAT_OK);
  const WedjatLaunch launch = shape(1, 1);
  check_error(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr), WEDJAT_REFUSED, "frobnicate");
  CHECK(std::string(wedjat_last_error()->file) == "bad.ptx");
  CHECK(wedjat_last_error()->line == 5);
  WedjatKernelNeeds needs{};
  needs.size = sizeof needs;
  check_error(wedjat_kernel_needs(kernel, &needs), WEDJAT_REFUSED, "frobnicate");
  // The device is not broken by it.
  REQUIRE(wedjat_module_kernel(module, "well", &kernel) == WEDJAT_OK);
  CHECK(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr) == WEDJAT_OK);
  check_error(wedjat_module_kernel(module, "absent", &kernel), WEDJAT_WRONG_ARGUMENT, "it has k, well");
  check_error(wedjat_module_kernel_at(module, 2, &kernel), WEDJAT_WRONG_ARGUMENT,
              "kernel 2 of a module that has 2");
  WedjatVariable variable{};
  variable.size = sizeof variable;
  check_error(wedjat_module_variable(module, "x", &variable), WEDJAT_WRONG_ARGUMENT, "no variable x");
  check_error(wedjat_module_variable_at(module, 0, &variable), WEDJAT_WRONG_ARGUMENT, "variable 0");
}

TEST_CASE("wrong arguments and shapes of a launch") {
  const Device device;
  WedjatKernel* const kernel = device.kernel(saxpy, "saxpy");
  const std::uint64_t at = device.allocate(4);
  const float a = 1;
  const double wide = 1;
  const std::uint32_t n = 1;
  const WedjatArgument good[] = {WEDJAT_ARGUMENT_OF(at), WEDJAT_ARGUMENT_OF(at), WEDJAT_ARGUMENT_OF(a),
                                 WEDJAT_ARGUMENT_OF(n)};
  WedjatLaunch launch = shape(1, 1);
  const auto refused = [&](const WedjatArgument* arguments, std::size_t count, const char* text,
                           WedjatStatus status = WEDJAT_WRONG_ARGUMENT) {
    check_error(wedjat_kernel_launch(kernel, &launch, arguments, count, nullptr), status, text);
    CHECK(std::string(wedjat_last_error()->file) == "test.ptx");
    CHECK(wedjat_last_error()->line == 4);
  };
  refused(good, 3, "it takes 4 arguments, 3 are given");
  refused(good, 5, "it takes 4 arguments, 5 are given");
  refused(nullptr, 0, "0 are given");
  const WedjatArgument too_wide[] = {good[0], good[1], WEDJAT_ARGUMENT_OF(wide), good[3]};
  refused(too_wide, 4, "parameter 2 (a, .f32) has 4 bytes, argument 2 has 8");
  const WedjatArgument null[] = {good[0], {nullptr, 8}, good[2], good[3]};
  refused(null, 4, "argument 1 (x) is NULL");
  check_error(wedjat_kernel_launch(kernel, &launch, nullptr, 4, nullptr), WEDJAT_WRONG_ARGUMENT,
              "arguments is NULL");
  launch = shape(0, 1);
  refused(good, 4, "no extent", WEDJAT_REFUSED);
  launch = shape(1, 2048);
  refused(good, 4, "2048", WEDJAT_REFUSED);
  launch = shape(1, 1);
  launch.grid[1] = 70000;
  refused(good, 4, "70000", WEDJAT_REFUSED);
  launch = shape(1, 1);
  launch.shared_bytes = 1 << 20;
  refused(good, 4, "shared memory", WEDJAT_REFUSED);
  launch = shape(3, 1);
  launch.cluster[0] = 2;
  refused(good, 4, "cluster", WEDJAT_REFUSED);
  launch = shape(1, 1);
  CHECK(wedjat_kernel_launch(kernel, &launch, good, 4, nullptr) == WEDJAT_OK);
  WedjatParameter parameter{};
  parameter.size = sizeof parameter;
  check_error(wedjat_kernel_parameter(kernel, 4, &parameter), WEDJAT_WRONG_ARGUMENT, "parameter 4 of 4");
}
