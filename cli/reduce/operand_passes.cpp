// Makes statements simpler: guards, operands, literals, declarations of registers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "cli/reduce/pass.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::reduce {
namespace {

using Kind = Piece::Kind;

bool is_instruction(const Piece& piece) {
  return piece.kind == Kind::statement && !piece.text.empty() && piece.text[0] != '.';
}

struct Instruction {
  std::string head;  // guard and opcode, with a blank behind it
  std::vector<std::string> operands;

  explicit Instruction(const std::string& text) {
    std::size_t at = 0;
    if (text[0] == '@') at = std::min(text.find(' ') + 1, text.size());
    const auto blank = text.find(' ', at);
    if (blank == std::string::npos) {
      head = text;
      return;
    }
    head = text.substr(0, blank + 1);
    operands = comma_parts(text.substr(blank + 1, text.size() - blank - 2));
  }
  std::string text() const {
    std::string out = head;
    for (std::size_t i = 0; i < operands.size(); ++i) out += (i == 0 ? "" : ", ") + operands[i];
    return operands.empty() ? out : out + ";";
  }
};

class Guards : public Pass {
 public:
  std::string name() const override { return "guards"; }
  std::size_t count(const Case& of) const override { return of.pieces.size(); }
  bool apply(Case& to, std::size_t change) const override {
    std::string& text = to.pieces[change].text;
    const auto blank = text.find(' ');
    if (text.empty() || text[0] != '@' || blank == std::string::npos) return false;
    text.erase(0, blank + 1);
    return true;
  }
};

// Simplest first; an operand only becomes one that stands before it, so that this comes to an end.
constexpr std::array simple = {"0", "0f00000000", "0d0000000000000000", "1", "0f3F800000"};

class Operands : public Pass {
 public:
  std::string name() const override { return "operands"; }
  static constexpr std::size_t most_operands = 8;
  std::size_t count(const Case& of) const override {
    return of.pieces.size() * most_operands * simple.size();
  }
  bool apply(Case& to, std::size_t change) const override {
    const std::size_t form = change % simple.size(), number = change / simple.size() % most_operands;
    Piece& piece = to.pieces[change / simple.size() / most_operands];
    if (!is_instruction(piece)) return false;
    Instruction instruction(piece.text);
    if (number == 0 || number >= instruction.operands.size()) return false;
    std::string& operand = instruction.operands[number];
    const auto now = std::find(simple.begin(), simple.end(), operand);
    if (now != simple.end() && static_cast<std::size_t>(now - simple.begin()) <= form) return false;
    if (operand.find_first_of("[({") != std::string::npos) return false;
    operand = simple[form];
    piece.text = instruction.text();
    return true;
  }
};

// An instruction goes, and one of its operands stands wherever its result stood. No special register: ptxas
// takes them in few instructions only, so the case would be one that nothing compiles.
class Merges : public Pass {
 public:
  std::string name() const override { return "results"; }
  static constexpr std::size_t most_operands = 4;
  std::size_t count(const Case& of) const override { return of.pieces.size() * most_operands; }
  bool apply(Case& to, std::size_t change) const override {
    const std::size_t number = 1 + change % most_operands, place = change / most_operands;
    if (!is_instruction(to.pieces[place])) return false;
    const Instruction instruction(to.pieces[place].text);
    if (number >= instruction.operands.size()) return false;
    const std::string result = instruction.operands[0], by = instruction.operands[number];
    if (!is_name(result) || by.empty() || by.find_first_of("[({ ") != std::string::npos || by == result ||
        kernel::special_register_named(by) != nullptr)
      return false;
    to.pieces.erase(to.pieces.begin() + static_cast<std::ptrdiff_t>(place));
    for (Piece& piece : to.pieces)
      if (is_instruction(piece)) replace(piece.text, result, by);
    return true;
  }

 private:
  static bool belongs(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$';
  }
  static bool is_name(const std::string& text) {
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin(), text.end(), belongs);
  }
  static void replace(std::string& text, const std::string& name, const std::string& by) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      const std::size_t end = at + name.size();
      const bool whole = (at == 0 || !belongs(text[at - 1])) && (end == text.size() || !belongs(text[end]));
      if (whole) text.replace(at, name.size(), by);
      at += whole ? by.size() : name.size();
    }
  }
};

