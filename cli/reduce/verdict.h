// What has to stay true while a case is made smaller.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/expect/runner.h"
#include "cli/gpu/gpu.h"
#include "cli/library/wedjat.h"
#include "cli/reduce/avoided.h"
#include "cli/reduce/candidate.h"

namespace wedjat::reduce {

struct Question {
  std::string test;  ///< a program that says yes with exit code 0
  /// A compiler that refuses what the emulator runs, named with its options.
  std::vector<std::string> refusing;
  std::string keeps;     ///< a text that an error, or a finding of a checker, has in it
  bool differs = false;  ///< the first value that is not as expected stays the same
  bool known = false;    ///< --contract=none and --contract=ptxas come to different results
  bool tiers = false;    ///< the interpreter and native code come to different results
  /// What the GPU leaves, compiled at this level, is not what the emulator does. It is refused, fails or
  /// leaves other values as the original does; and if the original is right at level 0, so is what is left of
  /// it.
  std::optional<unsigned> level;
  gpu::Gpu* gpu = nullptr;  ///< for that
  bool defined = false;     ///< and besides: checkers find nothing, and the PTX leaves nothing open
  /// And no more statements match one of these than do in the original: known faults stay out.
  std::vector<Avoided> avoided;
  double seconds = 10;  ///< that the program may take
  WedjatRunOptions run{};
};

class Verdict {
 public:
  /// Throws std::invalid_argument if it is not true of `original`, of which only the expectation that differs
  /// is kept where that is the question.
  Verdict(const Question& question, Case& original);

  /// Any number of threads may ask. Throws what an interruption throws.
  bool holds(const Case& of) const;
  std::string text() const;  ///< what is asked, and of what: a sentence
  /// A case that is done expects what was kept, for `wedjat expect`.
  Case finished(const Case& of) const;

 private:
  enum class Answer { same, other, fails };  ///< what a GPU leaves
  Answer answer(const Case& of, unsigned level) const;
  bool asked(const Case& of) const;
  bool is_open(const Case& of) const;  ///< what the GPU leaves may be as right
  bool avoids(const Case& of) const;
  std::vector<expect::Complaint> complaints(const Case& of, bool check) const;
  void find_difference(Case& original);

  Question question_;
  bool kept(const std::vector<expect::Complaint>& all) const;

  std::optional<expect::Complaint> difference_;
  Answer wrong_ = Answer::other;  ///< at the level that is asked for
  bool right_at_level_0_ = false;
  std::vector<std::size_t> matches_;                  ///< of the original, for each that is avoided
  std::optional<expect::Complaint::Kind> kept_kind_;  ///< a finding does not become a failure
};

}  // namespace wedjat::reduce
