#include "cli/expect/sequence.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace wedjat::expect {
namespace {

Wanted parse_wanted(const Type& type, const Word& word) {
  if (word.quoted) throw std::invalid_argument("a text is no value");
  Wanted wanted;
  if (word.text == "_") {
    wanted.kind = Wanted::Kind::anything;
  } else if (word.text == "nan") {
    if (!type.is_float()) throw std::invalid_argument("nan is no value of type " + type.name);
    wanted.kind = Wanted::Kind::any_nan;
  } else if (word.text.starts_with('$') && word.text.size() > 1) {
    wanted.kind = Wanted::Kind::captured;
    wanted.name = word.text.substr(1);
  } else {
    wanted.bits = parse_literal(type, word.text);
  }
  return wanted;
}

// SplitMix64, whose n-th output is a function of n: anybody can compute the same in three lines.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void parse_list(Sequence& sequence, std::span<const Word> words) {
  constexpr std::uint64_t most = std::uint64_t{1} << 24;
  for (const Word& word : words) {
    const auto star = word.text.find('*');
    const Word value{word.text.substr(0, star), word.quoted};
    const std::uint64_t times =
        star == std::string::npos ? 1 : parse_number(word.text.substr(star + 1), "how many times");
    const Wanted wanted = parse_wanted(sequence.type, value);
    if (times == 0 || sequence.values.size() + times > most)
      throw std::invalid_argument(word.text + ": a list has between 1 and 16777216 values");
    sequence.values.insert(sequence.values.end(), times, wanted);
  }
}

const Word& only(std::span<const Word> words, const char* of, const char* what) {
  if (words.size() != 1) throw std::invalid_argument(fmt::format("{} takes {}", of, what));
  return words[0];
}

}  // namespace

std::uint64_t parse_number(const std::string& text, const char* what) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number >> 40 != 0)
    throw std::invalid_argument(fmt::format("'{}' is not {}", text, what));
  return number;
}

std::optional<std::uint64_t> Sequence::count() const {
  if (rule == Rule::listed) return values.size();
  if (rule == Rule::file) return contents.size() / type.bytes;
  return std::nullopt;
}

Wanted Sequence::at(std::uint64_t index) const {
  Wanted wanted;
  switch (rule) {
    case Rule::listed:
      return values.at(index);
    case Rule::fill:
      return values.front();
    case Rule::pattern:
      return values[index % values.size()];
    case Rule::range:
      wanted.bits = in_range(type, values.front().bits, step, index);
      return wanted;
    case Rule::file:
    case Rule::same:  // its contents are those of the buffer
      wanted.bits = bits_at(type, std::span(contents).subspan(index * type.bytes, type.bytes));
      return wanted;
    case Rule::random:
      for (unsigned word = 0; word * 8u < type.bytes; ++word) {
        const unsigned words = type.bytes > 8 ? 2 : 1, size = type.bytes > 8 ? 8 : type.bytes;
        const std::uint64_t bits = mixed(seed, index * words + word);
        std::memcpy(wanted.bits.data() + 8u * word, &bits, size);
      }
      return wanted;
  }
  return wanted;
}

Sequence parse_sequence(const Type& type, std::span<const Word> words,
                        const std::function<std::string(const std::string&)>& read_file) {
  using Rule = Sequence::Rule;
  if (words.empty()) throw std::invalid_argument("values are missing behind '='");
  Sequence sequence;
  sequence.type = type;
  const std::string& rule = words[0].quoted ? "" : words[0].text;
  const auto rest = words.subspan(1);
  if (rule == "range") {
    sequence.rule = Rule::range;
    if (rest.size() != 1 && !(rest.size() == 3 && rest[1].text == "step"))
      throw std::invalid_argument("range takes FIRST or FIRST step STEP");
    sequence.values = {parse_wanted(type, rest[0])};
    must_be_exact(sequence);
    sequence.step = parse_literal(type, rest.size() == 3 ? rest[2].text : "1");
    if (type.bytes == 16) throw std::invalid_argument("range has at most 64 bits");
  } else if (rule == "fill") {
    sequence.rule = Rule::fill;
    sequence.values = {parse_wanted(type, only(rest, "fill", "one value"))};
  } else if (rule == "pattern") {
    sequence.rule = Rule::pattern;
    parse_list(sequence, rest);
    if (sequence.values.empty()) throw std::invalid_argument("pattern takes values");
  } else if (rule == "random") {
    sequence.rule = Rule::random;
    sequence.seed = parse_number(only(rest, "random", "a seed").text, "a seed");
  } else if (rule == "file") {
    sequence.rule = Rule::file;
    const std::string name = only(rest, "file", "the name of a file").text, text = read_file(name);
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    sequence.contents.assign(begin, begin + text.size());
    if (text.empty() || text.size() % type.bytes != 0)
      throw std::invalid_argument(
          fmt::format("{} has {} bytes, no whole number of {}", name, text.size(), type.name));
  } else if (rule == "same") {
    sequence.rule = Rule::same;
    sequence.name = only(rest, "same", "the name of a buffer").text;
  } else {
    parse_list(sequence, words);
  }
  return sequence;
}

void must_be_exact(const Sequence& sequence) {
  for (const Wanted& value : sequence.values)
    if (value.kind != Wanted::Kind::exactly)
      throw std::invalid_argument(
          "memory is given exact values: not _, nan or $name (a NaN is written as bits, 0x…)");
}

}  // namespace wedjat::expect
