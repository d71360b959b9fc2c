#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "emulator/compile/image/image.h"

namespace wedjat::compile {

namespace {

using Kind = Link::Kind;

// No function of the C library has a dot in its name. By kind.
constexpr std::array<std::string_view, 17> prefixes = {
    "wedjat.step.",      "wedjat.full.",       "wedjat.masked.",   "wedjat.offer.",       "wedjat.wanted.",
    "wedjat.behind.",    "wedjat.noterange.",  "wedjat.beginrun.", "wedjat.learnmemory.", "wedjat.findwords.",
    "wedjat.findplane.", "wedjat.passrounds.", "wedjat.keepzmm.",  "wedjat.keepymm.",     "wedjat.keepxmm.",
    "wedjat.probe.",     "wedjat.tool.",
};
static_assert(prefixes.size() == static_cast<std::size_t>(Kind::library));

}  // namespace

std::string symbol_of(Kind kind, std::uint32_t number) {
  return std::string(prefixes[static_cast<std::size_t>(kind)]) + std::to_string(number);
}

Link link_of(const std::string& symbol) {
  for (std::size_t kind = 0; kind < prefixes.size(); ++kind) {
    if (!symbol.starts_with(prefixes[kind])) continue;
    Link link{.kind = static_cast<Kind>(kind), .number = 0, .name = {}};
    const char* const first = symbol.data() + prefixes[kind].size();
    const char* const last = symbol.data() + symbol.size();
    if (first == last || std::from_chars(first, last, link.number).ptr != last) break;
    return link;
  }
  if (symbol.empty() || symbol.find('.') != std::string::npos)
    throw std::runtime_error("code refers to '" + symbol + "', which is nothing known");
  return {.kind = Kind::library, .number = 0, .name = symbol};
}

}  // namespace wedjat::compile
