// Blobs on their way from a recorded process to the recorder: none is lost, whoever is killed.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include "traces/format/blob_reader.h"
#include "traces/format/blob_writer.h"
#include "traces/format/workers.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    char name[] = "/tmp/wedjat-staging-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

std::vector<std::byte> numbered(std::size_t size, unsigned number) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i + sizeof number <= size; i += sizeof number) {
    const unsigned value = number * 2654435761u + static_cast<unsigned>(i);
    std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, bytes.data() + i);
  }
  return bytes;
}

void take_all(Staging& staging, Pack& pack) {
  Compressor compressor;
  while (staging.take(pack, compressor)) {
  }
}

}  // namespace

TEST_CASE("what several writers stage is written while they wait for room") {
  const Folder folder;
  Staging staging(kPiece * 4);
  std::atomic<bool> done{false};
  std::thread taker([&] {
    Pack pack(folder.path, "taker");
    while (!done.load()) {
      const std::uint32_t filled = staging.filled();
      take_all(staging, pack);
      staging.wait_for_blobs(filled);
    }
    take_all(staging, pack);
  });
  std::vector<std::thread> writers;
  std::vector<Hash> keys(4);
  for (unsigned i = 0; i < keys.size(); ++i) {
    writers.emplace_back([&, i] {
      BlobWriter writer(folder.path, std::to_string(i), &staging);
      for (unsigned j = 0; j < 20; ++j) writer.put(numbered(5000, i * 100 + j));
      keys[i] = writer.put(numbered(kPiece * 10 + 7, i));
    });
  }
  for (std::thread& writer : writers) writer.join();
  done.store(true);
  taker.join();
  const BlobReader reader(folder.path);
  CHECK(reader.damage().empty());
  for (unsigned i = 0; i < keys.size(); ++i) {
    CHECK(reader.read(keys[i]) == numbered(kPiece * 10 + 7, i));
    for (unsigned j = 0; j < 20; ++j) CHECK(reader.contains(hash_bytes(numbered(5000, i * 100 + j))));
  }
}

