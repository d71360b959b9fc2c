#include "traces/read/machine_code.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>

#include "tests/traces/read/fatbin_builder.h"
#include "traces/read/image.h"

using namespace wedjat::traces;

namespace {

// The note as ptxas 13.0 writes it.
Bytes note(const std::string& tool, const std::string& options) {
  const std::string texts = std::string(1, '\0') + tool + '\0' + "13.0" + '\0' + options + '\0';
  const auto at = [&](const std::string& text) { return static_cast<std::uint32_t>(texts.find(text)); };
  Bytes bytes;
  const std::uint32_t words[] = {12, static_cast<std::uint32_t>(24 + texts.size()), 2000};
  for (std::uint32_t word : words) fatbin::put(bytes, bytes.size(), word);
  for (char c : std::string("NVIDIA Corp", 12)) fatbin::put(bytes, bytes.size(), c);
  const std::uint32_t description[] = {2, 0, at(tool), at("13.0"), at("13.0"), at(options)};
  for (std::uint32_t word : description) fatbin::put(bytes, bytes.size(), word);
  for (char c : texts) fatbin::put(bytes, bytes.size(), c);
  return bytes;
}

// An ELF file of the sections "", names, .note.nv.tkinfo.
Bytes elf(const Bytes& contents, unsigned architecture = 90) {
  const std::string names = std::string(1, '\0') + ".note.nv.tkinfo" + '\0';
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_flags = architecture;
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  const std::uint64_t names_at = sizeof header, note_at = names_at + names.size();
  header.e_shoff = note_at + contents.size();
  Elf64_Shdr sections[3] = {};
  sections[1].sh_offset = names_at;
  sections[1].sh_size = names.size();
  sections[2].sh_name = 1;
  sections[2].sh_offset = note_at;
  sections[2].sh_size = contents.size();
  Bytes file;
  fatbin::put(file, 0, header);
  for (char c : names) fatbin::put(file, file.size(), c);
  file.insert(file.end(), contents.begin(), contents.end());
  for (const Elf64_Shdr& section : sections) fatbin::put(file, file.size(), section);
  return file;
}

std::string text(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

TEST_CASE("a cubin says what its assembler was told") {
  CHECK(assembler_options(elf(note("ptxas", "-O 0 -arch sm_90 "))) == "-O 0 -arch sm_90 ");
  CHECK(assembler_options(elf(note("nvlink", "-O 0"))) == "");
  CHECK(assembler_options(elf({})) == "");
  CHECK(assembler_options({}) == "");
}

TEST_CASE("options under which ptxas does not fuse, or leaves constants alone, too") {
  for (const char* options : {"-O 0 -arch sm_90", "a.ptx -g -o a.cubin", " -O0  ", "-fmad false -O 0",
                              " -g --dont-merge-basicblocks --return-at-end "})
    CHECK_MESSAGE(rewrites(options) == Rewrites::nothing, options);
  for (const char* options : {"-arch sm_90 -fmad false", "-O1 --fmad=false", " --fmad false "})
    CHECK_MESSAGE(rewrites(options) == Rewrites::constants, options);
  for (const char* options : {"", "-O 1", "-O 3 -arch sm_90", "-lineinfo", "-fmad true", "-sp-bounds-check"})
    CHECK_MESSAGE(rewrites(options) == Rewrites::all, options);
}

TEST_CASE("the machine code a device runs is the newest of its generation that is not newer") {
  const std::string none = text(elf(note("ptxas", "-O 0"))), all = text(elf(note("ptxas", "-O 3")));
  using fatbin::Packing;
  const auto entries = read_image("f", fatbin::container({fatbin::entry(2, 80, none, Packing::lz4),
                                                          fatbin::entry(2, 90, all, Packing::zstd),
                                                          fatbin::entry(2, 100, none, Packing::stored)}));
  REQUIRE(choose_machine_code(entries, 90) == &entries[1]);
  CHECK(entries[1].assembler_options == "-O 3");
  CHECK(choose_machine_code(entries, 86) == &entries[0]);
  CHECK(entries[0].assembler_options == "-O 0");
  CHECK(choose_machine_code(entries, 75) == nullptr);
  const auto bare = read_image("cubin", elf(note("ptxas", "-g")));
  REQUIRE(choose_machine_code(bare, 90) == &bare[0]);
  CHECK(rewrites(bare[0].assembler_options) == Rewrites::nothing);
}

TEST_CASE("cut and flipped cubins have options or none, never a crash") {
  const Bytes whole = elf(note("ptxas", "-O 0"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(assembler_options(std::span(whole).first(size)).size() <= whole.size());
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    CHECK(assembler_options(flipped).size() <= whole.size());
  }
}
