// `--` stands before a program and its arguments.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace wedjat {

/// Call it behind the last option: none takes `--` for its value, as one does whose value was forgotten.
inline void refuse_separator(CLI::App& command) {
  for (CLI::Option* const option : command.get_options())
    if (!option->get_positional() && option->get_items_expected_max() > 0)
      option->check([](const std::string& value) {
        return value == "--" ? std::string("wants a value, which -- is not") : std::string();
      });
}

}  // namespace wedjat
