// Pieces of executors as functions that know nothing of the executor around them: those of one file that do
// the same share them, and with them all that is compiled for them.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace semcc::emit {

// C++ types of what an executor has declared, by name.
using Declared = std::map<std::string, std::string>;

struct SharedPiece {
  std::string text;                   // its definition, whose name is piece_name(0)
  std::vector<std::string> captured;  // names of the executor that it is given, in their order
};

// The name that a piece has until its file is written.
std::string piece_name(std::size_t index);
std::string with_piece_names(const std::string& text, const std::vector<std::string>& names);

// What an update makes of an old element: a struct with members for what is captured, and operator().
SharedPiece make_change(const std::string& result, const std::string& parameters, const std::string& body,
                        const Declared& declared);

// Statements: a function of warp, step and what is captured. `result`: its type, with attributes.
SharedPiece make_part(const std::string& result, const std::string& body, const Declared& declared);

// The text of an executor about matrices: pieces at odd places are worth a function of their own.
inline constexpr const char* part_mark = "//";
std::vector<std::string> cut_at_marks(const std::string& text);

}  // namespace semcc::emit
