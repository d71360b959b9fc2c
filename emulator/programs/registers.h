// Registers of a body: declared, given values, and their values made results. Those that a body does not name
// are left out, since compilers take their time for them.
#pragma once
#include <string>

namespace wedjat::programs {

std::string declarations(unsigned loops);
/// Values made of the words in %r.
std::string initial_values(const std::string& body);
/// Every register to its own place behind the private words. NaNs are made alike first.
std::string results(const std::string& body);
/// Bits and integers, all in %r0.
std::string digest(const std::string& body);

}  // namespace wedjat::programs
