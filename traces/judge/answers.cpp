#include "traces/judge/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/format/error.h"

namespace wedjat::traces {

std::vector<AnswerJudged> judge_answers(const std::filesystem::path& folder, const ReplayOptions& options) {
  const Bundle bundle = read_bundle(folder, options.memory_limit);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".answer") files.push_back(entry.path());
  std::ranges::sort(files);
  if (files.empty())
    throw FormatError(folder.string(),
                      "holds no answers: `make answers` in it, on a machine with a GPU, writes them");
  std::map<std::string, Runs> answers;
  for (const auto& file : files) {
    Runs& answer = answers[file.stem().string()] = read_runs(file);
    if (compare_runs("", bundle.expected, answer).bytes != bytes_of(bundle.expected))
      throw FormatError(file.string(), "does not answer this bundle: it lacks bytes that the kernel writes");
  }
  return judge_answers(bundle, answers, options);
}

std::vector<AnswerJudged> judge_answers(const Bundle& bundle, const std::map<std::string, Runs>& answers,
                                        const ReplayOptions& options) {
  std::vector<AnswerJudged> all;
  all.reserve(answers.size());
  LaunchJudge judge(bundle, options);
  for (const auto& [name, answer] : answers) all.push_back({name, judge.judge(answer)});
  // Where nothing that was compiled does as the PTX says here, it may be this emulator that is wrong.
  const bool none_agrees =
      std::ranges::none_of(all, [](const AnswerJudged& one) { return one.judged.verdict == Judged::agrees; });
  for (AnswerJudged& one : all) {
    if (!none_agrees || one.judged.verdict != Judged::machine_code) continue;
    one.judged.verdict = Judged::unknown;
    one.judged.evidence.push_back(
        {"nobody agrees",
         "of all ways to compile it none gives what the PTX means here: it may be this emulator",
         Judged::unknown});
  }
  return all;
}

}  // namespace wedjat::traces
