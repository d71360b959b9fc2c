#include "cli/reduce/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cli/expect/compare.h"
#include "cli/expect/write.h"
#include "cli/foreign/program.h"
#include "cli/gpu/judged.h"
#include "cli/options/library_error.h"

namespace wedjat::reduce {
namespace {

expect::Inputs inputs_of(const Case& of) {
  return {
      .ptx_file = "case.ptx", .ptx = of.ptx(), .file = "case.ptx", .launches = of.launches, .partial = true};
}

bool same_value(const expect::Complaint& a, const expect::Complaint& b) {
  return a.kind == expect::Complaint::Kind::value && a.launch == b.launch && a.buffer == b.buffer &&
         a.element == b.element && a.got == b.got;
}

}  // namespace

// Elements that nobody compares are said to be ignored.
std::string Case::text() const {
  std::vector<expect::Launch> all = launches;
  for (expect::Launch& launch : all) {
    if (launch.fails) continue;
    for (const expect::Buffer& buffer : launch.buffers) {
      const bool written = buffer.use == expect::Buffer::Use::out || buffer.use == expect::Buffer::Use::inout;
      const bool whole =
          std::any_of(launch.expectations.begin(), launch.expectations.end(),
                      [&](const auto& each) { return each.buffer == buffer.name && each.whole; });
      if (!written || whole) continue;
      expect::Expectation ignored;
      ignored.buffer = buffer.name;
      ignored.type = buffer.type;
      ignored.whole = true;
      launch.expectations.push_back(std::move(ignored));
    }
  }
  return expect::write(all) + ptx();
}

Verdict::Verdict(const Question& question, Case& original) : question_(question) {
  for (const Avoided& avoided : question_.avoided) matches_.push_back(avoided.matches(original));
  if (question_.differs) find_difference(original);
  if (question_.level) {
    wrong_ = answer(original, *question_.level);
    right_at_level_0_ = *question_.level != 0 && answer(original, 0) == Answer::same;
  }
  if (!question_.keeps.empty())
    for (expect::Launch& launch : original.launches) {
      question_.run.check |= launch.finds.has_value();
      launch.finds.reset();
      launch.fails.reset();
      launch.prints.clear();
      launch.expectations.clear();
    }
  std::string instead;
  if (!question_.keeps.empty()) {
    const auto all = complaints(original, false);
    instead = all.empty() ? "; it runs well, and nothing is found" : "; but: " + all.front().message;
    for (const auto& each : all)
      if (!kept_kind_ && each.message.find(question_.keeps) != std::string::npos) kept_kind_ = each.kind;
  }
  if (!holds(original)) throw std::invalid_argument("it is not so from the beginning: " + text() + instead);
}

std::vector<expect::Complaint> Verdict::complaints(const Case& of, bool check) const {
  WedjatRunOptions run = question_.run;
  run.check |= check;
  return expect::run(inputs_of(of), run);
}

// The element stays the only one that is compared.
void Verdict::find_difference(Case& original) {
  for (const auto& complaint : complaints(original, false))
    if (complaint.kind == expect::Complaint::Kind::value && !difference_) difference_ = complaint;
  if (!difference_) throw std::invalid_argument("every value is as expected: nothing differs");
  for (expect::Launch& launch : original.launches) {
    const auto all = std::exchange(launch.expectations, {});
    launch.prints.clear();
    for (const expect::Expectation& expectation : all) {
      if (launch.kernel != difference_->launch || expectation.line != difference_->line) continue;
      expect::Expectation one = expectation;
      const std::uint64_t place = (difference_->element - expectation.first) / expectation.step;
      one.first = difference_->element;
      one.last = one.first;
      one.step = 1;
      one.whole = false;
      if (one.values->rule != expect::Sequence::Rule::same) {
        const expect::Wanted wanted = expectation.values->at(place);
        one.values = expect::Sequence{};
        one.values->type = expectation.type;
        one.values->values = {wanted};
      }
      launch.expectations.push_back(std::move(one));
    }
  }
}

Verdict::Answer Verdict::answer(const Case& of, unsigned level) const {
  const expect::Inputs inputs = inputs_of(of);
  WedjatRunOptions run = question_.run;
  if (level == 0) run.contract = WEDJAT_CONTRACT_NONE;  // ptxas does nothing to values there
  const expect::Results emulated = expect::results(inputs, run);
  if (!emulated.failure.empty()) return Answer::same;  // nothing to compare with
  const expect::Results got = question_.gpu->results(inputs, level);
  if (!got.failure.empty()) return Answer::fails;
  return got.memory == emulated.memory ? Answer::same : Answer::other;
}

bool Verdict::avoids(const Case& of) const {
  for (std::size_t i = 0; i < matches_.size(); ++i)
    if (question_.avoided[i].matches(of) > matches_[i]) return false;
  return true;
}

bool Verdict::asked(const Case& of) const {
  if (!question_.test.empty()) return foreign::says_yes({question_.test}, of.text(), question_.seconds);
  if (!question_.refusing.empty())
    return expect::results(inputs_of(of), question_.run).failure.empty() &&
           !foreign::says_yes(question_.refusing, of.text(), question_.seconds);
  if (question_.level)
    return wrong_ != Answer::same && answer(of, *question_.level) == wrong_ &&
           (!right_at_level_0_ || answer(of, 0) == Answer::same);
  if (question_.tiers || question_.known) {
    WedjatRunOptions run = question_.run;
    run.jit = WEDJAT_JIT_OFF;
    if (question_.known) run.contract = WEDJAT_CONTRACT_NONE;
    const expect::Results interpreted = expect::results(inputs_of(of), run);
    run.jit = question_.known ? WEDJAT_JIT_OFF : WEDJAT_JIT_ALL;
    if (question_.known) run.contract = WEDJAT_CONTRACT_PTXAS;
    std::string warnings;
    run.warn = [](void* to, const char* text, std::size_t bytes) {
      static_cast<std::string*>(to)->append(text, bytes);
    };
    run.warn_user = &warnings;
    if (!interpreted.failure.empty()) return false;
    const bool differs = expect::results(inputs_of(of), run) != interpreted;
    return differs || !warnings.empty();
  }
  const auto all = complaints(of, false);
  if (question_.differs)
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& each) { return same_value(each, *difference_); });
  return kept(all);
}

