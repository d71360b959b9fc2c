// What the tests of the library share. Only its C interface is used.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cli/library/wedjat.h"

inline const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";

// Every thread of its kernel k prints "Hi" and a newline.
inline const std::string saying_hi =
    head +
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".global .align 1 .b8 text[4] = {72, 105, 10, 0};\n"
    ".visible .entry k() { .reg .b64 %d; .reg .b32 %r; cvta.global.u64 %d, text;\n"
    "{ .param .b64 p0; st.param.b64 [p0], %d; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 q;\n"
    "call.uni (q), vprintf, (p0, p1); ld.param.b32 %r, [q]; } ret; }";

// y[i] = a * x[i] + y[i]
inline const std::string saxpy =
    head + R"(.visible .entry saxpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u32 n) {
  .reg .b64 %d<4>; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .pred %p;
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r3, %r4;
  @%p exit;
  ld.param.u64 %d0, [y]; ld.param.u64 %d1, [x]; ld.param.f32 %f0, [a];
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;
  ld.global.f32 %f1, [%d0];
  ld.global.f32 %f2, [%d1];
  fma.rn.f32 %f3, %f0, %f2, %f1;
  st.global.f32 [%d0], %f3;
  ret;
})";

struct Device {
  explicit Device(const WedjatRunOptions* options = nullptr) {
    REQUIRE(wedjat_device_create(options, &handle) == WEDJAT_OK);
  }
  ~Device() {
    if (handle != nullptr) wedjat_device_free(handle);
  }
  Device(const Device&) = delete;

  WedjatModule* load(const std::string& text, const char* name = "test.ptx") const {
    const WedjatSource source{name, text.c_str(), 0};
    WedjatModule* module = nullptr;
    const WedjatStatus status = wedjat_module_load(handle, &source, 1, &module);
    INFO(wedjat_last_error()->message);
    REQUIRE(status == WEDJAT_OK);
    return module;
  }
  WedjatKernel* kernel(const std::string& text, const char* name = "k") const {
    WedjatKernel* kernel = nullptr;
    REQUIRE(wedjat_module_kernel(load(text), name, &kernel) == WEDJAT_OK);
    return kernel;
  }
  std::uint64_t allocate(std::uint64_t bytes) const {
    std::uint64_t address = 0;
    REQUIRE(wedjat_memory_allocate(handle, bytes, nullptr, &address) == WEDJAT_OK);
    return address;
  }
  template <class T>
  std::uint64_t copy_of(const std::vector<T>& values) const {
    const std::uint64_t address = allocate(values.size() * sizeof(T));
    REQUIRE(wedjat_memory_write(handle, address, values.data(), values.size() * sizeof(T)) == WEDJAT_OK);
    return address;
  }
  template <class T>
  std::vector<T> read(std::uint64_t address, std::size_t count) const {
    std::vector<T> values(count);
    const WedjatStatus status = wedjat_memory_read(handle, address, values.data(), count * sizeof(T));
    INFO(wedjat_last_error()->message);
    REQUIRE(status == WEDJAT_OK);
    return values;
  }

  WedjatDevice* handle = nullptr;
};

inline WedjatLaunch shape(std::uint32_t grid, std::uint32_t block) {
  return {sizeof(WedjatLaunch), {grid, 0, 0}, {block, 0, 0}, {0, 0, 0}, 0, 0};
}

// The calling thread's last error: that call, that status, and a message that holds `text`.
inline void check_error(WedjatStatus got, WedjatStatus expected, const std::string& text) {
  const WedjatError* const error = wedjat_last_error();
  INFO(std::string(error->call), ": ", std::string(error->message));
  CHECK(got == expected);
  CHECK(error->status == expected);
  CHECK(std::string(error->message).find(text) != std::string::npos);
}
