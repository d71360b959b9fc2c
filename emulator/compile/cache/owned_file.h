// Files of our own on disk: what others could have written is not read.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wedjat::compile {

/// A descriptor that is closed.
class OwnedFile {
 public:
  OwnedFile(const std::filesystem::path& path, int flags, unsigned mode = 0);
  ~OwnedFile();
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

/// The contents of a file; none if there is no such file. Throws Damaged if it cannot be read, is too large,
/// no file, or somebody else than this user or root could have written it.
std::optional<std::vector<std::byte>> read_owned(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace wedjat::compile
