// Directives -> launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "cli/expect/case.h"
#include "cli/expect/place.h"
#include "cli/expect/sequence.h"
#include "cli/options/arguments.h"
#include "traces/format/file.h"

namespace wedjat::expect {
namespace {

using Words = std::span<const Word>;

class Parser {
 public:
  Parser(const std::string& file, bool may_expect_nothing)
      : file_(file), may_expect_nothing_(may_expect_nothing) {}

  void take(const Directive& directive) {
    line_ = directive.line;
    const std::string& name = directive.words[0].text;
    const auto found = known().find(name);
    if (found == known().end()) {
      std::string all;
      for (const auto& [each, unused] : known()) all += " " + each;
      throw std::invalid_argument(fmt::format("there is no directive '{}'; there are{}", name, all));
    }
    const bool begins = name == "launch" || name == "then";
    if (launches_.empty() && !begins)
      throw std::invalid_argument(name + " belongs to a launch, and there is none yet");
    if (begins && !launches_.empty()) finish();
    (this->*found->second)(name, Words(directive.words).subspan(1));
  }

  std::vector<Launch> take_all() {
    if (launches_.empty()) throw std::invalid_argument("no directive 'wedjat: launch …' stands in it");
    finish();
    return std::move(launches_);
  }

  unsigned line() const { return line_; }

 private:
  using Method = void (Parser::*)(const std::string& name, Words words);

  static const std::map<std::string, Method>& known() {
    static const std::map<std::string, Method> all = {
        {"launch", &Parser::launch}, {"then", &Parser::launch},   {"in", &Parser::buffer},
        {"out", &Parser::buffer},    {"inout", &Parser::buffer},  {"variable", &Parser::buffer},
        {"scalar", &Parser::scalar}, {"args", &Parser::args},     {"expect", &Parser::expect},
        {"ignore", &Parser::ignore}, {"prints", &Parser::prints}, {"fails", &Parser::fails},
        {"finds", &Parser::finds}};
    return all;
  }

  Launch& now() { return launches_.back(); }

  Sequence values(const Type& type, Words words) const {
    const auto read = [&](const std::string& name) {
      return traces::read_file((std::filesystem::path(file_).parent_path() / name).string());
    };
    return parse_sequence(type, words, read);
  }

  void launch(const std::string& directive, Words words) {
    if (words.empty()) throw std::invalid_argument(directive + " takes the name of a kernel");
    Launch launch;
    launch.kernel = words[0].text;
    launch.line = line_;
    launch.follows = directive == "then";
    if (launch.follows && launches_.empty()) throw std::invalid_argument("'then' follows a launch");
    for (const Word& word : words.subspan(1)) {
      const auto equals = word.text.find('=');
      const std::string name = word.text.substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : word.text.substr(equals + 1);
      if (name == "cooperative" && equals == std::string::npos)
        launch.cooperative = true;
      else if (name == "grid")
        cli::parse_shape(value, launch.grid);
      else if (name == "block")
        cli::parse_shape(value, launch.block);
      else if (name == "cluster")
        cli::parse_shape(value, launch.cluster);
      else if (name == "shared")
        launch.shared = static_cast<std::uint32_t>(parse_number(value, "a number of bytes"));
      else
        throw std::invalid_argument(
            fmt::format("'{}' is not grid=, block=, cluster=, shared= or cooperative", word.text));
    }
    if (!launch.follows) memory_ = 0;
    launches_.push_back(std::move(launch));
  }

  void new_name(const std::string& name) {
    const auto same = [&](const auto& other) { return other.name == name; };
    if (std::any_of(now().buffers.begin(), now().buffers.end(), same) ||
        std::any_of(now().scalars.begin(), now().scalars.end(), same))
      throw std::invalid_argument(name + " was given before");
    now().arguments.push_back(name);
  }

  // Memory of the device on which the launch runs.
  void take_memory(const Buffer& buffer) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    if (buffer.count > (most_bytes - memory_) / buffer.type.bytes)
      throw std::invalid_argument(fmt::format(
          "{} elements of {}: the buffers of a launch, and of those that follow it, have 1 GiB at most",
          buffer.count, buffer.type.name));
    memory_ += buffer.count * buffer.type.bytes;
  }

  void buffer(const std::string& directive, Words words) {
    using Use = Buffer::Use;
    const Head head = parse_head(words);
    if (!head.place.whole)
      throw std::invalid_argument("the number of elements stands behind the type: u32[8]");
    Buffer buffer;
    buffer.use = directive == "in"      ? Use::in
                 : directive == "out"   ? Use::out
                 : directive == "inout" ? Use::inout
                                        : Use::variable;
    buffer.name = head.name;
    buffer.line = line_;
    buffer.type = head.type;
    if (head.has_values != (buffer.use != Use::out))
      throw std::invalid_argument(buffer.use == Use::out ? "out is given no values: write inout"
                                                         : directive + " needs '= values'");
    if (head.has_values) {
      buffer.initial = values(head.type, head.values);
      must_be_exact(*buffer.initial);
      if (buffer.initial->rule == Sequence::Rule::same)
        throw std::invalid_argument("same is for expectations");
    }
    const auto given = buffer.initial ? buffer.initial->count() : std::nullopt;
    if (!head.count && !given)
      throw std::invalid_argument("how many elements? write " + head.type.name + "[COUNT]");
    if (head.count && given && *head.count != *given)
      throw std::invalid_argument(fmt::format("{} elements, but {} values", *head.count, *given));
    buffer.count = head.count ? *head.count : *given;
    if (buffer.count == 0) throw std::invalid_argument("a buffer has elements");
    take_memory(buffer);
    new_name(buffer.name);
    if (buffer.use == Use::variable) now().arguments.pop_back();
    now().buffers.push_back(std::move(buffer));
  }

