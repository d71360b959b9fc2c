// What directives say: launches, what they are given, and what has to come out.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/expect/values.h"

namespace wedjat::expect {

/// "FILE:LINE: what is wrong with the directive".
class DirectiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
[[noreturn]] inline void wrong(const std::string& file, unsigned line, const std::string& cause) {
  throw DirectiveError(fmt::format("{}:{}: {}", file, line, cause));
}

/// One element that is expected.
struct Wanted {
  enum class Kind { exactly, anything, any_nan, captured } kind = Kind::exactly;
  Bits bits{};
  std::string name;  ///< captured: elements of the same name are the same, whatever they are
};

/// Values as they are written: literal ones, or a rule that gives as many as are needed.
struct Sequence {
  enum class Rule { listed, range, fill, pattern, random, file, same } rule = Rule::listed;
  Type type{};
  std::vector<Wanted> values;       ///< listed, pattern; fill and range: the first
  Bits step{};                      ///< range
  std::uint64_t seed = 0;           ///< random
  std::string name;                 ///< same: the buffer whose first contents they are
  std::vector<std::byte> contents;  ///< file

  /// How many it gives; nothing if as many as are asked for.
  std::optional<std::uint64_t> count() const;
  Wanted at(std::uint64_t index) const;
};

struct Buffer {
  enum class Use { in, out, inout, variable } use = Use::in;
  std::string name;
  unsigned line = 0;
  Type type{};
  std::uint64_t count = 0;          ///< elements
  std::optional<Sequence> initial;  ///< none: `out`
};

struct Scalar {
  std::string name;
  unsigned line = 0;
  std::vector<std::byte> bytes;
};

/// What a directive says of a buffer: values from element `first` on, every `step`-th, `count` of them.
struct Expectation {
  std::string buffer;
  unsigned line = 0;
  Type type{};
  std::uint64_t first = 0, step = 1;
  std::optional<std::uint64_t> last;  ///< included; none: to the end
  bool whole = false;                 ///< no place is written
  std::optional<Sequence> values;     ///< none: `ignore`
  std::optional<std::uint64_t> ulps;
  std::optional<double> distance;
};

struct Text {
  std::string text;
  unsigned line = 0;
};

struct Launch {
  std::string kernel;
  unsigned line = 0;
  bool follows = false;  ///< on the device of the launch before, with its memory
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, cluster[3] = {0, 0, 0};
  std::uint32_t shared = 0;
  bool cooperative = false;
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  std::vector<std::string> arguments;  ///< in the order of the parameters
  bool arguments_given = false;        ///< by `args`
  std::vector<Expectation> expectations;
  std::vector<Text> prints;
  std::optional<Text> fails, finds;

  const Buffer* buffer(const std::string& name) const;
  bool expects_something() const {
    return !expectations.empty() || !prints.empty() || fails.has_value() || finds.has_value();
  }
};

/// The directives of `text`. Throws DirectiveError; also for a launch of which nothing is expected, unless
/// the caller is content with that.
std::vector<Launch> parse(const std::string& file, const std::string& text, bool may_expect_nothing = false);

}  // namespace wedjat::expect
