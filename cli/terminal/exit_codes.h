// What `wedjat` returns to the shell; README.md tells the same.
#pragma once

namespace wedjat::cli {

enum ExitCode : int {
  all_well = 0,
  differs = 1,  // results differ from the hardware
  wrong_arguments = 2,
  broken_input = 3,      // trace, PTX or file; a file that cannot be read or written
  refused = 4,           // an instruction, call, launch or amount of memory that cannot be carried out or had
  kernel_failed = 5,     // out of bounds, misaligned, deadlock, assert, trap
  checker_findings = 6,  // all well, but a tool found errors in the program
  tool_died = 7,  // all well otherwise, but a tool did not come to its end: killed, exit, exception, time-out
  not_compared = 8,  // nothing differs, but nothing was compared, or not all that was recorded
  // 128 + the signal: interrupted (interruption.h)
};

}  // namespace wedjat::cli
