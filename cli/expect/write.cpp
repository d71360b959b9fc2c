#include "cli/expect/write.h"

#include <fmt/format.h>

#include <algorithm>

namespace wedjat::expect {
namespace {

// As bits, but for small integers: exact, and short where it can be.
std::string literal(const Type& type, const Bits& bits) {
  const bool zero =
      std::all_of(bits.begin(), bits.end(), [](std::byte byte) { return byte == std::byte{0}; });
  if (zero) return "0";
  const std::string text = shown(type, bits);
  const std::string number = text.substr(0, text.find(' '));
  const bool decimal = !type.is_float() && type.kind != Type::Kind::bits && number.size() < 7;
  const auto open = text.find("(0x");
  if (decimal || open == std::string::npos) return number;
  return text.substr(open + 1, text.size() - open - 2);
}

std::string value(const Type& type, const Wanted& wanted) {
  if (wanted.kind == Wanted::Kind::anything) return "_";
  if (wanted.kind == Wanted::Kind::any_nan) return "nan";
  if (wanted.kind == Wanted::Kind::captured) return "$" + wanted.name;
  return literal(type, wanted.bits);
}

class Line {
 public:
  explicit Line(const std::string& start) : line_("// wedjat: " + start) {}
  void add(const std::string& word) {
    if (line_.size() + word.size() > 110) {
      done_ += line_ + "\n";
      line_ = "// wedjat+:";
    }
    line_ += " " + word;
  }
  std::string text() const { return done_ + line_ + "\n"; }

 private:
  std::string done_, line_;
};

std::string listed(const std::string& head, const Sequence& sequence, std::uint64_t count) {
  Line line(head + " =");
  for (std::uint64_t i = 0; i < count;) {
    const std::string text = value(sequence.type, sequence.at(i));
    std::uint64_t same = 1;
    while (i + same < count && value(sequence.type, sequence.at(i + same)) == text) ++same;
    line.add(same == 1 ? text : fmt::format("{}*{}", text, same));
    i += same;
  }
  return line.text();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else
      out += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  }
  return out + "\"";
}

std::string shape(const char* name, const std::uint32_t (&extent)[3], std::uint32_t absent) {
  if (extent[0] == absent && extent[1] == absent && extent[2] == absent) return "";
  std::string text = fmt::format(" {}={}", name, extent[0]);
  if (extent[1] > 1 || extent[2] > 1) text += fmt::format(",{}", extent[1]);
  if (extent[2] > 1) text += fmt::format(",{}", extent[2]);
  return text;
}

std::string write(const Buffer& buffer) {
  static constexpr const char* uses[] = {"in", "out", "inout", "variable"};
  const std::string head = fmt::format("{} {}: {}[{}]", uses[static_cast<int>(buffer.use)], buffer.name,
                                       buffer.type.name, buffer.count);
  return buffer.initial ? listed(head, *buffer.initial, buffer.count) : "// wedjat: " + head + "\n";
}

std::string write(const Expectation& expectation) {
  std::string head = expectation.values ? "expect " : "ignore ";
  head += expectation.buffer;
  if (!expectation.whole) {
    head += fmt::format("[{}", expectation.first);
    if (!expectation.last || *expectation.last != expectation.first)
      head += expectation.last ? fmt::format("..{}", *expectation.last) : "..";
    head += expectation.step != 1 ? fmt::format(" by {}]", expectation.step) : "]";
  }
  head += ": " + expectation.type.name;
  if (!expectation.values) return "// wedjat: " + head + "\n";
  const Sequence& values = *expectation.values;
  std::string text;
  if (const auto count = values.count()) {
    text = listed(head, values, *count);
    text.pop_back();
  } else {
    text = "// wedjat: " + head + " = ";
    switch (values.rule) {
      case Sequence::Rule::range:
        text += fmt::format("range {} step {}", literal(values.type, values.values[0].bits),
                            literal(values.type, values.step));
        break;
      case Sequence::Rule::random:
        text += fmt::format("random {}", values.seed);
        break;
      case Sequence::Rule::same:
        text += "same " + values.name;
        break;
      default:
        text += values.rule == Sequence::Rule::fill ? "fill" : "pattern";
        for (const Wanted& each : values.values) text += " " + value(values.type, each);
    }
  }
  if (expectation.ulps) text += fmt::format(" within {} ulp", *expectation.ulps);
  if (expectation.distance) text += fmt::format(" within {}", *expectation.distance);
  return text + "\n";
}

}  // namespace

std::string write(std::span<const Launch> launches) {
  std::string text;
  for (const Launch& launch : launches) {
    text += fmt::format("// wedjat: {} {}", launch.follows ? "then" : "launch", launch.kernel);
    text +=
        shape("grid", launch.grid, 1) + shape("block", launch.block, 1) + shape("cluster", launch.cluster, 0);
    if (launch.shared != 0) text += fmt::format(" shared={}", launch.shared);
    text += launch.cooperative ? " cooperative\n" : "\n";
    for (const Buffer& buffer : launch.buffers) text += write(buffer);
    for (const Scalar& scalar : launch.scalars) {
      const bool plain = scalar.bytes.size() <= 16 && (scalar.bytes.size() & (scalar.bytes.size() - 1)) == 0;
      const Type type = *type_named(plain ? fmt::format("b{}", 8 * scalar.bytes.size()) : "b8");
      Sequence values;
      values.type = type;
      for (std::size_t at = 0; at < scalar.bytes.size(); at += type.bytes)
        values.values.push_back(
            {Wanted::Kind::exactly, bits_at(type, std::span(scalar.bytes).subspan(at)), ""});
      const std::string head = plain ? fmt::format("scalar {}: {}", scalar.name, type.name)
                                     : fmt::format("scalar {}: b8[{}]", scalar.name, scalar.bytes.size());
      text += listed(head, values, values.values.size());
    }
    Line args("args");
    for (const std::string& argument : launch.arguments) args.add(argument);
    text += args.text();
    for (const Expectation& expectation : launch.expectations) text += write(expectation);
    for (const Text& line : launch.prints) text += "// wedjat: prints " + quoted(line.text) + "\n";
    if (launch.fails) text += "// wedjat: fails " + quoted(launch.fails->text) + "\n";
    if (launch.finds) text += "// wedjat: finds " + quoted(launch.finds->text) + "\n";
  }
  return text;
}

}  // namespace wedjat::expect