bool Verdict::kept(const std::vector<expect::Complaint>& all) const {
  const bool failed = std::any_of(
      all.begin(), all.end(), [](const auto& each) { return each.kind == expect::Complaint::Kind::failure; });
  if (failed && kept_kind_ == expect::Complaint::Kind::finding) return false;
  return std::any_of(all.begin(), all.end(), [&](const auto& each) {
    return each.message.find(question_.keeps) != std::string::npos &&
           (!kept_kind_ || each.kind == *kept_kind_);
  });
}

bool Verdict::is_open(const Case& of) const {
  if (!question_.level || wrong_ != Answer::other) return false;
  const expect::Inputs inputs = inputs_of(of);
  const auto left = question_.gpu->results(inputs, *question_.level);
  return gpu::judge(inputs, {{*question_.level, left}}).worst <= traces::Judged::open;
}

bool Verdict::holds(const Case& of) const {
  try {
    if (!avoids(of) || !asked(of)) return false;
    if (!question_.defined) return true;
    const auto all = complaints(of, true);
    return !is_open(of) && std::none_of(all.begin(), all.end(), [](const auto& each) {
      return each.kind == expect::Complaint::Kind::finding || each.kind == expect::Complaint::Kind::failure;
    });
  } catch (const expect::DirectiveError&) {
    return false;  // arguments that fit the kernel no longer, values that fit the buffer no longer
  }
}

Case Verdict::finished(const Case& of) const {
  Case done = of;
  if (question_.keeps.empty()) return done;
  auto& last = done.launches.back();
  (kept_kind_ == expect::Complaint::Kind::finding ? last.finds : last.fails) =
      expect::Text{question_.keeps, 0};
  return done;
}

std::string Verdict::text() const {
  std::string text;
  if (!question_.test.empty())
    text = fmt::format("{} says yes", question_.test);
  else if (!question_.refusing.empty())
    text = question_.refusing[0] + " refuses what the emulator runs";
  else if (question_.known)
    text = "what ptxas is known to do to values (--contract=ptxas) changes results";
  else if (question_.level)
    text =
        fmt::format("a GPU {} (level {} of the compiler{})",
                    wrong_ == Answer::fails ? "does not run it to its end" : "leaves other values in memory",
                    *question_.level, right_at_level_0_ ? "; at level 0 it does not" : "");
  else if (question_.tiers)
    text = "native code cannot be made, or it and the interpreter come to different results";
  else if (question_.differs)
    text = fmt::format("{}: {}", difference_->launch, difference_->message);
  else
    text = fmt::format("an error or a finding has \"{}\" in it", question_.keeps);
  return !question_.defined ? text
         : question_.level  ? text + ", no checker finds anything, and the PTX leaves nothing open"
                            : text + ", and no checker finds anything";
}

}  // namespace wedjat::reduce
