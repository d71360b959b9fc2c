// What other threads read while the program goes on.
#include "interposer/shim/events/readers.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

using namespace wedjat::interposer;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPieceSize = 1000;

struct Bytes {
  explicit Bytes(std::size_t size) : list(size) { std::ranges::fill(list, std::byte{1}); }
  std::span<const std::byte> part(std::size_t from, std::size_t size) const {
    return std::span(list).subspan(from, size);
  }
  std::vector<std::byte> list;
};

long sum(std::span<const std::byte> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0L,
                         [](long so_far, std::byte byte) { return so_far + static_cast<long>(byte); });
}

}  // namespace

TEST_CASE("whoever changes bytes waits until they are read, and reads what nobody has begun") {
  wedjat::traces::Workers workers(3, 100ms);
  Bytes bytes(20 * kPieceSize + 7);
  for (int round = 0; round < 300; ++round) {
    std::atomic<long> read{0};
    std::atomic<int> pieces{0}, ends{0};
    read_aside(
        workers, bytes.list, kPieceSize,
        [&](std::size_t number, std::span<const std::byte> piece) {
          CHECK(piece.data() == bytes.list.data() + number * kPieceSize);
          read += sum(piece);
          ++pieces;
        },
        [&] { ++ends; });
    const std::size_t at = static_cast<std::size_t>(round) * 61 % bytes.list.size();
    const std::size_t size = std::min<std::size_t>(1500, bytes.list.size() - at);
    wait_for_readers(bytes.part(at, size));
    std::fill_n(bytes.list.begin() + static_cast<std::ptrdiff_t>(at), size, std::byte{2});
    wait_for_readers(bytes.list);
    CHECK(pieces == 21);
    CHECK(read == static_cast<long>(bytes.list.size()));
    wait_for_all_readers();
    CHECK(ends == 1);
    std::ranges::fill(bytes.list, std::byte{1});
  }
}

TEST_CASE("nobody waits for readers of other bytes") {
  wedjat::traces::Workers workers(2, 100ms);
  Bytes bytes(kPieceSize), others(kPieceSize);
  std::atomic<bool> go{false};
  const auto wait = [&](std::size_t, std::span<const std::byte>) {
    while (!go) std::this_thread::yield();
  };
  std::thread reader([&] {
    read_aside(workers, bytes.list, kPieceSize, wait, [] {});  // here or by another thread
  });
  while (readers_end_within(0ms)) std::this_thread::yield();
  wait_for_readers(others.list);
  CHECK(!readers_end_within(1ms));
  go = true;
  reader.join();
  wait_for_all_readers();
  CHECK(readers_end_within(0ms));
}

TEST_CASE("a child of fork has no readers, and does not wait for its parent's") {
  wedjat::traces::Workers workers(1);
  Bytes bytes(kPieceSize);
  std::atomic<bool> go{false};
  std::thread reader([&] {
    read_aside(
        workers, bytes.list, kPieceSize,
        [&](std::size_t, std::span<const std::byte>) {
          while (!go) std::this_thread::yield();
        },
        [] {});
  });
  while (readers_end_within(0ms)) std::this_thread::yield();
  readers_before_fork();
  const pid_t child = fork();
  readers_after_fork(child == 0);
  if (child == 0) {
    wait_for_readers(bytes.list);
    wait_for_all_readers();
    _exit(readers_end_within(0ms) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  go = true;
  reader.join();
}