// A number in the text that is larger than 1: half of it. Offsets of addresses and of elements too.
class Literals : public Pass {
 public:
  std::string name() const override { return "literals"; }
  static constexpr std::size_t most_numbers = 8;
  std::size_t count(const Case& of) const override { return of.pieces.size() * most_numbers * 2; }
  bool apply(Case& to, std::size_t change) const override {
    Piece& piece = to.pieces[change / most_numbers / 2];
    if (!is_instruction(piece)) return false;
    std::size_t wanted = change / 2 % most_numbers;
    std::string& text = piece.text;
    for (std::size_t at = text.find(' '); at < text.size(); ++at) {
      const bool starts = std::isdigit(static_cast<unsigned char>(text[at])) && !belongs(text[at - 1]);
      if (!starts) continue;
      std::size_t end = at;
      while (end < text.size() && belongs(text[end])) ++end;
      if (wanted-- != 0) {
        at = end;
        continue;
      }
      const auto simpler = smaller(text.substr(at, end - at), change % 2 == 0);
      if (!simpler) return false;
      text.replace(at, end - at, *simpler);
      return true;
    }
    return false;
  }

 private:
  static bool belongs(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$' || c == '.';
  }
  static std::optional<std::string> smaller(const std::string& text, bool zero) {
    std::uint64_t number = 0;
    const bool hexadecimal = text.starts_with("0x");
    const char *const begin = text.data() + (hexadecimal ? 2 : 0), *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, number, hexadecimal ? 16 : 10);
    if (error != std::errc() || stop != end || number < (zero ? 1 : 2)) return std::nullopt;
    return std::to_string(zero ? 0 : number / 2);
  }
};

// `.reg .b32 %r<100>;`: as many as are used; names that nobody uses leave lists of names.
class Registers : public Pass {
 public:
  std::string name() const override { return "registers"; }
  static constexpr std::size_t most_names = 32;
  std::size_t count(const Case& of) const override { return of.pieces.size() * most_names; }
  bool apply(Case& to, std::size_t change) const override {
    Piece& piece = to.pieces[change / most_names];
    if (!piece.text.starts_with(".reg ")) return false;
    const auto last_blank_of_type = piece.text.find(' ', piece.text.rfind('.') + 1);
    if (last_blank_of_type == std::string::npos) return false;
    const std::string head = piece.text.substr(0, last_blank_of_type + 1);
    std::vector<std::string> names =
        comma_parts(piece.text.substr(head.size(), piece.text.size() - head.size() - 1));
    const std::size_t which = change % most_names;
    if (which >= names.size()) return false;
    const auto angle = names[which].find('<');
    if (angle != std::string::npos) {
      const std::string prefix = names[which].substr(0, angle);
      const std::uint64_t needed = last_number(to, prefix) + 1;
      const std::string fewer = fmt::format("{}<{}>", prefix, needed);
      if (std::strtoull(names[which].c_str() + angle + 1, nullptr, 10) <= needed) return false;
      names[which] = fewer;
    } else {
      if (names.size() == 1) return false;
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(which));
    }
    piece.text = head;
    for (std::size_t i = 0; i < names.size(); ++i) piece.text += (i == 0 ? "" : ", ") + names[i];
    piece.text += ";";
    return true;
  }

 private:
  static std::uint64_t last_number(const Case& of, const std::string& prefix) {
    std::uint64_t last = 0;
    for (const Piece& piece : of.pieces)
      for (auto at = piece.text.find(prefix); at != std::string::npos; at = piece.text.find(prefix, at + 1)) {
        std::uint64_t number = 0;
        const char* const begin = piece.text.c_str() + at + prefix.size();
        if (std::from_chars(begin, piece.text.c_str() + piece.text.size(), number).ec == std::errc())
          last = std::max(last, number);
      }
    return last;
  }
};

}  // namespace

std::vector<std::unique_ptr<Pass>> operand_passes() {
  std::vector<std::unique_ptr<Pass>> all;
  all.push_back(std::make_unique<Guards>());
  all.push_back(std::make_unique<Merges>());
  all.push_back(std::make_unique<Operands>());
  all.push_back(std::make_unique<Literals>());
  all.push_back(std::make_unique<Registers>());
  return all;
}

}  // namespace wedjat::reduce
