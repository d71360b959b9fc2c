// Makes launches smaller: their number, dimensions, parameters, and the bytes that they are given.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/reduce/pass.h"

namespace wedjat::reduce {
namespace {

using expect::Buffer;
using expect::Launch;
using expect::Sequence;
using expect::Wanted;

class Launches : public Pass {
 public:
  std::string name() const override { return "launches"; }
  std::size_t count(const Case& of) const override { return of.launches.size(); }
  bool apply(Case& to, std::size_t change) const override {
    if (to.launches.size() == 1) return false;
    const bool first_of_chain = !to.launches[change].follows;
    to.launches.erase(to.launches.begin() + static_cast<std::ptrdiff_t>(change));
    if (first_of_chain && change < to.launches.size()) to.launches[change].follows = false;
    return true;
  }
};

// Extents, bytes of shared memory, and whether the launch is cooperative.
class Dimensions : public Pass {
 public:
  std::string name() const override { return "dimensions"; }
  static constexpr std::size_t extents = 9, ways = 3, of_launch = extents * ways + 3;
  std::size_t count(const Case& of) const override { return of.launches.size() * of_launch; }
  bool apply(Case& to, std::size_t change) const override {
    Launch& launch = to.launches[change / of_launch];
    const std::size_t which = change % of_launch;
    if (which == extents * ways) return std::exchange(launch.cooperative, false);
    if (which == extents * ways + 1) return std::exchange(launch.shared, 0) != 0;
    if (which == extents * ways + 2) return std::exchange(launch.shared, launch.shared / 2) > 1;
    const std::size_t number = which / ways;
    std::uint32_t& extent = number < 3   ? launch.grid[number]
                            : number < 6 ? launch.block[number - 3]
                                         : launch.cluster[number - 6];
    if (extent <= 1) return false;
    extent = which % ways == 0 ? 1 : which % ways == 1 ? (extent + 1) / 2 : extent - 1;
    return true;
  }
};

// A parameter of a kernel, and the argument of every launch of it.
class Parameters : public Pass {
 public:
  std::string name() const override { return "parameters"; }
  static constexpr std::size_t most = 64;
  std::size_t count(const Case& of) const override { return of.pieces.size() * most; }
  bool apply(Case& to, std::size_t change) const override {
    Piece& piece = to.pieces[change / most];
    const std::size_t number = change % most;
    const auto entry = piece.text.find(".entry ");
    if (piece.kind != Piece::Kind::head || entry == std::string::npos) return false;
    const auto open = piece.text.find('(', entry), close = piece.text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close <= open + 1) return false;
    auto parameters = comma_parts(piece.text.substr(open + 1, close - open - 1));
    if (number >= parameters.size()) return false;
    std::string kernel = piece.text.substr(entry + 7, open - entry - 7);
    while (!kernel.empty() && kernel.back() == ' ') kernel.pop_back();
    parameters.erase(parameters.begin() + static_cast<std::ptrdiff_t>(number));
    std::string list;
    for (const std::string& parameter : parameters) list += (list.empty() ? "" : ", ") + parameter;
    piece.text.replace(open + 1, close - open - 1, list);
    for (Launch& launch : to.launches) {
      if (launch.kernel != kernel) continue;
      if (number >= launch.arguments.size()) return false;
      launch.arguments.erase(launch.arguments.begin() + static_cast<std::ptrdiff_t>(number));
    }
    return true;
  }
};

// What no argument names any more.
class Unused : public Pass {
 public:
  std::string name() const override { return "unused arguments"; }
  std::size_t count(const Case& of) const override { return of.launches.size(); }
  bool apply(Case& to, std::size_t change) const override {
    Launch& launch = to.launches[change];
    const auto unused = [&](const std::string& name) {
      for (const Launch& each : to.launches) {
        if (std::find(each.arguments.begin(), each.arguments.end(), name) != each.arguments.end())
          return false;
        for (const auto& expectation : each.expectations)
          if (expectation.buffer == name) return false;
      }
      return true;
    };
    const std::size_t before = launch.buffers.size() + launch.scalars.size();
    std::erase_if(launch.buffers, [&](const Buffer& buffer) {
      return buffer.use != Buffer::Use::variable && unused(buffer.name);
    });
    std::erase_if(launch.scalars, [&](const expect::Scalar& scalar) { return unused(scalar.name); });
    return launch.buffers.size() + launch.scalars.size() != before;
  }
};

void list(Buffer& buffer) {
  if (buffer.initial->rule == Sequence::Rule::listed) return;
  std::vector<Wanted> values;
  for (std::uint64_t i = 0; i < buffer.count; ++i) values.push_back(buffer.initial->at(i));
  buffer.initial->values = std::move(values);
  buffer.initial->rule = Sequence::Rule::listed;
}

// A buffer with fewer elements, or with zeros in part of it: whole, halves, down to 64ths.
class Contents : public Pass {
 public:
  std::string name() const override { return "bytes"; }
  static constexpr std::size_t most_buffers = 32, lengths = 3, parts = 127, of_buffer = lengths + parts;
  std::size_t count(const Case& of) const override { return of.launches.size() * most_buffers * of_buffer; }
  bool apply(Case& to, std::size_t change) const override {
    Launch& launch = to.launches[change / of_buffer / most_buffers];
    const std::size_t number = change / of_buffer % most_buffers, way = change % of_buffer;
    if (number >= launch.buffers.size()) return false;
    Buffer& buffer = launch.buffers[number];
    if (way < lengths) return shorten(buffer, way);
    return buffer.initial && zero(buffer, way - lengths);
  }

