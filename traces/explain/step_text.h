// A step of a thread in words.
#pragma once
#include <string>
#include <string_view>

#include "traces/explain/thread_log.h"

namespace wedjat::traces {

// Its result by the type of the operand that it writes, floats with their bits; empty if it has none.
std::string result_text(const ThreadLog::Step& step);

// What may have been computed otherwise on the hardware, and why; empty: nothing.
std::string_view remark(const wedjat_instruction& at);

}  // namespace wedjat::traces
