#include "traces/format/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

void collect(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->is_directory() && !entry->is_symlink())
      collect(entry->path(), files);
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

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  collect(folder, files);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace wedjat::traces
