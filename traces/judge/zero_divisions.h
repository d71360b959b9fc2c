// Integer divisions of a launch whose divisor was zero: the manual leaves their result to the machine.
#pragma once

#include <set>
#include <string>

#include "traces/judge/launch_runner.h"

namespace wedjat::traces {

// Their forms (`trait divides`), as the form table has them.
std::set<std::string> zero_divisions_of(const LaunchRunner& runner);

}  // namespace wedjat::traces
