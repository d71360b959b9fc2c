// What machines with a GPU answered to a bundle: files NAME.answer in its folder, one for each way to
// compile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "traces/judge/judge.h"

namespace wedjat::traces {

struct AnswerJudged {
  std::string compiled;  // "O0" … "O3", "driver"
  LaunchJudged judged;
};

// In the order of their names. Throws FormatError if there is none, or one does not answer this bundle.
std::vector<AnswerJudged> judge_answers(const std::filesystem::path& folder, const ReplayOptions& options);

}  // namespace wedjat::traces
