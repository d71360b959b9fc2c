#include "cli/fuzz/reduced.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <set>
#include <stdexcept>

#include "cli/reduce/files.h"
#include "traces/format/file.h"

namespace wedjat::fuzz {
namespace {

namespace fs = std::filesystem;

// The beginning of a message, up to what differs from program to program.
std::string kept_part(const std::string& message) {
  const auto behind_place = message.find("]: ");
  const std::string text = behind_place == std::string::npos ? message : message.substr(0, behind_place);
  return text.substr(0, text.find_first_of("0123456789"));
}

reduce::Question question_of(const Settings& settings, const Disagreement& disagreement) {
  reduce::Question question;
  question.run.size = sizeof question.run;
  question.run.threads = 1;
  question.run.jit = WEDJAT_JIT_OFF;
  question.run.step_limit = 1u << 22;
  question.known = disagreement.kind == Disagreement::Kind::known;
  if (disagreement.kind == Disagreement::Kind::gpu) {
    question.level = disagreement.level;
    question.gpu = settings.gpu;
    question.defined = true;
  }
  question.tiers = disagreement.kind == Disagreement::Kind::tiers;
  question.run.check = disagreement.kind == Disagreement::Kind::finding;
  if (disagreement.kind == Disagreement::Kind::ptxas)
    question.refusing = {settings.ptxas, "-arch=sm_90", "-O0", "-o", "/dev/null"};
  if (disagreement.kind == Disagreement::Kind::failure || disagreement.kind == Disagreement::Kind::finding)
    question.keeps = kept_part(disagreement.message);
  return question;
}

// "add.u32 ld.global.u32 ret": without guards and operands.
std::string instructions_of(const reduce::Case& of) {
  std::set<std::string> all;
  for (const reduce::Piece& piece : of.pieces) {
    if (piece.kind != reduce::Piece::Kind::statement || piece.text.empty() || piece.text[0] == '.') continue;
    const std::size_t begin = piece.text[0] == '@' ? piece.text.find(' ') + 1 : 0;
    all.insert(piece.text.substr(begin, piece.text.find_first_of(" ;", begin) - begin));
  }
  return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace

std::string write_reduced(const fs::path& folder, const Settings& settings, const Disagreement& disagreement,
                          unsigned threads) {
  fs::create_directories(folder);
  const expect::Inputs inputs = inputs_of(settings.program);
  const reduce::Case original{reduce::split(inputs.ptx), inputs.launches};
  traces::write_file(folder / "original.ptx", inputs.ptx);
  reduce::Case best = original;
  const reduce::Verdict verdict(question_of(settings, disagreement), best);
  reduce::Search search(verdict, threads, {}, reduce::Search::Limit(std::numeric_limits<double>::infinity()));
  reduce::reduce_to(folder, verdict, original, best, search, inputs.ptx_file,
                    {kernel::Contract::ptxas, {.step_limit = run_options(WEDJAT_JIT_OFF).step_limit}});
  return instructions_of(best);
}

}  // namespace wedjat::fuzz
