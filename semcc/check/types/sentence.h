// How the files describe what they declare.
#pragma once
#include <string>

#include "semcc/front/source.h"

namespace semcc::check {

// A summary is one sentence, from a capital to a full stop, of at most 100 characters; else an error at `at`.
void want_sentence(const std::string& summary, front::Location at, front::Diagnostics& diagnostics);

}  // namespace semcc::check
