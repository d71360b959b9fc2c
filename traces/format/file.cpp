#include "traces/format/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

void collect(const fs::path& folder, SymbolicLinks links, std::vector<fs::path>& files) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (links == SymbolicLinks::refused && entry->is_symlink())
      throw FormatError(entry->path().string(), "is a symbolic link, and is not followed");
    if (entry->is_directory() && !entry->is_symlink())
      collect(entry->path(), links, files);
    else if (entry->is_regular_file())
      files.push_back(entry->path());
  }
  if (error) throw FormatError(folder.string(), "cannot be read: " + error.message());
}

}  // namespace

std::string read_file(const fs::path& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const auto fail = [&](const char* what) {
    throw FormatError(path.string(), std::string(what) + ": " + std::strerror(errno));
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("cannot be opened");
  if (const auto type = fs::status(path).type();
      type == fs::file_type::character || type == fs::file_type::block)
    throw FormatError(path.string(), "is a device, not a file");
  std::error_code unknown;  // a pipe has no size: it grows as it is read
  const std::uintmax_t size = fs::file_size(path, unknown);
  std::string contents(unknown ? 0 : size, '\0');
  std::size_t length = std::fread(contents.data(), 1, contents.size(), file.get());
  for (char block[1 << 16]; const std::size_t got = std::fread(block, 1, sizeof block, file.get());
       length += got) {
    contents.resize(length);
    contents.append(block, got);
  }
  if (std::ferror(file.get())) fail("cannot be read");
  contents.resize(length);
  return contents;
}

NewFile::NewFile(const fs::path& path) : path_(path.string()), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) fail();
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void NewFile::fail() const {
  throw FormatError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

void NewFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void NewFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void NewFile::close() {
  std::FILE* const file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) fail();
}

void write_file(const fs::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  NewFile file(path);
  file.write(bytes);
  file.close();
}

OpenFile::OpenFile(const fs::path& path)
    : path_(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw FormatError(path_, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw FormatError(path_, "is no regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(void* to, std::size_t size) const {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw FormatError(path_, std::string("cannot be read: ") + std::strerror(errno));
  }
}

std::string read_regular_file(const fs::path& path) {
  const OpenFile file(path);
  std::string contents(file.size(), '\0');
  std::size_t done = 0;
  while (done < contents.size()) {
    const std::size_t got = file.read(contents.data() + done, contents.size() - done);
    if (got == 0) break;
    done += got;
  }
  contents.resize(done);
  return contents;
}

std::vector<fs::path> files_below(const fs::path& folder, SymbolicLinks links) {
  std::vector<fs::path> files;
  collect(folder, links, files);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace wedjat::traces
