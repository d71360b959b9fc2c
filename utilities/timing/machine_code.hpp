// What a form becomes: machine instructions that read its sources and each other.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "costs.hpp"

namespace timing {

/// A source or result of the form, half of one of 64 bits; the carry; or one of the instructions before.
struct Piece {
  enum class Kind : std::uint8_t { operand, carry, instruction } kind = Kind::operand;
  bool is_upper = false, is_guard = false;
  std::uint32_t index = 0;
};

struct MachineInstruction {
  Cost cost;
  bool writes_predicate = false;  // and nothing else
  bool is_none = false;           // what it makes is what it reads
  std::vector<Piece> reads, makes;
};

class MachineCode {
 public:
  /// Of a form with so many results (`_` is one). None where what becomes of it is not known; nothing where
  /// it becomes part of others.
  static std::optional<std::vector<MachineInstruction>> of(std::string_view form, std::size_t results) {
    const h200::MachineCode* found = row_of(h200::machine_code, &h200::MachineCode::form, form);
    if (found == nullptr) return std::nullopt;
    while (found->results < results && found + 1 != std::end(h200::machine_code) && found[1].form == form)
      ++found;
    return read(found->code);
  }

  /// `IMAD.WIDE:s0,s1 SHF:!0,s0h>d0`, as machine_code.tsv has it.
  static std::vector<MachineInstruction> read(std::string_view code) {
    std::vector<MachineInstruction> made;
    while (!code.empty()) {
      std::string_view word = cut(code, ' ');
      MachineInstruction& one = made.emplace_back();
      std::string_view head = cut(word, '>');
      const std::string_view name = cut(head, ':');
      one.is_none = name == "=";
      one.cost = cost_of_machine_instruction(name);
      one.writes_predicate = name.ends_with("SETP") || name.ends_with("SETP2") || name == "PLOP3";
      while (!head.empty()) one.reads.push_back(piece(cut(head, ',')));
      while (!word.empty()) one.makes.push_back(piece(cut(word, '>')));
    }
    return made;
  }

 private:
  static std::string_view cut(std::string_view& text, char at) {
    const std::size_t end = std::min(text.find(at), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
  }
  static Piece piece(std::string_view text) {
    Piece one;
    if (text.starts_with('!')) one.is_guard = true, text.remove_prefix(1);
    if (text.ends_with('h')) one.is_upper = true, text.remove_suffix(1);
    if (text == "c") return one.kind = Piece::Kind::carry, one;
    if (text.starts_with('s') || text.starts_with('d'))
      text.remove_prefix(1);
    else
      one.kind = Piece::Kind::instruction;
    std::from_chars(text.data(), text.data() + text.size(), one.index);
    return one;
  }
};

}  // namespace timing
