#include "emulator/compile/cache/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

namespace wedjat::compile {

namespace {

// Among the notes of a segment.
std::string id_in(std::span<const char> notes) {
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = padded(note.n_namesz), id = padded(note.n_descsz);
    notes = notes.subspan(sizeof note);
    if (name > notes.size() || id > notes.size() - name) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data(), "GNU", 4) == 0)
      return {notes.data() + name, note.n_descsz};
    notes = notes.subspan(name + id);
  }
  return {};
}

struct Search {
  std::uintptr_t address;
  std::string id;
};

int look_at(dl_phdr_info* loaded, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  const std::span segments(loaded->dlpi_phdr, loaded->dlpi_phnum);
  bool is_own = false;
  for (const ElfW(Phdr) & segment : segments)
    is_own |=
        segment.p_type == PT_LOAD && search.address - (loaded->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  if (!is_own) return 0;
  for (const ElfW(Phdr) & segment : segments)
    if (segment.p_type == PT_NOTE && search.id.empty())
      search.id = id_in({reinterpret_cast<const char*>(loaded->dlpi_addr + segment.p_vaddr),
                         static_cast<std::size_t>(segment.p_memsz)});
  return 1;
}

// Notes are small.
constexpr std::size_t most_note_bytes = 65536;

}  // namespace

std::string own_build_id() {
  Search search{.address = reinterpret_cast<std::uintptr_t>(&own_build_id), .id = {}};
  ::dl_iterate_phdr(look_at, &search);
  return search.id;
}

std::string build_id_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::uint64_t at, void* to, std::size_t size) {
    file.seekg(static_cast<std::streamoff>(at));
    return static_cast<bool>(file.read(static_cast<char*>(to), static_cast<std::streamsize>(size)));
  };
  ElfW(Ehdr) header;
  if (!read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(ElfW(Phdr)))
    return {};
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  if (!read(header.e_phoff, segments.data(), segments.size() * sizeof segments[0])) return {};
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_note_bytes) continue;
    std::vector<char> notes(segment.p_filesz);
    if (!read(segment.p_offset, notes.data(), notes.size())) continue;
    if (const std::string id = id_in(notes); !id.empty()) return id;
  }
  return {};
}

}  // namespace wedjat::compile
