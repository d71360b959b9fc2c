#include "interposer/live/state/options.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace wedjat::live {

using nlohmann::json;

std::string as_text(const Options& options) {
  return json{
      {"strict", options.strict}, {"threads", options.threads},   {"tools", options.tools},
      {"check", options.check},   {"fidelity", options.fidelity}, {"suppressions", options.suppressions},
      {"jit", options.jit},       {"lenient", options.lenient},   {"reports", options.reports}}
      .dump();
}

Options options_of_environment() {
  const char* const text = std::getenv(options_variable);
  if (text == nullptr) return {};
  try {
    const json given = json::parse(text);
    return {given.at("strict"), given.at("threads"),  given.at("tools"),
            given.at("check"),  given.at("fidelity"), given.at("suppressions"),
            given.at("jit"),    given.at("lenient"),  given.at("reports")};
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("$") + options_variable + ": " + error.what());
  }
}

}  // namespace wedjat::live
