#include "interposer/live/command/linkage.h"

#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace wedjat::live {
namespace {

namespace fs = std::filesystem;

// Parts of a file that anybody may have written: what does not lie in it is not there.
class Elf {
 public:
  explicit Elf(const fs::path& file) : in_(file, std::ios::binary) {
    std::error_code error;
    size_ = fs::file_size(file, error);
    header_ = at<Elf64_Ehdr>(0);
    if (!header_ || std::memcmp(header_->e_ident, ELFMAG, SELFMAG) != 0 ||
        header_->e_ident[EI_CLASS] != ELFCLASS64 || header_->e_shentsize != sizeof(Elf64_Shdr))
      header_.reset();
    for (unsigned i = 0; header_ && i < header_->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header_->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) break;
      sections_.push_back(*section);
    }
  }

  bool has_section(std::string_view name) {
    if (!header_ || header_->e_shstrndx >= sections_.size()) return false;
    const Elf64_Shdr names = sections_[header_->e_shstrndx];
    for (const Elf64_Shdr& section : sections_)
      if (text(names, section.sh_name) == name) return true;
    return false;
  }

  bool needs(std::string_view library) {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNAMIC || section.sh_link >= sections_.size()) continue;
      for (std::uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= section.sh_size;
           offset += sizeof(Elf64_Dyn)) {
        const auto entry = at<Elf64_Dyn>(section.sh_offset + offset);
        if (!entry || entry->d_tag == DT_NULL) break;
        if (entry->d_tag == DT_NEEDED &&
            text(sections_[section.sh_link], entry->d_un.d_val).starts_with(library))
          return true;
      }
    }
    return false;
  }

 private:
  template <class T>
  std::optional<T> at(std::uint64_t offset) {
    T value;
    if (size_ < sizeof value || offset > size_ - sizeof value) return {};
    in_.seekg(static_cast<std::streamoff>(offset));
    if (!in_.read(reinterpret_cast<char*>(&value), sizeof value)) return {};
    return value;
  }

  std::string text(const Elf64_Shdr& strings, std::uint64_t offset) {
    constexpr std::size_t most = 256;  // of a name that matters
    std::string found;
    while (offset + found.size() < strings.sh_size && found.size() < most) {
      const auto letter = at<char>(strings.sh_offset + offset + found.size());
      if (!letter || *letter == 0) break;
      found += *letter;
    }
    return found;
  }

  std::ifstream in_;
  std::uint64_t size_ = 0;
  std::optional<Elf64_Ehdr> header_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

fs::path program_file(const std::string& program) {
  if (program.find('/') != program.npos) return program;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / program;
    if (::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file)) return file;
  }
  return {};
}

bool has_static_runtime(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  Elf elf(file);
  return elf.has_section(".nvFatBinSegment") && !elf.needs("libcudart.so");
}

}  // namespace wedjat::live
