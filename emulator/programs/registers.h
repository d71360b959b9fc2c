// Registers of a body: declared, given values, and their values made results. Those that a body does not name
// are left out, since compilers take their time for them.
#pragma once
#include <string>

namespace wedjat::programs {

std::string declarations(unsigned loops);
/// Values made of the words in %r; of every other register only, unless it is `all`.
std::string initial_values(const std::string& body, bool all);
/// Every register to its own place behind the private words. NaNs are made the same first, if asked for.
std::string results(const std::string& body, bool same_nans);
/// Bits and integers, all in %r0.
std::string digest(const std::string& body);

}  // namespace wedjat::programs
