#include "traces/read/machine_code.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

namespace wedjat::traces {
namespace {

using Span = std::span<const std::byte>;

Span part(Span all, std::uint64_t offset, std::uint64_t size) {
  if (offset > all.size() || size > all.size() - offset) return {};
  return all.subspan(offset, size);
}

template <class T>
std::optional<T> read(Span all, std::uint64_t offset) {
  const Span bytes = part(all, offset, sizeof(T));
  if (bytes.empty()) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string_view text(Span all, std::uint64_t offset) {
  if (offset >= all.size()) return {};
  const auto* start = reinterpret_cast<const char*>(all.data()) + offset;
  return {start, ::strnlen(start, all.size() - offset)};
}

// Calls take(name, contents) for each section.
template <class Take>
void each_section(Span elf, const Take& take) {
  const auto header = read<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto entry = [&](unsigned i) {
    return read<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = entry(header->e_shstrndx);
  if (!names) return;
  const Span strings = part(elf, names->sh_offset, names->sh_size);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (const auto one = entry(i)) take(text(strings, one->sh_name), part(elf, one->sh_offset, one->sh_size));
}

// A section's contents; empty if there is none of the name.
Span section(Span elf, std::string_view wanted) {
  Span found;
  each_section(elf, [&](std::string_view name, Span contents) {
    if (name == wanted && found.empty()) found = contents;
  });
  return found;
}

}  // namespace

// The note: {u32 name size, u32 size, u32 type}, "NVIDIA Corp", then {u32 version, u32 offsets[5]} of texts
// that follow: object, tool, tool's version, build, options.
std::string assembler_options(std::span<const std::byte> elf) {
  constexpr std::uint64_t note_header = 12, version = 4, texts = 24, options = 5 * 4;
  const Span note = section(elf, ".note.nv.tkinfo");
  const auto name = read<std::uint32_t>(note, 0);
  if (!name) return {};
  const std::uint64_t start = note_header + (std::uint64_t{*name} + 3) / 4 * 4;
  const Span description = part(note, start, note.size() - std::min<std::uint64_t>(start, note.size()));
  const auto tool = read<std::uint32_t>(description, version + 4),
             at = read<std::uint32_t>(description, options);
  if (!tool || !at || text(description, texts + *tool) != "ptxas") return {};
  return std::string(text(description, texts + *at));
}

std::vector<std::string> kernel_names(std::span<const std::byte> elf) {
  constexpr std::string_view code = ".text.";
  std::vector<std::string> names;
  each_section(elf, [&](std::string_view name, Span) {
    if (name.starts_with(code)) names.emplace_back(name.substr(code.size()));
  });
  return names;
}

Rewrites rewrites(const std::string& assembler_options) {
  Rewrites found = Rewrites::all;
  // A cubin says "-O 0" and "-fmad false" for what nvcc keeps beside PTX as "-O0" and "--fmad=false".
  std::string text = assembler_options;
  std::replace(text.begin(), text.end(), '=', ' ');
  std::istringstream words(text);
  for (std::string word, value; words >> word;) {
    if (word == "-g" || word == "-O0") return Rewrites::nothing;
    if (word == "-O" && words >> value && value == "0") return Rewrites::nothing;
    if ((word == "-fmad" || word == "--fmad") && words >> value && value == "false")
      found = Rewrites::constants;
  }
  return found;
}

}  // namespace wedjat::traces