 private:
  static bool shorten(Buffer& buffer, std::size_t way) {
    const std::uint64_t count = way == 0 ? 1 : way == 1 ? (buffer.count + 1) / 2 : buffer.count - 1;
    if (count >= buffer.count || count == 0) return false;
    if (buffer.initial) {
      list(buffer);
      buffer.initial->values.resize(count);
    }
    buffer.count = count;
    return true;
  }

  static bool zero(Buffer& buffer, std::size_t part) {
    std::size_t level = 1;  // so many parts are there on this level
    while (part >= level) {
      part -= level;
      level *= 2;
    }
    const std::uint64_t size = (buffer.count + level - 1) / level, first = part * size;
    list(buffer);
    bool changed = false;
    for (std::uint64_t i = first; i < std::min(first + size, buffer.count); ++i) {
      expect::Bits& bits = buffer.initial->values[i].bits;
      changed |= bits != expect::Bits{};
      bits = {};
    }
    return changed;
  }
};

class Scalars : public Pass {
 public:
  std::string name() const override { return "scalars"; }
  static constexpr std::size_t most = 32, bytes = 16, of_scalar = bytes + 2;
  std::size_t count(const Case& of) const override { return of.launches.size() * most * of_scalar; }
  bool apply(Case& to, std::size_t change) const override {
    Launch& launch = to.launches[change / of_scalar / most];
    const std::size_t number = change / of_scalar % most, way = change % of_scalar;
    if (number >= launch.scalars.size()) return false;
    auto& value = launch.scalars[number].bytes;
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    if (std::all_of(value.begin(), value.end(), is_zero)) return false;
    if (way >= 2) {  // one byte
      if (way - 2 >= value.size()) return false;
      return std::exchange(value[way - 2], std::byte{0}) != std::byte{0};
    }
    std::vector<std::byte> simple(value.size());
    if (way == 1) simple[0] = std::byte{1};
    return std::exchange(value, simple) != simple;
  }
};

class Expectations : public Pass {
 public:
  std::string name() const override { return "expectations"; }
  static constexpr std::size_t most = 64;
  std::size_t count(const Case& of) const override { return of.launches.size() * most; }
  bool apply(Case& to, std::size_t change) const override {
    auto& all = to.launches[change / most].expectations;
    if (change % most >= all.size()) return false;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(change % most));
    return true;
  }
};

}  // namespace

std::vector<std::unique_ptr<Pass>> input_passes() {
  std::vector<std::unique_ptr<Pass>> all;
  all.push_back(std::make_unique<Launches>());
  all.push_back(std::make_unique<Expectations>());
  all.push_back(std::make_unique<Dimensions>());
  all.push_back(std::make_unique<Parameters>());
  all.push_back(std::make_unique<Unused>());
  all.push_back(std::make_unique<Contents>());
  all.push_back(std::make_unique<Scalars>());
  return all;
}

}  // namespace wedjat::reduce
