// Code on disk: what is found again, and what is never used.
#include "emulator/compile/cache/code_cache.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "emulator/compile/cache/bytes.h"
#include "tests/emulator/compile/folder.h"

using namespace wedjat::compile;
using wedjat::test::Folder;
namespace fs = std::filesystem;

namespace {

constexpr Key key{1, 2}, other_key{1, 3};
constexpr std::uint64_t room = 1 << 20;

Piece piece(std::uint32_t block, std::size_t bytes = 100) {
  Piece made;
  made.place = {0, block, 3};
  made.paths = wedjat::exec::PathKind::whole;
  made.rival = 7;
  made.entry = {{64, Shape::uniform()}, {192, Shape::affine(4, std::nullopt)}, {320, Shape::of(9)}};
  made.image.bytes.assign(bytes, std::byte{0xc3});
  made.image.entry = 16;
  made.image.table = 64;
  made.image.frames = 32;
  made.image.links = {{Link::Kind::step, 5, {}}, {Link::Kind::library, 0, "fmaf"}};
  made.image.offers = {{{0, 1, 2}, {{64, Shape::of(3)}}}};
  made.image.want = {{0, block, 3}, {{128, Shape::vector()}}};
  return made;
}

std::vector<std::byte> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

fs::path only_file(const fs::path& folder) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".code") {
      CHECK(found.empty());
      found = entry.path();
    }
  return found;
}

std::set<std::uint32_t> blocks(const std::vector<Piece>& pieces) {
  std::set<std::uint32_t> all;
  for (const Piece& each : pieces) all.insert(each.place.block);
  return all;
}

struct Told {
  std::vector<std::string> all;
  std::function<void(const std::string&)> tell() {
    return [this](const std::string& what) { all.push_back(what); };
  }
};

}  // namespace

TEST_CASE("what one process keeps another one finds, as it was") {
  const Folder folder;
  CodeCache(folder.path / "code", room, {}).add(key, std::vector{piece(4)});
  Told told;
  CodeCache later(folder.path / "code", room, told.tell());
  const std::vector<Piece> found = later.load(key);
  REQUIRE(found.size() == 1);
  const Piece made = piece(4);
  CHECK(found[0].stands_for(made));
  CHECK(found[0].rival == made.rival);
  CHECK(found[0].entry == made.entry);
  CHECK(found[0].image.bytes == made.image.bytes);
  CHECK(found[0].image.entry == made.image.entry);
  CHECK(found[0].image.table == made.image.table);
  CHECK(found[0].image.frames == made.image.frames);
  CHECK(found[0].image.links == made.image.links);
  REQUIRE(found[0].image.offers.size() == 1);
  CHECK(found[0].image.offers[0].place == made.image.offers[0].place);
  CHECK(found[0].image.offers[0].shapes == made.image.offers[0].shapes);
  REQUIRE(found[0].image.want.has_value());
  CHECK(found[0].image.want->shapes == made.image.want->shapes);
  CHECK(later.load(other_key).empty());
  CHECK(told.all.empty());
}

TEST_CASE("pieces come together, the later one in place of what it stands for") {
  const Folder folder;
  CodeCache cache(folder.path, room, {});
  cache.add(key, std::vector{piece(1), piece(2)});
  Piece again = piece(2, 200);
  CodeCache(folder.path, room, {}).add(key, std::vector{again, piece(3)});
  const std::vector<Piece> found = cache.load(key);
  CHECK(found.size() == 3);
  CHECK(blocks(found) == std::set<std::uint32_t>{1, 2, 3});
  for (const Piece& each : found)
    if (each.stands_for(again)) CHECK(each.image.bytes.size() == 200);
}

TEST_CASE("a file of which any byte is another one is not used, and said once") {
  const Folder folder;
  CodeCache(folder.path, room, {}).add(key, std::vector{piece(1)});
  const fs::path path = only_file(folder.path);
  const std::vector<std::byte> good = read(path);
  REQUIRE(good.size() > 300);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const unsigned bits : {0x01u, 0x80u, 0xffu}) {
      std::vector<std::byte> bad = good;
      bad[at] ^= static_cast<std::byte>(bits);
      CHECK_THROWS_AS(decode(key, bad), Damaged);
    }
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_THROWS_AS(decode(key, std::span(good).first(size)), Damaged);
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{});
  CHECK_THROWS_AS(decode(key, longer), Damaged);
  CHECK_THROWS_AS(decode(other_key, good), Damaged);

  std::vector<std::byte> bad = good;
  bad[good.size() / 2] ^= std::byte{4};
  write(path, bad);
  Told told;
  CodeCache cache(folder.path, room, told.tell());
  CHECK(cache.load(key).empty());
  CHECK(cache.load(key).empty());
  REQUIRE(told.all.size() == 1);
  CHECK(told.all[0].find(path.string()) != std::string::npos);
  CHECK(told.all[0].find("hash") != std::string::npos);
  // What is made then takes its place.
  cache.add(key, std::vector{piece(1)});
  CHECK(read(path) == good);
}

TEST_CASE("a file under the name of another one is not used") {
  const Folder folder;
  Told told;
  CodeCache cache(folder.path, room, told.tell());
  cache.add(key, std::vector{piece(1)});
  fs::rename(folder.path / (key.hex() + ".code"), folder.path / (other_key.hex() + ".code"));
  CHECK(cache.load(other_key).empty());
  REQUIRE(told.all.size() == 1);
  CHECK(told.all[0].find("of other code") != std::string::npos);
}

