#include "interposer/gen/rules.h"

#include <stdexcept>

namespace wedjat::interposer {
namespace {

void apply_default(const Types& types, const std::string& pointee, Parameter& parameter) {
  if (pointee == "const char") {
    parameter.direction = Direction::in;
    parameter.element = {"char", Kind::string, 1, true, ""};
    return;
  }
  parameter.element = types.resolve(pointee);
  parameter.count = "1";
  if (parameter.element.kind == Kind::none || pointee == "void *" || pointee == "char") {
    throw std::runtime_error("its type " + parameter.spelling +
                             " does not say what to record: it needs a rule");
  }
  parameter.direction = Types::is_const(pointee) ? Direction::in : Direction::out;
}

void apply_bytes(const std::string& word, const std::string& count, Parameter& parameter) {
  if (count.empty()) throw std::runtime_error("rule " + word + " needs a number of bytes");
  parameter.direction = word == "in_bytes"    ? Direction::in
                        : word == "out_bytes" ? Direction::out
                                              : Direction::inout;
  parameter.element = {"void", Kind::none, 1, false, ""};
  parameter.count = count;
}

}  // namespace

void apply_rule(const Types& types, const std::string& rule, Parameter& parameter) {
  const std::string pointee = Types::pointee(parameter.spelling);
  if (rule.empty()) {
    if (!pointee.empty()) apply_default(types, pointee, parameter);
    return;
  }
  if (pointee.empty()) throw std::runtime_error("has a rule but is no pointer");

  std::string text = rule;
  if (const std::size_t at = text.rfind(" always"); at != std::string::npos && at + 7 == text.size()) {
    parameter.always = true;
    text.resize(at);
  }
  const std::size_t space = text.find(' ');
  const std::string word = text.substr(0, space);
  const std::string count = space == std::string::npos ? "" : text.substr(space + 1);

  if (word == "address") return;
  if (word == "in_bytes" || word == "out_bytes" || word == "inout_bytes")
    return apply_bytes(word, count, parameter);
  if (word == "packed") {
    apply_bytes("in_bytes", count, parameter);
    parameter.packed = true;
    return;
  }
  if (word == "out_string") {
    parameter.direction = Direction::out;
    parameter.element = {"char", Kind::string, 1, true, ""};
    return;
  }
  if (word == "in") {
    parameter.direction = Direction::in;
  } else if (word == "out") {
    parameter.direction = Direction::out;
  } else if (word == "inout") {
    parameter.direction = Direction::inout;
  } else {
    throw std::runtime_error("unknown rule \"" + rule + "\"");
  }
  parameter.element = types.resolve(pointee);
  if (parameter.element.kind == Kind::none)
    throw std::runtime_error("rule " + word + " on " + parameter.spelling);
  parameter.count = count.empty() ? "1" : count;
}

}  // namespace wedjat::interposer
