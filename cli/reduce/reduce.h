// Makes a case as small as it can be while a verdict holds.
#pragma once
#include <functional>
#include <string>

#include "cli/reduce/search.h"

namespace wedjat::reduce {

struct Sizes {
  std::size_t statements = 0, bytes = 0, input_bytes = 0, threads = 0;
};
Sizes sizes_of(const Case& of);

/// Repeats all passes until none changes anything. The outcome depends on `best` and the verdict only. `best`
/// is always a case of which the verdict holds, also when an exception ends this.
void reduce(Case& best, Search& search);

/// A text for a bug report, in Markdown. `elsewhere`: how the case runs without this program.
std::string report(const Verdict& verdict, const Case& original, const Case& reduced, const std::string& file,
                   std::uint64_t tried, const std::string& elsewhere);

}  // namespace wedjat::reduce
