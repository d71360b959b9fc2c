#include "interposer/ptx_run/ptx_run.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr const char* scale = R"(.version 7.5
.target sm_35
.address_size 64
.visible .entry scale(.param .u64 to, .param .u64 from, .param .u32 factor)
{
  .reg .b64 %d<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %d0, [to];
  ld.param.u64 %d1, [from];
  ld.param.u32 %r0, [factor];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, 32, %r1;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d0, %d0, %d2;
  add.u64 %d1, %d1, %d2;
  ld.global.u32 %r3, [%d1];
  mul.lo.u32 %r3, %r3, %r0;
  st.global.u32 [%d0], %r3;
  ret;
}
)";

void run(const char* text, std::vector<void*> arguments, int threads = 32, int ctas = 2) {
  ptx_run(text, static_cast<int>(arguments.size()), arguments.data(), threads, 1, 1, ctas, 1, 1, 0);
}

void* value(std::uint64_t number) { return reinterpret_cast<void*>(number); }

template <class Body>
int ending(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(9);
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a kernel works on the host's own memory") {
  std::vector<std::uint32_t> from(64), to(64);
  for (std::uint32_t i = 0; i < 64; ++i) from[i] = i;
  run(scale, {to.data(), from.data(), value(5)});
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(to[i] == 5 * i);
}

TEST_CASE("memory that comes and goes between launches is followed") {
  for (int round = 1; round <= 3; ++round) {
    const std::size_t bytes = static_cast<std::size_t>(round) << 20;
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    auto* words = static_cast<std::uint32_t*>(mapped);
    for (std::uint32_t i = 0; i < 64; ++i) words[i] = i + 1;
    run(scale, {words + 64, words, value(7)});
    CHECK(words[64 + 63] == 64 * 7);
    munmap(mapped, bytes);
  }
}

// Linux puts the stack below 2^47, by chance as far down as 16 GiB.
TEST_CASE("a kernel reaches memory of the host wherever the stack may lie") {
  constexpr std::uint64_t top = std::uint64_t{1} << 47, step = 64 << 20,
                          lowest = top - (std::uint64_t{16} << 30);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  int reached = 0;
  for (std::uint64_t at = top - step; at >= lowest; at -= step) {
    void* const mapped = mmap(value(at), page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED) continue;  // the stack is there, or a library
    REQUIRE(mapped == value(at));
    auto* const words = static_cast<std::uint32_t*>(mapped);
    for (std::uint32_t i = 0; i < 64; ++i) words[i] = i + 1;
    run(scale, {words + 64, words, value(7)});
    reached += words[64 + 63] == 64 * 7 ? 1 : 0;
    CHECK(words[64 + 63] == 64 * 7);
    munmap(mapped, page);
  }
  CHECK(reached > 200);
}

TEST_CASE("what others write beside a kernel's memory stays as they wrote it") {
  constexpr const char* bump = R"(.version 7.5
.target sm_35
.address_size 64
.visible .entry bump(.param .u64 to)
{
  .reg .b64 %d;
  .reg .b32 %r<3>;
  .reg .pred %p;
  ld.param.u64 %d, [to];
  mov.u32 %r0, 0;
again:
  ld.global.u32 %r1, [%d];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%d], %r1;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p, %r0, 2000;
  @%p bra again;
  ret;
}
)";
  alignas(64) volatile std::uint32_t words[16] = {};
  std::atomic<bool> over = false;
  std::uint32_t written = 0;
  std::thread other([&] {
    while (!over) {
      words[1] = words[1] + 1;
      ++written;
    }
  });
  for (int i = 0; i < 5; ++i) run(bump, {const_cast<std::uint32_t*>(words)}, 1, 64);
  over = true;
  other.join();
  CHECK(words[0] == 5 * 64 * 2000);
  CHECK(words[1] == written);
}

TEST_CASE("what cannot be run ends the process") {
  std::uint32_t words[64] = {};
  CHECK(ending([&] { run(scale, {words, words, value(1)}); }) == 0);
  for (const int status :
       {ending([&] { run("no PTX", {}); }), ending([&] { run(scale, {words}); }), ending([&] {
          run(scale, {words, value(64), value(1)});
        }),
        ending([&] {
          run(scale, {words, words, value(1)}, 2048);
        }),
        ending([&] { run(nullptr, {}); })})
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
}
