// Executors that differ only in numbers, as those of matrices of many widths do, share one function that
// takes the numbers as arguments.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace semcc::emit {

// A body cut at its numbers. Those of templates and quoted texts stay in the pieces.
struct Numbered {
  std::vector<std::string> pieces;  // one more than numbers
  std::vector<std::uint32_t> numbers;
  std::vector<bool> sizes_array;

  std::string shape() const;  // equal for bodies that may share
};

Numbered cut_at_numbers(const std::string& text);

// A function for several bodies of one shape: where all agree a number stands, for the size of an array the
// greatest, else a parameter p0, p1 …
struct SharedBody {
  std::string text;
  std::vector<std::vector<std::uint32_t>> arguments;  // for each body
};

SharedBody share(const std::vector<Numbered>& bodies);

}  // namespace semcc::emit