  void scalar(const std::string&, Words words) {
    const Head head = parse_head(words);
    if (!head.has_values || !head.place.whole) throw std::invalid_argument("scalar takes NAME: TYPE = VALUE");
    const Sequence given = values(head.type, head.values);
    must_be_exact(given);
    const auto count = given.count();
    if (!count || (head.count && *head.count != *count) || (!head.count && *count != 1))
      throw std::invalid_argument(
          "as many values as the scalar has elements are needed (a struct: b8[24] = …)");
    Scalar scalar{head.name, line_, {}};
    for (std::uint64_t i = 0; i < *count; ++i) {
      const Bits bits = given.at(i).bits;
      scalar.bytes.insert(scalar.bytes.end(), bits.begin(), bits.begin() + head.type.bytes);
    }
    new_name(scalar.name);
    now().scalars.push_back(std::move(scalar));
  }

  void args(const std::string&, Words words) {
    if (now().arguments_given) throw std::invalid_argument("args stands twice");
    now().arguments_given = true;
    given_.clear();
    for (const Word& word : words) given_.push_back(word.text);
  }

  void expect(const std::string&, Words words) {
    Expectation expectation;
    expectation.line = line_;
    Words rest = words;
    const auto within = std::find_if(words.begin(), words.end(),
                                     [](const Word& word) { return !word.quoted && word.text == "within"; });
    if (within != words.end()) {
      const auto at = static_cast<std::size_t>(within - words.begin());
      relation(words.subspan(at + 1), expectation);
      rest = words.first(at);
    }
    const Head head = parse_head(rest);
    if (head.count) throw std::invalid_argument("the place stands behind the name: y[0..7]");
    if (!head.has_values) throw std::invalid_argument("expect takes NAME: TYPE = VALUES");
    if ((expectation.ulps || expectation.distance) && !head.type.is_float())
      throw std::invalid_argument("within is for floats; integers are exact");
    expectation.buffer = head.name;
    expectation.type = head.type;
    place(head.place, expectation);
    expectation.values = values(head.type, head.values);
    now().expectations.push_back(std::move(expectation));
  }

  static void place(const Place& place, Expectation& of) {
    of.first = place.first;
    of.last = place.last;
    of.step = place.step;
    of.whole = place.whole;
  }

  static void relation(Words words, Expectation& expectation) {
    if (words.size() == 2 && words[1].text == "ulp") {
      expectation.ulps = parse_number(words[0].text, "a number of ulps");
      return;
    }
    char* end = nullptr;
    const double distance = words.size() == 1 ? std::strtod(words[0].text.c_str(), &end) : -1;
    if (end == nullptr || *end || !(distance >= 0))
      throw std::invalid_argument("within takes N ulp, or a distance such as 1e-6");
    expectation.distance = distance;
  }

  void ignore(const std::string&, Words words) {
    Expectation expectation;
    expectation.line = line_;
    const Head head = parse_head(words);
    if (head.has_values || head.count)
      throw std::invalid_argument("ignore takes NAME or NAME[FIRST..LAST]: TYPE");
    expectation.buffer = head.name;
    expectation.type = head.type;
    place(head.place, expectation);
    now().expectations.push_back(std::move(expectation));
  }

  Text text(const std::string& directive, Words words) const {
    if (words.size() != 1 || !words[0].quoted) throw std::invalid_argument(directive + " takes one \"text\"");
    return {words[0].text, line_};
  }
  void prints(const std::string& name, Words words) { now().prints.push_back(text(name, words)); }
  void fails(const std::string& name, Words words) { once(now().fails, text(name, words)); }
  void finds(const std::string& name, Words words) { once(now().finds, text(name, words)); }
  static void once(std::optional<Text>& to, Text text) {
    if (to) throw std::invalid_argument("it stands twice in a launch");
    to = std::move(text);
  }

  void finish() {
    Launch& launch = now();
    if (launch.arguments_given) launch.arguments = std::exchange(given_, {});
    if (!may_expect_nothing_ && !launch.expects_something()) {
      line_ = launch.line;
      throw std::invalid_argument(fmt::format(
          "nothing is expected of the launch of {}: write expect, prints, fails or finds", launch.kernel));
    }
  }

  std::string file_;
  bool may_expect_nothing_;
  unsigned line_ = 0;
  std::uint64_t memory_ = 0;  // of the buffers since the last launch on a fresh device
  std::vector<Launch> launches_;
  std::vector<std::string> given_;
};

}  // namespace

const Buffer* Launch::buffer(const std::string& name) const {
  for (const Buffer& buffer : buffers)
    if (buffer.name == name) return &buffer;
  return nullptr;
}

std::vector<Launch> parse(const std::string& file, const std::string& text, bool may_expect_nothing) {
  Parser parser(file, may_expect_nothing);
  try {
    for (const Directive& directive : find_directives(file, text)) parser.take(directive);
    return parser.take_all();
  } catch (const DirectiveError&) {
    throw;
  } catch (const std::exception& error) {
    throw DirectiveError(parser.line() == 0 ? fmt::format("{}: {}", file, error.what())
                                            : fmt::format("{}:{}: {}", file, parser.line(), error.what()));
  }
}

}  // namespace wedjat::expect
