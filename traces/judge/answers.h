// What machines with a GPU answered to a bundle: files NAME.answer in its folder, one for each way to
// compile.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "traces/judge/judge.h"

namespace wedjat::traces {

struct AnswerJudged {
  std::string compiled;  // "O0" … "O3", "driver"
  LaunchJudged judged;
};

// Each of them by itself, and then all together: where none agrees, it may be the emulator. By name.
std::vector<AnswerJudged> judge_answers(const Bundle& bundle, const std::map<std::string, Runs>& answers,
                                        const ReplayOptions& options);

// Of a folder, in the order of their names. Throws FormatError if there is none, or one does not answer this
// bundle.
std::vector<AnswerJudged> judge_answers(const std::filesystem::path& folder, const ReplayOptions& options);

}  // namespace wedjat::traces
