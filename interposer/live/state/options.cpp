#include "interposer/live/state/options.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace wedjat::live {

using nlohmann::json;

namespace {

// Names of files may be any bytes, JSON is UTF-8: a byte goes as the character of its number.
std::string characters(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    if (number >= 0x80) text += static_cast<char>(0xc0 | number >> 6);
    text += static_cast<char>(number < 0x80 ? number : 0x80 | (number & 0x3f));
  }
  return text;
}

std::string bytes_of(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80 || at + 1 == text.size())
      bytes += text[at];
    else
      bytes += static_cast<char>(first << 6 | (static_cast<unsigned char>(text[++at]) & 0x3f));
  }
  return bytes;
}

}  // namespace

std::string as_text(const Options& options) {
  json tools = json::array();
  for (const std::string& tool : options.tools) tools.push_back(characters(tool));
  return json{{"strict", options.strict},
              {"threads", options.threads},
              {"tools", std::move(tools)},
              {"check", options.check},
              {"fidelity", options.fidelity},
              {"suppressions", characters(options.suppressions)},
              {"jit", options.jit},
              {"lenient", options.lenient},
              {"reports", characters(options.reports)}}
      .dump();
}

Options options_of_environment() {
  const char* const text = std::getenv(options_variable);
  if (text == nullptr) return {};
  try {
    const json given = json::parse(text);
    Options options{.strict = given.at("strict"),
                    .threads = given.at("threads"),
                    .tools = {},
                    .check = given.at("check"),
                    .fidelity = given.at("fidelity"),
                    .suppressions = bytes_of(given.at("suppressions")),
                    .jit = given.at("jit"),
                    .lenient = given.at("lenient"),
                    .reports = bytes_of(given.at("reports"))};
    for (const json& tool : given.at("tools")) options.tools.push_back(bytes_of(tool));
    return options;
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("$") + options_variable + ": " + error.what());
  }
}

}  // namespace wedjat::live