TEST_CASE(
    "who waits for blobs finds a single one soon, and returns at once where something happened meanwhile") {
  const Folder folder;
  Staging staging(kPiece * 64);
  Pack pack(folder.path, "taker");
  BlobWriter writer(folder.path, "1", &staging);
  const auto seconds = [](const auto& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<std::thread> takers;
  std::atomic<int> taken{0};
  std::atomic<bool> done{false};
  for (int i = 0; i < 3; ++i)
    takers.emplace_back([&] {
      Compressor compressor;
      for (bool last = false; !last;) {
        const std::uint32_t filled = staging.filled();
        last = done.load();
        while (staging.take(pack, compressor)) ++taken;
        if (!last) staging.wait_for_blobs(filled);
      }
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(seconds([&] {
          for (int i = 0; i < 20; ++i) {
            writer.put(numbered(5000, static_cast<unsigned>(i)));
            while (taken.load() <= i) std::this_thread::yield();
          }
        }) < 1);
  done.store(true);
  staging.wake_takers();
  for (std::thread& taker : takers) taker.join();
  // It would wait for a tenth of a second. Whoever else runs here may take that long, too, so one of three
  // tries decides.
  double least = 1;
  for (int tries = 0; tries < 3; ++tries) {
    const std::uint32_t before = staging.filled();
    staging.wake_takers();
    least = std::min(least, seconds([&] { staging.wait_for_blobs(before); }));
  }
  CHECK(least < 0.09);
}

TEST_CASE("what a killed process staged is still there") {
  const Folder folder;
  Staging staging(kPiece * 8);
  const pid_t child = fork();
  if (child == 0) {
    Staging theirs(staging.path());
    BlobWriter writer(folder.path, "child", &theirs);
    writer.put(numbered(kPiece * 2, 1));
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WTERMSIG(status) == SIGKILL);
  Pack pack(folder.path, "taker");
  take_all(staging, pack);
  const BlobReader reader(folder.path);
  CHECK(reader.list().size() == 3);
  for (const Hash& key : reader.list()) CHECK_NOTHROW(reader.read(key));
}

TEST_CASE("a writer whose recorder was killed writes everything itself, what was staged too") {
  const Folder folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t recorder = fork();
  if (recorder == 0) {
    Staging staging(kPiece * 4);
    const std::string path = staging.path();
    if (write(ends[1], path.c_str(), path.size() + 1) < 0) _exit(1);
    pause();
    _exit(0);
  }
  char path[100];
  REQUIRE(read(ends[0], path, sizeof path) > 0);
  Staging staging{std::string(path)};
  BlobWriter writer(folder.path, "1", &staging);
  const Hash before = writer.put(numbered(1000, 1));
  kill(recorder, SIGKILL);
  waitpid(recorder, nullptr, 0);
  const Hash after = writer.put(numbered(kPiece * 20, 2));
  const BlobReader reader(folder.path);
  CHECK(reader.read(before) == numbered(1000, 1));
  CHECK(reader.read(after) == numbered(kPiece * 20, 2));
}

TEST_CASE("where blobs are taken as fast as they come, they go through what populate() has mapped") {
  const Folder folder;
  Staging staging(kPiece * 256);
  Pack pack(folder.path, "taker");
  BlobWriter writer(folder.path, "1", &staging);
  writer.populate();
  const auto blocks_after = [&](unsigned number) {
    writer.put(numbered(64 << 10, number));
    take_all(staging, pack);
    struct stat info {};
    REQUIRE(stat(staging.path().c_str(), &info) == 0);
    return info.st_blocks;
  };
  const auto first = blocks_after(0);
  for (unsigned number = 1; number < 200; ++number) CHECK(blocks_after(number) == first);
}

TEST_CASE("nothing is staged where nobody will look again") {
  const Folder folder;
  Staging staging(kPiece * 4);
  staging.close();
  BlobWriter writer(folder.path, "1", &staging);
  const Hash key = writer.put(numbered(5000, 3));
  CHECK(!staging.filling());
  CHECK(BlobReader(folder.path).read(key) == numbered(5000, 3));
}

TEST_CASE("a loop of several threads does each step once, and brings out what it threw") {
  Workers workers(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> done(100);
    workers.each(done.size(), [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) CHECK(times.load() == 1);
  }
  // Many short loops: a thread that comes late must find nothing that is gone.
  for (const int awake : {0, 20}) {
    Workers many(8, std::chrono::microseconds(awake));
    std::atomic<std::size_t> steps{0};
    std::size_t expected = 0;
    for (std::size_t round = 0; round < (awake > 0 ? 500 : 5000); ++round) {
      many.each(2 + round % 32, [&](std::size_t) { ++steps; });
      expected += 2 + round % 32;
    }
    CHECK(steps.load() == expected);
  }
  CHECK_THROWS_AS(workers.each(100,
                               [](std::size_t i) {
                                 if (i == 42) throw std::runtime_error("42");
                               }),
                  std::runtime_error);
  std::atomic<int> inner{0};
  workers.each(4, [&](std::size_t) { workers.each(4, [&](std::size_t) { ++inner; }); });
  CHECK(inner.load() == 16);
}

TEST_CASE(
    "threads that are awake do what is for later, each once, beside loops; others are not woken for it") {
  std::atomic<int> done{0};
  const auto task = [&] { ++done; };
  Workers alone(1, std::chrono::milliseconds(100));
  CHECK(!alone.at_hand());
  CHECK(!alone.later(task));
  Workers asleep(3);
  CHECK(!asleep.at_hand());
  CHECK(done.load() == 0);
  int given = 0;
  {
    Workers awake(3, std::chrono::milliseconds(100));
    CHECK(!awake.at_hand());  // the first for long
    for (int i = 0; i < 2000; ++i) {
      if (awake.at_hand() && awake.later(task)) ++given;
      std::atomic<int> steps{0};
      if (i % 7 == 0) awake.each(20, [&](std::size_t) { ++steps; });
      CHECK(steps.load() == (i % 7 == 0 ? 20 : 0));
    }
    CHECK(given > 0);
  }
  CHECK(done.load() == given);
}

TEST_CASE("threads that wait for more work are awake, but not where they are interrupted time after time") {
  constexpr auto awake = std::chrono::seconds(2);
  Workers workers(2, awake);
  if (!workers.to_spare()) return;
  const auto works = [&] {  // long enough for both threads to come
    for (int i = 0; i < 3; ++i)
      workers.each(20, [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  };
  // Of a while in which nothing is to be done, the seconds that the process worked.
  const auto busy = [&] {
    const std::clock_t begin = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  bool was_busy = false;
  for (int i = 0; i < 20 && !was_busy; ++i) {
    works();
    was_busy = busy() > 0.03;
  }
  REQUIRE(was_busy);
  for (int i = 0; i < 4; ++i) workers.interrupted();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(busy() < 0.01);
}
