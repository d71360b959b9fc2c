// One instruction form: a mnemonic and the pattern of its operands, and the list of forms in forms.txt.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/fidelity/truth_file.h"

namespace wedjat::hardware_truth {

enum class Type : std::uint8_t { b8, b16, b32, b64, b128, pred };

struct Operand {
  enum class Role : std::uint8_t {
    destination,
    source,
    membermask,  // a source that is the same in all lanes of a warp; lanes not in it skip the instruction
    literal,     // printed as it stands: an immediate or a special register
  };
  Role role = Role::literal;
  Type type = Type::b32;
  unsigned elements = 0;   // of a vector {d.b16*4}; 0: a scalar
  bool after_bar = false;  // the second half of d.b32|d.pred
  bool minus = false;      // -s.b32
  std::string selector;    // ".h1" of s.b32.h1
  std::string literal;
};

struct Form {
  std::string text;      // "add.cc.u32 d.b32, s.b32, s.b32, !cc.out": identifies the form
  std::string mnemonic;  // "add.cc.u32"
  std::vector<Operand> operands;
  bool carry_in = false;   // !cc.in: reads CC.CF
  bool carry_out = false;  // !cc.out: writes CC.CF

  std::string_view opcode() const;                  // "add"
  std::vector<std::string_view> modifiers() const;  // "cc", "u32"
};

// Of a malformed list; the message names file and line.
using fidelity::InputError;

// All combinations of the alternatives in `line`: "a{,.b}.{c,d} x" is "a.c x", "a.d x", "a.b.c x", "a.b.d x".
// Braces without a comma ({s.b16*2}) stay. Throws InputError for unbalanced braces.
std::vector<std::string> expand_alternatives(std::string_view line);

// Throws InputError naming the operand that is not understood.
Form parse_form(std::string_view text);

// The forms of a list, in its order: alternatives expanded, empty lines and # comments dropped. Throws
// InputError naming file and line, also for a form that is listed twice.
std::vector<Form> read_forms(const std::filesystem::path& file);

}  // namespace wedjat::hardware_truth
