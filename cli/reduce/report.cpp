// The text that goes with a reduced case.
#include <fmt/format.h>

#include "cli/library/wedjat.h"
#include "cli/reduce/reduce.h"

namespace wedjat::reduce {

std::string report(const Verdict& verdict, const Case& original, const Case& reduced, const std::string& file,
                   std::uint64_t tried, const std::string& elsewhere) {
  const Sizes before = sizes_of(original), after = sizes_of(reduced);
  std::string text = "# What is wrong\n\n";
  text += verdict.text() + ".\n\n";
  text += fmt::format(
      "`{}` was made smaller by `wedjat reduce` (wedjat {}), {} candidates were tried:\n\n"
      "| | original | reduced |\n|---|---|---|\n"
      "| statements | {} | {} |\n| bytes of PTX | {} | {} |\n| bytes of inputs | {} | {} |\n| threads | {} | "
      "{} |\n\n",
      file, wedjat_version(), tried, before.statements, after.statements, before.bytes, after.bytes,
      before.input_bytes, after.input_bytes, before.threads, after.threads);
  text +=
      "The comments of `reduced.ptx` say how it is launched, with which inputs, and what is expected; "
      "`wedjat expect reduced.ptx` runs it.\n";
  if (!elsewhere.empty()) text += "\n" + elsewhere;
  text += "\n```\n";
  text += reduced.text();
  return text + "```\n";
}

}  // namespace wedjat::reduce
