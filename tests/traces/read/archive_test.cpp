// Packed traces: what is packed, how the file comes to be, and what a hostile one may do.
#include "traces/read/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/read/trace_files.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void make_trace(const fs::path& folder) {
  write(folder / "manifest.json", "{}");
  write(folder / "events/ust/metadata", "meta");
  write(folder / "blobs/packs/7.pack", std::string(300000, 'x'));
}

// A packed trace with entries of somebody else's choice.
struct Entry {
  std::string name, contents;
  unsigned type = AE_IFREG;
  std::uint64_t zeros = 0;  // behind the contents
};
void make_archive(const fs::path& file, const std::vector<Entry>& entries) {
  archive* out = archive_write_new();
  archive_write_set_format_pax_restricted(out);
  archive_write_add_filter_zstd(out);
  REQUIRE(archive_write_open_filename(out, file.c_str()) == ARCHIVE_OK);
  const std::string zeros(1 << 20, '\0');
  for (const Entry& one : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, one.name.c_str());
    archive_entry_set_filetype(entry, one.type);
    if (one.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(one.contents.size() + one.zeros));
    REQUIRE(archive_write_header(out, entry) == ARCHIVE_OK);
    archive_write_data(out, one.contents.data(), one.contents.size());
    for (std::uint64_t done = 0; done < one.zeros; done += zeros.size())
      archive_write_data(out, zeros.data(), std::min<std::uint64_t>(zeros.size(), one.zeros - done));
    archive_entry_free(entry);
  }
  archive_write_free(out);
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("names of a trace's files") {
  for (const char* name : {"manifest.json", "state", "events/ust/uid/0/64-bit/calls_0", "blobs/packs/12.pack",
                           "blobs/files/ab/abcdef0123456789abcdef0123456789"})
    CHECK(is_trace_file(name));
  for (const char* name : {"", "notes.txt", "events", "events/../x", "events//x", "/manifest.json", "blobs/x",
                           "blobs/packs/12.tar", "blobs/files/ab/cbcdef0123456789abcdef0123456789",
                           "blobs/files/ab/short", "events/\x1b[2J", "events/a b"})
    CHECK(!is_trace_file(name));
}

TEST_CASE("packed and unpacked, a trace is the same; what is none of its files is left out") {
  const TemporaryFolder folder;
  make_trace(folder.path() / "t");
  write(folder.path() / "t/notes.txt", "mine");
  pack_trace(folder.path() / "t", folder.path() / "t.tar.zst");
  pack_trace(folder.path() / "t", folder.path() / "again.tar.zst");
  CHECK(read_file(folder.path() / "t.tar.zst") == read_file(folder.path() / "again.tar.zst"));
  unpack_trace(folder.path() / "t.tar.zst", folder.path() / "u");
  CHECK(read_file(folder.path() / "u/blobs/packs/7.pack") == std::string(300000, 'x'));
  CHECK(!fs::exists(folder.path() / "u/notes.txt"));
  CHECK(entries_in(folder.path()) == 4);  // no part is left
}

TEST_CASE("links are refused, pipes are left out, and a trace never holds its own archive") {
  const TemporaryFolder folder;
  make_trace(folder.path() / "t");
  CHECK_THROWS_AS(pack_trace(folder.path() / "t", folder.path() / "t/events/x"), std::invalid_argument);
  REQUIRE(mkfifo((folder.path() / "t/events/pipe").c_str(), 0644) == 0);
  pack_trace(folder.path() / "t", folder.path() / "t.tar.zst");
  const std::string before = read_file(folder.path() / "t.tar.zst");
  fs::create_symlink("/etc/passwd", folder.path() / "t/events/link");
  CHECK_THROWS_WITH_AS(pack_trace(folder.path() / "t", folder.path() / "t.tar.zst"),
                       doctest::Contains("link"), FormatError);
  CHECK(read_file(folder.path() / "t.tar.zst") == before);  // as it was
  CHECK(entries_in(folder.path()) == 2);
}

TEST_CASE("a pipe in the place of a file is an error, not a wait") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder.path() / "manifest.json").c_str(), 0644) == 0);
  CHECK_THROWS_WITH_AS(read_regular_file(folder.path() / "manifest.json"),
                       doctest::Contains("no regular file"), FormatError);
}

TEST_CASE("an archive takes the place of a file, and of nothing else") {
  const TemporaryFolder folder;
  make_trace(folder.path() / "t");
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(pack_trace(folder.path() / "t", pipe), doctest::Contains("no regular file"),
                       FormatError);
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a disk that is full leaves the old archive") {
  const TemporaryFolder folder;
  make_trace(folder.path() / "t");
  const fs::path file = folder.path() / "t.tar.zst";
  write(file, "old");
  std::string noise(1 << 20, '\0');
  std::uint64_t state = 1;
  for (char& c : noise)
    c = static_cast<char>((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
  write(folder.path() / "t/blobs/packs/8.pack", noise);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};  // of a file, as a full disk would
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      pack_trace(folder.path() / "t", file);
      _exit(1);
    } catch (const FormatError&) {
      _exit(0);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(read_file(file) == "old");
  CHECK(entries_in(folder.path()) == 2);
}

TEST_CASE("two at once make one whole archive") {
  const TemporaryFolder folder;
  make_trace(folder.path() / "t");
  const fs::path file = folder.path() / "t.tar.zst";
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() == 0) {
      pack_trace(folder.path() / "t", file);
      _exit(0);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  unpack_trace(file, folder.path() / "u");
  CHECK(entries_in(folder.path() / "u") == 3);
  CHECK(entries_in(folder.path()) == 3);
}

TEST_CASE("archives that unpack to more than they may") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "bomb.tar.zst";
  for (const char* name : {"events/x", "anything", "blobs/packs/1.pack"}) {
    make_archive(file, {{"manifest.json", "{}"}, {name, "", AE_IFREG, 64 << 20}});
    CHECK_THROWS_WITH_AS(unpack_trace(file, folder.path() / "u", 1 << 20),
                         doctest::Contains("--unpack-limit"), FormatError);
    CHECK(!fs::exists(folder.path() / "u" / name));  // its size is told before its contents
  }
  CHECK(default_unpack_limit(file) == std::uint64_t{1} << 30);
}

TEST_CASE("entries that are no file inside the trace") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "h.tar.zst", to = folder.path() / "u";
  const std::vector<std::vector<Entry>> refused = {{{"../out", "x"}},
                                                   {{"/tmp/out", "x"}},
                                                   {{"events/../../out", "x"}},
                                                   {{"events/x", "", AE_IFLNK}},
                                                   {{"events/x", "", AE_IFIFO}},
                                                   {{"events/x", "", AE_IFCHR}},
                                                   {{"events/x", "1"}, {"events/x", "2"}}};
  for (const auto& entries : refused) {
    make_archive(file, entries);
    CHECK_THROWS_AS(unpack_trace(file, to), FormatError);
  }
  make_archive(file, {{"./manifest.json", "{}"}, {"etc/cron.d/x", "x"}, {"events/\x1b[2J", "x"}});
  unpack_trace(file, to / "named");
  CHECK(fs::exists(to / "named/manifest.json"));
  CHECK(entries_in(to / "named") == 1);
  CHECK(!fs::exists(folder.path() / "out"));
}
