#include "traces/read/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/read/trace_files.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

struct CloseReader {
  void operator()(archive* a) const { archive_read_free(a); }
};
struct CloseWriter {
  void operator()(archive* a) const { archive_write_free(a); }
};
struct FreeEntry {
  void operator()(archive_entry* e) const { archive_entry_free(e); }
};

void check(int status, archive* a, const fs::path& file) {
  if (status == ARCHIVE_OK) return;
  const char* cause = archive_error_string(a);
  throw FormatError(file.string(), cause ? cause : "not a packed trace");
}

void add_file(archive* out, const fs::path& file, const fs::path& path, const std::string& name) {
  const OpenFile from(path);
  const std::uint64_t size = from.size();
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  check(archive_write_header(out, entry.get()), out, file);
  char block[1 << 16];
  for (std::uint64_t done = 0; done < size;) {
    const std::size_t now = from.read(block, std::min<std::uint64_t>(sizeof block, size - done));
    if (now == 0) throw FormatError(path.string(), "became shorter while it was packed");
    if (archive_write_data(out, block, now) != static_cast<la_ssize_t>(now)) check(ARCHIVE_FATAL, out, file);
    done += now;
  }
}

// Beside `file`, so that it can take its place in one step.
std::pair<int, fs::path> make_part(const fs::path& file) {
  std::string pattern = file.string() + ".XXXXXX.part";
  const int descriptor = ::mkostemps(pattern.data(), 5, O_CLOEXEC);
  if (descriptor < 0)
    throw FormatError(file.string(), std::string("cannot be made: ") + std::strerror(errno));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
  return {descriptor, pattern};
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path inner = fs::weakly_canonical(fs::absolute(file)), outer = fs::canonical(folder);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

bool is_packed_trace(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return false;
  std::ifstream in(file, std::ios::binary);
  char magic[4] = {};
  in.read(magic, sizeof magic);
  return in && std::memcmp(magic, "\x28\xb5\x2f\xfd", sizeof magic) == 0;
}

std::vector<std::string> pack_trace(const fs::path& folder, const fs::path& file) {
  if (lies_in(file, folder))
    throw std::invalid_argument("the packed trace cannot lie in the trace: " + file.string());
  std::error_code unknown;
  if (const fs::file_status there = fs::status(file, unknown);
      fs::exists(there) && !fs::is_regular_file(there))
    throw FormatError(file.string(), "is no regular file, and is not replaced");
  std::optional<SignalsHeld> held(std::in_place);
  const auto [descriptor, part] = make_part(file);
  Temporary temporary(part);
  held.reset();
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } const close{descriptor};
  std::vector<std::string> left_out;
  {
    const std::unique_ptr<archive, CloseWriter> out(archive_write_new());
    check(archive_write_set_format_pax_restricted(out.get()), out.get(), file);
    check(archive_write_add_filter_zstd(out.get()), out.get(), file);
    check(archive_write_set_filter_option(out.get(), "zstd", "compression-level", "19"), out.get(), file);
    check(archive_write_open_fd(out.get(), descriptor), out.get(), file);
    for (const fs::path& path : files_below(folder, SymbolicLinks::refused)) {
      const std::string name = fs::relative(path, folder).generic_string();
      if (is_trace_file(name))
        add_file(out.get(), file, path, name);
      else
        left_out.push_back(name);
    }
    check(archive_write_close(out.get()), out.get(), file);
  }
  if (::fsync(descriptor) != 0 || ::rename(part.c_str(), file.c_str()) != 0)
    throw FormatError(file.string(), std::string("cannot be written: ") + std::strerror(errno));
  temporary.keep();
  return left_out;
}

std::uint64_t default_unpack_limit(const fs::path& file) {
  constexpr std::uint64_t least = std::uint64_t{1} << 30, times = 100;
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  return unknown ? least : std::max(least, times * size);
}

void unpack_trace(const fs::path& file, const fs::path& folder) {
  unpack_trace(file, folder, default_unpack_limit(file));
}

void unpack_trace(const fs::path& file, const fs::path& folder, std::uint64_t limit) {
  constexpr std::size_t most_entries = 1'000'000;
  const std::unique_ptr<archive, CloseReader> in(archive_read_new());
  archive_read_support_filter_zstd(in.get());
  archive_read_support_format_tar(in.get());
  check(archive_read_open_filename(in.get(), file.c_str(), 1 << 16), in.get(), file);
  const auto refuse = [&](const std::string& cause) { return FormatError(file.string(), cause); };
  const auto too_large = [&] {
    return refuse(fmt::format("unpacks to more than {} bytes (--unpack-limit)", limit));
  };
  std::set<std::string> seen;
  std::uint64_t total = 0, skipped = 0;
  archive_entry* entry = nullptr;
  for (std::size_t entries = 0;; ++entries) {
    const int status = archive_read_next_header(in.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    check(status, in.get(), file);
    if (entries == most_entries) throw refuse(fmt::format("holds more than {} files", most_entries));
    const char* raw_name = archive_entry_pathname(entry);
    std::string name = raw_name ? raw_name : "";
    while (name.starts_with("./")) name.erase(0, 2);
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr ||
        fs::path(name).is_absolute() || ("/" + name + "/").find("/../") != std::string::npos)
      throw refuse("entry '" + name + "' is no file inside the trace");
    const bool wanted = is_trace_file(name);
    if (wanted && !seen.insert(name).second) throw refuse("entry '" + name + "' stands there twice");
    std::ofstream out;
    if (wanted) {
      // Both are told before anything is written.
      const auto promised = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
      if (promised > limit - total) throw too_large();
      std::error_code unknown;
      if (const fs::space_info disk = fs::space(folder, unknown); !unknown && promised > disk.available)
        throw refuse(fmt::format("unpacks to more than is free in {}: {} bytes",
                                 folder.parent_path().string(), disk.available));
      fs::create_directories((folder / name).parent_path());
      out.open(folder / name, std::ios::binary);
    }
    std::uint64_t size = 0;  // of this file
    const void* block = nullptr;
    std::size_t length = 0;
    la_int64_t offset = 0;
    int data = ARCHIVE_OK;
    while ((data = archive_read_data_block(in.get(), &block, &length, &offset)) == ARCHIVE_OK) {
      if (static_cast<std::uint64_t>(offset) != size) throw refuse("entry '" + name + "' has holes");
      size += length;
      // What is left out is read all the same.
      std::uint64_t& sum = wanted ? total : skipped;
      sum += length;
      if (sum > limit) throw too_large();
      if (wanted) out.write(static_cast<const char*>(block), static_cast<std::streamsize>(length));
    }
    if (data != ARCHIVE_EOF) check(data, in.get(), file);
    if (!wanted) continue;
    out.close();
    if (!out) throw FormatError((folder / name).string(), "cannot be written");
  }
}

}  // namespace wedjat::traces
