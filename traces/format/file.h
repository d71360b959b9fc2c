// Whole files, and all files of a folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::traces {

// Throws FormatError naming the file and the system's cause, also for a folder or a device (which may have no
// end).
std::string read_file(const std::filesystem::path& path);

// A file that is made, or made anew. Throws FormatError naming it and the system's cause.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  // All of it is with the system then: only that tells whether a disk was full.
  void close();

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  std::FILE* file_ = nullptr;
};

void write_file(const std::filesystem::path& path, std::string_view text);
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

// A regular file, opened for reading; never a pipe, which might not answer. Throws FormatError.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  std::uint64_t size() const { return size_; }
  std::size_t read(void* to, std::size_t size) const;  // 0 at the end

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// The whole of a file of a trace: regular, or FormatError.
std::string read_regular_file(const std::filesystem::path& path);

enum class SymbolicLinks : std::uint8_t { followed, refused };

// The regular files below `folder`, in the order of their names; links to folders are not followed. Throws
// FormatError naming the folder that cannot be read, or the link that is refused, and the cause.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               SymbolicLinks links = SymbolicLinks::followed);

}  // namespace wedjat::traces
