// Runs launches, and says what is not as it was expected.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/expect/case.h"
#include "cli/library/wedjat.h"

namespace wedjat::expect {

struct Complaint {
  enum class Kind { value, text, failure, finding } kind = Kind::value;
  std::string file;  ///< of the directives
  unsigned line = 0;
  std::string launch;   ///< its kernel
  std::string message;  ///< without file and line
  std::string buffer;   ///< value: where, in elements of the expectation's type, and what is there
  std::uint64_t element = 0;
  Bits got{};
};

struct Inputs {
  std::string ptx_file, ptx;
  std::string file;  ///< of the directives
  std::vector<Launch> launches;
  bool partial = false;  ///< elements may be compared with nothing
};

/// Each `launch` has a device of its own, which launches that follow (`then`) share. `run` says how; its
/// callbacks are not used. Throws DirectiveError for expectations that fit no buffer, and LibraryError when
/// the library was interrupted.
std::vector<Complaint> run(const Inputs& inputs, const WedjatRunOptions& run);

/// What memory holds in the end, whatever is expected of it.
struct Results {
  std::string failure, printed;
  std::map<std::string, std::vector<std::byte>> memory;  ///< by "NUMBER NAME", of the device and the buffer

  bool operator==(const Results&) const = default;
};
Results results(const Inputs& inputs, const WedjatRunOptions& run);

}  // namespace wedjat::expect
