// Performance-tuning and other directives of functions (PTX ISA 11.4, 11.5, 11.8).
#include <limits>

#include "emulator/ptx/declarations/declarations.h"

namespace wedjat::ptx {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();

/// Directives with one number, and where it goes.
struct Counted {
  std::string_view word;
  std::uint32_t Directives::*field;
};
constexpr Counted kCounted[] = {{".minnctapersm", &Directives::minnctapersm},
                                {".maxnreg", &Directives::maxnreg},
                                {".maxclusterrank", &Directives::maxclusterrank}};

struct Shaped {
  std::string_view word;
  std::optional<Directives::Shape> Directives::*field;
};
constexpr Shaped kShaped[] = {{".maxntid", &Directives::maxntid},
                              {".reqntid", &Directives::reqntid},
                              {".reqnctapercluster", &Directives::reqnctapercluster}};

struct Preserved {
  std::string_view word;
  std::optional<std::uint32_t> Directives::*field;
};
constexpr Preserved kPreserved[] = {{".abi_preserve", &Directives::abi_preserve},
                                    {".abi_preserve_control", &Directives::abi_preserve_control}};

}  // namespace

void Declarations::require(const antlr4::Token* where, std::string_view word) const {
  ptx::require(source_, version_, offset_of(where), word);
}

void Declarations::pragma(const Grammar::PragmaContext& pragma, std::vector<std::string_view>& out) {
  for (const antlr4::Token* string : pragma.strings) {
    const std::string_view quoted = text(string);
    out.push_back(quoted.substr(1, quoted.size() - 2));
  }
}

void Declarations::directive(const Grammar::DirectiveContext& directive, Owner owner, Directives& out) {
  const std::string_view word = text(directive.word);
  const auto& values = directive.values;
  require(directive.word, word);
  const auto expect = [&](std::size_t least, std::size_t most) {
    if (values.size() < least || values.size() > most)
      fail(directive.word, std::string(word) + " takes " +
                               (most == 0   ? "no"
                                : most == 1 ? "one"
                                            : "one to three") +
                               " numbers, not " + std::to_string(values.size()));
  };
  const auto positive = [&](const antlr4::Token* token) {
    const auto value = static_cast<std::uint32_t>(expressions_.number(token, kMax));
    if (value == 0) fail(token, std::string(word) + " takes numbers above 0");
    return value;
  };
  if (word == ".maxnctapersm")
    fail(directive.word, ".maxnctapersm was removed in PTX 2.1: use .minnctapersm");
  if (owner == Owner::entry) {
    for (const Counted& row : kCounted) {
      if (row.word != word) continue;
      expect(1, 1);
      out.*row.field = positive(values.front());
      return;
    }
    for (const Shaped& row : kShaped) {
      if (row.word != word) continue;
      expect(1, 3);
      Directives::Shape shape{1, 1, 1};
      for (std::size_t i = 0; i < values.size(); ++i) shape[i] = positive(values[i]);
      out.*row.field = shape;
      return;
    }
    if (word == ".explicitcluster" || word == ".blocksareclusters") {
      expect(0, 0);
      (word == ".explicitcluster" ? out.explicitcluster : out.blocksareclusters) = true;
      return;
    }
  } else {
    for (const Preserved& row : kPreserved) {
      if (row.word != word) continue;
      expect(1, 1);
      out.*row.field = static_cast<std::uint32_t>(expressions_.number(values.front(), kMax));
      return;
    }
    if (word == ".noreturn") {
      expect(0, 0);
      out.noreturn = true;
      return;
    }
  }
  fail(directive.word, "'" + std::string(word) + "' is no directive of " +
                           (owner == Owner::entry      ? "an entry"
                            : owner == Owner::function ? "a function"
                                                       : "a prototype"));
}

void Declarations::directives(const std::vector<Grammar::DirectiveContext*>& list, Owner owner,
                              Directives& out) {
  for (const Grammar::DirectiveContext* one : list) {
    if (one->word != nullptr) {
      directive(*one, owner, out);
    } else {
      pragma(*one->pragma_, out.pragmas);
    }
  }
  if (out.blocksareclusters && !(out.reqntid && out.reqnctapercluster))
    fail(list.front()->start, ".blocksareclusters needs .reqntid and .reqnctapercluster");
}

}  // namespace wedjat::ptx
