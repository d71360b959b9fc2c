// What the tests of `wedjat live` share.
#pragma once
#include <string>

#include "tests/cli/command.h"

inline Outcome live(const std::string& program, const std::string& options = "") {
  return wedjat("live " + options + " -- " + std::string(WEDJAT_LIVE_PROGRAMS) + "/" + program);
}
