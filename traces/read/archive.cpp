#include "traces/read/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "traces/format/error.h"
#include "traces/format/file.h"

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

bool stays_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "wedjat-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw FormatError(pattern, "cannot be created");
  path_ = pattern;
  owner_ = getpid();
}

TemporaryFolder::~TemporaryFolder() {
  if (getpid() != owner_) return;  // a child after fork() must not take it away
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool is_packed_trace(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  char magic[4] = {};
  in.read(magic, sizeof magic);
  return in && std::memcmp(magic, "\x28\xb5\x2f\xfd", sizeof magic) == 0;
}

void pack_trace(const fs::path& folder, const fs::path& file) {
  const std::unique_ptr<archive, CloseWriter> out(archive_write_new());
  check(archive_write_set_format_pax_restricted(out.get()), out.get(), file);
  check(archive_write_add_filter_zstd(out.get()), out.get(), file);
  check(archive_write_set_filter_option(out.get(), "zstd", "compression-level", "19"), out.get(), file);
  check(archive_write_open_filename(out.get(), file.c_str()), out.get(), file);
  for (const fs::path& path : files_below(folder)) {
    const std::string bytes = read_file(path);
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), fs::relative(path, folder).generic_string().c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    check(archive_write_header(out.get(), entry.get()), out.get(), file);
    if (archive_write_data(out.get(), bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
      check(ARCHIVE_FATAL, out.get(), file);
  }
  check(archive_write_close(out.get()), out.get(), file);
}

void unpack_trace(const fs::path& file, const fs::path& folder) {
  const std::unique_ptr<archive, CloseReader> in(archive_read_new());
  archive_read_support_filter_zstd(in.get());
  archive_read_support_format_tar(in.get());
  check(archive_read_open_filename(in.get(), file.c_str(), 1 << 16), in.get(), file);
  archive_entry* entry = nullptr;
  for (;;) {
    const int status = archive_read_next_header(in.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    check(status, in.get(), file);
    const char* raw_name = archive_entry_pathname(entry);
    const fs::path name = raw_name ? raw_name : "";
    if (archive_entry_filetype(entry) == AE_IFDIR && stays_inside(name)) continue;
    if (archive_entry_filetype(entry) != AE_IFREG || !stays_inside(name))
      throw FormatError(file.string(), "entry '" + name.string() + "' is no file inside the trace");
    fs::create_directories((folder / name).parent_path());
    std::ofstream out(folder / name, std::ios::binary);
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int data = ARCHIVE_OK;
    while ((data = archive_read_data_block(in.get(), &block, &size, &offset)) == ARCHIVE_OK) {
      out.seekp(offset);
      out.write(static_cast<const char*>(block), static_cast<std::streamsize>(size));
    }
    if (data != ARCHIVE_EOF) check(data, in.get(), file);
    out.close();
    if (!out) throw FormatError((folder / name).string(), "cannot be written");
  }
}

}  // namespace wedjat::traces
