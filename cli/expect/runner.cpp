#include "cli/expect/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/expect/compare.h"
#include "cli/expect/device.h"
#include "cli/options/library_error.h"

namespace wedjat::expect {
namespace {

class Chain {
 public:
  Chain(const Inputs& inputs, std::span<const Launch> launches, std::vector<Complaint>& complaints)
      : inputs_(inputs), launches_(launches), complaints_(complaints) {}

  void run(WedjatRunOptions options) {
    if (!inputs_.partial) must_cover(inputs_.file, launches_);
    for (const Launch& launch : launches_) options.check |= launch.finds.has_value();
    Device device(options);
    const bool mark = options.check == 0 && options.tool_count == 0;
    bool loaded = false, broken = false;
    for (const Launch& launch : launches_) {
      if (broken) {
        complain(Complaint::Kind::failure, launch, launch.line, "is not run: the launch before it failed");
        continue;
      }
      std::string failure;
      try {
        if (!loaded) device.load(inputs_.ptx_file, inputs_.ptx);
        loaded = true;
        device.give(inputs_.file, launch, mark);
        device.printed.clear();
        device.launch(inputs_.file, launch);
      } catch (const cli::LibraryError& error) {
        if (error.status == WEDJAT_INTERRUPTED) throw;
        failure = error.what();
        broken = true;
      }
      judge_failure(launch, failure);
      judge_text(launch, device.printed);
      if (!broken) judge_values(launch, device);
    }
    if (options.check || options.tool_count != 0) judge_findings(device.findings());
  }

 private:
  Complaint& complain(Complaint::Kind kind, const Launch& launch, unsigned line, std::string message) {
    return complaints_.emplace_back(
        Complaint{kind, inputs_.file, line, launch.kernel, std::move(message), "", 0, {}});
  }

  void judge_failure(const Launch& launch, const std::string& failure) {
    if (!launch.fails && !failure.empty())
      complain(Complaint::Kind::failure, launch, launch.line, "failed: " + failure);
    else if (launch.fails && failure.empty())
      complain(Complaint::Kind::failure, launch, launch.fails->line,
               fmt::format("did not fail with \"{}\"", launch.fails->text));
    else if (launch.fails && failure.find(launch.fails->text) == std::string::npos)
      complain(Complaint::Kind::failure, launch, launch.fails->line,
               fmt::format("was to fail with \"{}\", but failed: {}", launch.fails->text, failure));
  }

  // All that is printed is expected, line by line.
  void judge_text(const Launch& launch, const std::string& printed) {
    std::size_t at = 0;
    for (const Text& wanted : launch.prints) {
      if (at == printed.size()) {
        complain(Complaint::Kind::text, launch, wanted.line,
                 fmt::format("did not print \"{}\"", wanted.text));
        return;
      }
      const std::size_t end = std::min(printed.find('\n', at), printed.size());
      const std::string line = printed.substr(at, end - at);
      if (line != wanted.text) {
        complain(Complaint::Kind::text, launch, wanted.line,
                 fmt::format("wants the line \"{}\", got \"{}\"", wanted.text, line));
        return;
      }
      at = std::min(end + 1, printed.size());
    }
    if (at != printed.size() && !launch.fails)
      complain(Complaint::Kind::text, launch, launch.line,
               fmt::format("printed what nobody expects: \"{}\"",
                           printed.substr(at, printed.find('\n', at) - at)));
  }

  void judge_values(const Launch& launch, Device& device) {
    Captured captured;
    for (Expectation expectation : launch.expectations) {
      if (!expectation.values) continue;
      const std::vector<std::byte> memory = device.read(inputs_.file, expectation);
      resolve_same(device, expectation, memory.size());
      judge(launch, expectation, memory, captured);
    }
    for (const auto& [name, held] : device.held())
      if (held.buffer.use == Buffer::Use::in && held.buffer.initial) judge_unchanged(launch, device, held);
  }

  // `= same a`: what the buffer a was given.
  void resolve_same(const Device& device, Expectation& expectation, std::uint64_t bytes) const {
    Sequence& values = *expectation.values;
    if (values.rule != Sequence::Rule::same) return;
    const auto found = device.held().find(values.name);
    const std::string where = fmt::format("{}:{}: ", inputs_.file, expectation.line);
    if (found == device.held().end() || !found->second.buffer.initial)
      throw DirectiveError(where + values.name + " is no buffer that was given values");
    values.contents = initial_contents(found->second.buffer);
    const Elements elements = elements_of(inputs_.file, expectation, bytes);
    if (elements.count * expectation.type.bytes > values.contents.size())
      throw DirectiveError(fmt::format("{}{} has fewer elements than are compared", where, values.name));
  }

  void judge(const Launch& launch, const Expectation& expectation, std::span<const std::byte> memory,
             Captured& captured) {
    const Elements elements = elements_of(inputs_.file, expectation, memory.size());
    const auto difference = compare(expectation, elements, memory, captured);
    if (!difference) return;
    std::string message = fmt::format("{}[{}] wants {}, got {}", expectation.buffer, difference->element,
                                      difference->wanted, shown(expectation.type, difference->got));
    if (difference->others != 0)
      message += fmt::format(", and {} more of {} elements differ", difference->others, elements.count);
    Complaint& complaint = complain(Complaint::Kind::value, launch, expectation.line, std::move(message));
    complaint.buffer = expectation.buffer;
    complaint.element = difference->element;
    complaint.got = difference->got;
  }

  void judge_unchanged(const Launch& launch, Device& device, const Device::Held& held) {
    Expectation unchanged;
    unchanged.buffer = held.buffer.name;
    unchanged.line = held.buffer.line;
    unchanged.type = held.buffer.type;
    unchanged.values = held.buffer.initial;
    const bool spoken_of =
        std::any_of(launch.expectations.begin(), launch.expectations.end(),
                    [&](const Expectation& each) { return each.buffer == unchanged.buffer; });
    if (spoken_of) return;
    Captured none;
    const std::size_t before = complaints_.size();
    judge(launch, unchanged, device.read(inputs_.file, unchanged), none);
    if (complaints_.size() != before) complaints_.back().message += " (an `in` buffer is not to change)";
  }

  void judge_findings(const std::vector<std::string>& findings) {
    bool wanted = false;
    for (const Launch& launch : launches_) {
      if (!launch.finds) continue;
      wanted = true;
      if (std::none_of(findings.begin(), findings.end(), [&](const std::string& finding) {
            return finding.find(launch.finds->text) != std::string::npos;
          }))
        complain(Complaint::Kind::finding, launch, launch.finds->line,
                 fmt::format("no checker found \"{}\"{}", launch.finds->text,
                             findings.empty() ? "" : ", but " + findings.front()));
    }
    if (wanted) return;
    for (const std::string& finding : findings)
      complain(Complaint::Kind::finding, launches_.front(), launches_.front().line,
               "a checker found: " + finding);
  }

  const Inputs& inputs_;
  std::span<const Launch> launches_;
  std::vector<Complaint>& complaints_;
};

}  // namespace

std::vector<Complaint> run(const Inputs& inputs, const WedjatRunOptions& run) {
  std::vector<Complaint> complaints;
  for (std::size_t first = 0; first < inputs.launches.size();) {
    std::size_t end = first + 1;
    while (end < inputs.launches.size() && inputs.launches[end].follows) ++end;
    Chain(inputs, std::span(inputs.launches).subspan(first, end - first), complaints).run(run);
    first = end;
  }
  return complaints;
}

}  // namespace wedjat::expect
