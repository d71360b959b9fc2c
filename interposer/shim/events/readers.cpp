#include "interposer/shim/events/readers.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace wedjat::interposer {
namespace {

enum class Piece : std::uint8_t { unread, begun, read };

struct Reading {
  Reading(std::span<const std::byte> what, std::size_t size)
      : bytes(what), piece(size), pieces((what.size() + size - 1) / size), left(pieces.size()) {}

  std::span<const std::byte> bytes;
  std::size_t piece;
  ReadPiece read;
  std::function<void()> end;
  std::vector<std::atomic<Piece>> pieces;
  std::atomic<std::size_t> next{0}, left;

  // False if another thread reads it, or has.
  bool take(std::size_t i) {
    Piece unread = Piece::unread;
    return pieces[i].compare_exchange_strong(unread, Piece::begun);
  }
};

struct Readings {
  std::mutex mutex;
  std::vector<std::shared_ptr<Reading>> list;
  std::atomic<std::size_t> count{0};  // of them
};

Readings& readings() {
  static Readings& all = *new Readings;
  return all;
}

void read_piece(Reading& reading, std::size_t i) {
  const std::size_t at = i * reading.piece;
  reading.read(i, reading.bytes.subspan(at, std::min(reading.piece, reading.bytes.size() - at)));
  reading.pieces[i].store(Piece::read);
  if (--reading.left != 0) return;
  reading.end();
  Readings& all = readings();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.list, [&](const auto& one) { return one.get() == &reading; });
  all.count = all.list.size();
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

// Those pieces in which some of `bytes` lie.
void finish(Reading& reading, std::span<const std::byte> bytes) {
  const std::byte* const first = std::max(bytes.data(), reading.bytes.data());
  const std::byte* const last =
      std::min(bytes.data() + bytes.size(), reading.bytes.data() + reading.bytes.size());
  const auto index = [&](const std::byte* at) {
    return static_cast<std::size_t>(at - reading.bytes.data()) / reading.piece;
  };
  for (std::size_t i = index(first); i <= index(last - 1); ++i)
    if (reading.take(i)) read_piece(reading, i);
  for (std::size_t i = index(first); i <= index(last - 1); ++i)
    while (reading.pieces[i].load() != Piece::read) std::this_thread::yield();
}

}  // namespace

void read_aside(traces::Workers& workers, std::span<const std::byte> bytes, std::size_t piece, ReadPiece read,
                std::function<void()> end) {
  const auto reading = std::make_shared<Reading>(bytes, piece);
  reading->read = std::move(read);
  reading->end = std::move(end);
  Readings& all = readings();
  {
    const std::lock_guard lock(all.mutex);
    all.list.push_back(reading);
    all.count = all.list.size();
  }
  const std::size_t count = reading->pieces.size(), most = std::min<std::size_t>(count, workers.others());
  const auto take_part = [reading, count] {
    for (std::size_t i; (i = reading->next.fetch_add(1)) < count;)
      if (reading->take(i)) read_piece(*reading, i);
  };
  std::size_t threads = 0;
  while (threads < most && workers.later(take_part)) ++threads;
  if (threads == 0) take_part();
}

void wait_for_readers(std::span<const std::byte> bytes) {
  Readings& all = readings();
  if (bytes.empty() || all.count.load() == 0) return;
  std::vector<std::shared_ptr<Reading>> in_the_way;
  {
    const std::lock_guard lock(all.mutex);
    for (const auto& one : all.list)
      if (overlap(one->bytes, bytes)) in_the_way.push_back(one);
  }
  for (const auto& one : in_the_way) finish(*one, bytes);
}

void wait_for_all_readers() {
  Readings& all = readings();
  while (all.count.load() != 0) {
    std::shared_ptr<Reading> first;
    {
      const std::lock_guard lock(all.mutex);
      if (!all.list.empty()) first = all.list.front();
    }
    if (first) finish(*first, first->bytes);
    std::this_thread::yield();
  }
}

bool readers_end_within(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (readings().count.load() != 0) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

void readers_before_fork() { readings().mutex.lock(); }

void readers_after_fork(bool child) {
  Readings& all = readings();
  if (child) {
    all.list.clear();
    all.count = 0;
  }
  all.mutex.unlock();
}

}  // namespace wedjat::interposer