TEST_CASE("what others could have written is not used, nor what is no file") {
  const Folder folder;
  Told told;
  CodeCache cache(folder.path, room, told.tell());
  cache.add(key, std::vector{piece(1)});
  const fs::path path = only_file(folder.path);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  CHECK(cache.load(key).empty());
  REQUIRE(told.all.size() == 1);
  CHECK(told.all[0].find("others could have written it") != std::string::npos);
  fs::remove(path);
  fs::create_directory(path);
  CHECK(cache.load(key).empty());
  fs::remove(path);
  fs::create_symlink("elsewhere", path);
  CHECK(cache.load(key).empty());
  fs::remove(path);
  CHECK(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(cache.load(key).empty());
}

TEST_CASE("that nothing can be kept is said once, and nothing else happens") {
  const Folder folder;
  std::ofstream(folder.path / "file") << "no folder";
  Told told;
  CodeCache cache(folder.path / "file" / "code", room, told.tell());
  CHECK(cache.load(key).empty());
  cache.add(key, std::vector{piece(1)});
  cache.add(key, std::vector{piece(2)});
  CHECK(told.all.size() == 1);
  // Nor in a folder that may only be read; root may write everywhere.
  if (::geteuid() == 0) return;
  fs::create_directory(folder.path / "shared");
  CodeCache(folder.path / "shared", room, {}).add(key, std::vector{piece(1)});
  fs::permissions(folder.path / "shared", fs::perms::owner_read | fs::perms::owner_exec);
  CodeCache reader(folder.path / "shared", room, told.tell());
  CHECK(reader.load(key).size() == 1);
  reader.add(other_key, std::vector{piece(2)});
  CHECK(told.all.size() == 2);
  CHECK(reader.load(other_key).empty());
  fs::permissions(folder.path / "shared", fs::perms::owner_all);
}

TEST_CASE("several processes and threads add to one file, and nothing is lost") {
  const Folder folder;
  constexpr std::uint32_t processes = 4, threads = 2, each = 6;
  std::vector<pid_t> children;
  for (std::uint32_t process = 0; process < processes; ++process) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::vector<std::thread> all;
      for (std::uint32_t thread = 0; thread < threads; ++thread)
        all.emplace_back([&folder, first = (process * threads + thread) * each] {
          CodeCache cache(folder.path / "code", room, {});
          for (std::uint32_t i = 0; i < each; ++i) {
            cache.add(key, std::vector{piece(first + i)});
            // Whatever others do meanwhile, what is read is whole.
            if (cache.load(key).empty()) ::_exit(1);
          }
        });
      for (std::thread& one : all) one.join();
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(CodeCache(folder.path / "code", room, {}).load(key).size() == processes * threads * each);
}

TEST_CASE("files that were not used for longest go when there is no room") {
  const Folder folder;
  constexpr std::size_t bytes = 10'000;
  const auto key_of_number = [](std::uint64_t number) { return Key{number, 0}; };
  CodeCache large(folder.path, 100 * bytes, {});
  const auto path_of = [&](std::uint64_t number) {
    return folder.path / (key_of_number(number).hex() + ".code");
  };
  for (std::uint64_t number = 0; number < 20; ++number) {
    large.add(key_of_number(number), std::vector{piece(1, bytes)});
    fs::last_write_time(path_of(number), fs::file_time_type::clock::now() - std::chrono::hours(100 - number));
  }
  // Who reads it uses it.
  CHECK(large.load(key_of_number(0)).size() == 1);
  std::ofstream(folder.path / "something else") << "stays";
  CodeCache small(folder.path, 10 * bytes, {});
  small.add(key_of_number(20), std::vector{piece(1, bytes)});
  std::uintmax_t left = 0;
  for (const auto& entry : fs::directory_iterator(folder.path)) left += entry.file_size();
  CHECK(left <= 10 * bytes);
  CHECK(left > 5 * bytes);
  CHECK(fs::exists(path_of(0)));
  CHECK(fs::exists(path_of(19)));
  CHECK(fs::exists(path_of(20)));
  CHECK(!fs::exists(path_of(1)));
  CHECK(fs::exists(folder.path / "something else"));
}

TEST_CASE("where code is kept is said by name, by the environment, or usual") {
  const auto set = [](const char* name, const char* value) {
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  };
  const char* const names[] = {"WEDJAT_JIT_CACHE", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::optional<std::string>> before;
  for (const char* name : names) {
    const char* const value = std::getenv(name);
    before.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
    set(name, nullptr);
  }
  CHECK(code_cache_named("").empty());
  set("HOME", "/home/somebody");
  CHECK(code_cache_named("") == "/home/somebody/.cache/wedjat/code");
  set("XDG_CACHE_HOME", "not/whole");
  CHECK(code_cache_named("") == "/home/somebody/.cache/wedjat/code");
  set("XDG_CACHE_HOME", "/caches");
  CHECK(code_cache_named("") == "/caches/wedjat/code");
  set("WEDJAT_JIT_CACHE", "there");
  CHECK(code_cache_named("") == "there");
  CHECK(code_cache_named("here") == "here");
  CHECK(code_cache_named("off").empty());
  set("WEDJAT_JIT_CACHE", "off");
  CHECK(code_cache_named("").empty());
  CHECK(code_cache_named("here") == "here");
  for (std::size_t i = 0; i < before.size(); ++i) set(names[i], before[i] ? before[i]->c_str() : nullptr);
}
