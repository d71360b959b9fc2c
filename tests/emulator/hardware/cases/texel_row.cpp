#include "tests/emulator/hardware/cases/texel_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {
namespace {

std::vector<std::string> words_of(std::string_view mnemonic) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= mnemonic.size();) {
    const std::size_t end = std::min(mnemonic.find('.', at), mnemonic.size());
    words.emplace_back(mnemonic.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

unsigned bits_of(const std::string& type) { return static_cast<unsigned>(std::stoul(type.substr(1))); }

unsigned record_bytes(const std::vector<RowRegister>& sources) {
  unsigned at = 0;
  for (const RowRegister& source : sources) {
    const unsigned size = slot_bytes(source.type);
    at = (at + size - 1) / size * size + size;
  }
  return (at + 8) / 8 * 8;
}

// 2 of "{s.b32*2}", 0 of "s.b32".
std::vector<unsigned> groups_after(const std::string& pattern, std::size_t at) {
  static const std::regex group(R"(\{s\.b32\*(\d+)\}|s\.b32)");
  std::vector<unsigned> groups;
  for (std::sregex_iterator it(pattern.begin() + static_cast<std::ptrdiff_t>(at), pattern.end(), group), end;
       it != end; ++it)
    groups.push_back((*it)[1].matched ? static_cast<unsigned>(std::stoul((*it)[1])) : 0);
  return groups;
}

std::vector<Meaning> coordinates(const std::string& geometry) {
  using enum Meaning;
  if (geometry == "1d") return {x};
  if (geometry == "2d") return {x, y};
  if (geometry == "3d" || geometry == "cube") return {x, y, z, unused};
  if (geometry == "a1d") return {layer, x};
  if (geometry == "a2d") return {layer, x, y, unused};
  if (geometry == "acube") return {layer, x, y, z};
  if (geometry == "2dms") return {sample, x, y, unused};
  return {sample, layer, x, y};
}

void add_meanings(TexelRow& row, const std::string& pattern, bool has_level, bool has_gradients) {
  row.meanings = coordinates(row.geometry);
  std::vector<unsigned> groups = groups_after(pattern, pattern.find(']'));
  const auto take = [&](Meaning meaning) {
    row.meanings.insert(row.meanings.end(), std::max(groups.front(), 1u), meaning);
    groups.erase(groups.begin());
  };
  if (has_level) take(Meaning::level);
  if (has_gradients) take(Meaning::gradient), take(Meaning::gradient);
  if (!row.surface) {
    if (!groups.empty() && groups.front() != 0) take(Meaning::offset);
    if (!groups.empty()) take(Meaning::compared);
  }
  while (row.meanings.size() < row.shape.sources.size()) row.meanings.push_back(Meaning::data);
}

Reads reads_of(const std::vector<std::string>& words) {
  const std::string& type = words[words.size() - 2];
  return type == "u32" ? Reads::natural : type == "s32" ? Reads::integer : Reads::real;
}

const SceneSet& surfaces_for(const TexelRow& row, std::string_view opcode, unsigned bits, unsigned elements) {
  SurfaceWish wish;
  wish.stored = row.stored;
  if (opcode == "sured") wish.bytes = bits / 8;
  if (opcode == "sured" && !row.bytes) wish.integers = true;
  if (opcode == "sust" && !row.bytes) wish.most = elements;
  return surface_scenes(row.geometry, wish);
}

}  // namespace

TexelRow texel_row(const fidelity::InventoryRow& row) {
  TexelRow result;
  result.shape = shape_of(row);
  result.input_bytes = record_bytes(result.shape.sources);
  const std::string pattern(row.operands);
  const std::string_view opcode = row.opcode();
  const auto named = [&](std::string_view what) { return row.text.find(what) != row.text.npos; };
  result.independent = pattern.find("texi") != pattern.npos || named("smpr");
  if (!result.independent) result.variable = named("texr") ? "texr" : named("sfr") ? "sfr" : "";
  result.surface = opcode[0] == 's';
  if (opcode == "txq" || opcode == "suq") {
    result.scenes = &queried_scenes(result.surface);
    result.meanings.assign(result.shape.sources.size(), Meaning::level);
    result.fetched = true;
    return result;
  }
  const std::vector<std::string> words = words_of(row.mnemonic);
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (const std::string& word : words)
    if (std::set<std::string>{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"}.count(word))
      result.geometry = word;
  add_meanings(result, pattern, has("level"), has("grad"));
  if (!result.surface) {
    result.fetched = words.back() == "s32";
    result.scenes = &texture_scenes(result.geometry, reads_of(words), result.fetched);
    return result;
  }
  result.fetched = true;
  result.bytes = has("b");
  result.traps = has("trap");
  result.stored = opcode != "suld";
  const unsigned elements = has("v2") ? 2 : has("v4") ? 4 : 1, bits = bits_of(words[words.size() - 2]);
  if (result.bytes) result.access = elements * bits / 8;
  result.scenes = &surfaces_for(result, opcode, bits, elements);
  return result;
}

std::vector<const fidelity::InventoryRow*> texel_rows() {
  static const std::set<std::string_view> opcodes = {"tex", "tld4", "txq", "suld", "sust", "sured", "suq"};
  std::vector<const fidelity::InventoryRow*> rows;
  for (const fidelity::InventoryRow& row : fidelity::inventory())
    if (row.runs_on_sm_90a && opcodes.count(row.opcode())) rows.push_back(&row);
  const auto kind = [](const fidelity::InventoryRow* row) {
    const auto names = [row](std::string_view what) { return row->text.find(what) != row->text.npos; };
    return row->operands.find("texi") != row->operands.npos || names("smpr") ? 2
           : names("texr") || names("sfr")                                   ? 1
                                                                             : 0;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) { return kind(a) < kind(b); });
  return rows;
}

}  // namespace wedjat::hardware_truth
