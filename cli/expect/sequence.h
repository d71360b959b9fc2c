// The values of a directive: everything behind `=`.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "cli/expect/case.h"
#include "cli/expect/lines.h"

namespace wedjat::expect {

/// Throws std::invalid_argument. `read_file` gives the contents of a file that is named beside the directive.
Sequence parse_sequence(const Type& type, std::span<const Word> words,
                        const std::function<std::string(const std::string&)>& read_file);

/// Values that memory can be given: not nan, _ or $name. Throws std::invalid_argument.
void must_be_exact(const Sequence& sequence);

std::uint64_t parse_number(const std::string& text, const char* what);

}  // namespace wedjat::expect
