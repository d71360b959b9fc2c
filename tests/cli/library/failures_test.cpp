// Kernels that fail, that do not end, and callbacks that do what they must not.
#include <chrono>
#include <thread>

#include "tests/cli/library/library.h"

TEST_CASE("a kernel that fails is told with its place, and breaks its device only") {
  const Device device, other;
  WedjatKernel* const kernel = device.kernel(saxpy, "saxpy");
  const std::uint64_t at = device.allocate(40);
  const float a = 1;
  const std::uint32_t n = 64;
  const WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(at), WEDJAT_ARGUMENT_OF(at), WEDJAT_ARGUMENT_OF(a),
                                      WEDJAT_ARGUMENT_OF(n)};
  const WedjatLaunch launch = shape(1, 32);
  check_error(wedjat_kernel_launch(kernel, &launch, arguments, 4, nullptr), WEDJAT_KERNEL_FAILED, "saxpy");
  const WedjatError* error = wedjat_last_error();
  CHECK(std::string(error->call) == "wedjat_kernel_launch");
  CHECK(std::string(error->file) == "test.ptx");
  CHECK(error->line == 14);
  CHECK(std::string(error->kernel) == "saxpy");
  CHECK(std::string(error->fault) == "access out of bounds");
  CHECK(error->cta == 0);
  CHECK(error->thread == 10);
  float value = 0;
  std::uint64_t address = 0;
  check_error(wedjat_kernel_launch(kernel, &launch, arguments, 4, nullptr), WEDJAT_KERNEL_FAILED,
              "cannot be used");
  CHECK(std::string(wedjat_last_error()->file).empty());
  check_error(wedjat_memory_read(device.handle, at, &value, 4), WEDJAT_KERNEL_FAILED, "cannot be used");
  check_error(wedjat_memory_free(device.handle, at), WEDJAT_KERNEL_FAILED, "cannot be used");
  char* json = nullptr;
  REQUIRE(wedjat_device_report(device.handle, &json) == WEDJAT_OK);
  wedjat_text_free(json);
  CHECK(wedjat_memory_allocate(other.handle, 4, nullptr, &address) == WEDJAT_OK);
}

TEST_CASE("what else a kernel does wrong") {
  const auto fault = [](const std::string& body) {
    const Device device;
    const WedjatLaunch launch = shape(1, 32);
    const WedjatStatus status = wedjat_kernel_launch(
        device.kernel(
            head +
            ".visible .entry k() { .reg .b32 %r; .reg .b64 %d; .reg .pred %p; .shared .align 4 .b8 s[64];\n" +
            body + "\nret; }"),
        &launch, nullptr, 0, nullptr);
    check_error(status, WEDJAT_KERNEL_FAILED, "");
    return std::string(wedjat_last_error()->fault);
  };
  CHECK(fault("trap;") == "trap");
  CHECK(fault("mov.u64 %d, 0; st.global.u32 [%d], 1;") == "access out of bounds");
  CHECK(fault("mov.u32 %r, s; st.shared.u32 [%r+1], 1;") == "misaligned access");
  CHECK(fault("mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p exit; bar.sync 0, 64;") == "deadlock");
}

TEST_CASE("a kernel that does not end is ended") {
  const std::string text = head + ".visible .entry k() { L: bra L; }";
  WedjatRunOptions options{};
  options.size = sizeof options;
  options.step_limit = 10000;
  const WedjatLaunch launch = shape(1, 1);
  {
    const Device device(&options);
    check_error(wedjat_kernel_launch(device.kernel(text), &launch, nullptr, 0, nullptr), WEDJAT_KERNEL_FAILED,
                "10000");
    CHECK(std::string(wedjat_last_error()->fault) == "step limit reached");
  }
  const Device device;
  WedjatKernel* const kernel = device.kernel(text);
  bool over = false;
  std::thread ender([&] {
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      wedjat_interrupt();
    }
  });
  check_error(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr), WEDJAT_INTERRUPTED, "interrupted");
  __atomic_store_n(&over, true, __ATOMIC_RELAXED);
  ender.join();
  // What comes after is not interrupted too.
  const Device next;
  CHECK(wedjat_kernel_launch(next.kernel(head + ".visible .entry k() { ret; }"), &launch, nullptr, 0,
                             nullptr) == WEDJAT_OK);
}

TEST_CASE("a callback that calls for its own device is told, and nothing waits for ever") {
  struct Seen {
    WedjatDevice* device = nullptr;
    WedjatStatus status = WEDJAT_OK;
    std::string message;
  } seen;
  WedjatRunOptions options{};
  options.size = sizeof options;
  options.print = [](void* user, const char*, size_t) {
    auto& to = *static_cast<Seen*>(user);
    std::uint64_t address = 0;
    to.status = wedjat_memory_allocate(to.device, 4, nullptr, &address);
    to.message = wedjat_last_error()->message;
  };
  options.print_user = &seen;
  const Device device(&options);
  seen.device = device.handle;
  WedjatKernel* const kernel = device.kernel(saying_hi);
  const WedjatLaunch launch = shape(1, 1);
  CHECK(wedjat_kernel_launch(kernel, &launch, nullptr, 0, nullptr) == WEDJAT_OK);
  CHECK(seen.status == WEDJAT_WRONG_ARGUMENT);
  CHECK(seen.message.find("callback") != std::string::npos);
}

TEST_CASE("a device that is freed while another thread uses it") {
  for (int round = 0; round < 20; ++round) {
    Device device;
    WedjatKernel* const kernel = device.kernel(saxpy, "saxpy");
    std::thread user([&] {
      WedjatKernelInfo info{};
      info.size = sizeof info;
      while (wedjat_kernel_info(kernel, &info) == WEDJAT_OK) {
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
    CHECK(wedjat_device_free(device.handle) == WEDJAT_OK);
    device.handle = nullptr;
    user.join();
  }
}
