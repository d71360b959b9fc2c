#include "traces/format/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "traces/format/error.h"

namespace wedjat::traces {

std::string read_file(const std::filesystem::path& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const auto fail = [&](const char* what) {
    throw FormatError(path.string(), std::string(what) + ": " + std::strerror(errno));
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("cannot be opened");
  std::error_code unknown;  // a pipe has no size: it grows as it is read
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
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

}  // namespace wedjat::traces
