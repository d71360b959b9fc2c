// Options that say nothing about what a command was given.
#pragma once
#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>

namespace wedjat::cli {

/// Whoever wrote one of these options expects something of it, so it is refused and not ignored. `why`: what
/// it is of, and what is there instead. Throws CLI::ValidationError.
inline void refuse_given(const CLI::App& command, std::initializer_list<const char*> options,
                         const std::string& why) {
  for (const char* const option : options)
    if (command.get_option(option)->count() != 0) throw CLI::ValidationError(option, why);
}

}  // namespace wedjat::cli
