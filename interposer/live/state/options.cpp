#include "interposer/live/state/options.h"

#include <cstdlib>

namespace wedjat::live {

Options options_of_environment() {
  Options options;
  options.strict = std::getenv(strict_variable) != nullptr;
  if (const char* threads = std::getenv(threads_variable))
    options.threads = static_cast<unsigned>(std::strtoul(threads, nullptr, 10));
  return options;
}

}  // namespace wedjat::live
