#include "semcc/emit/manual/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "semcc/emit/manual/spellings.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

constexpr std::size_t form_columns = 9;

auto times_of(const TimesRow& row) {
  return std::tie(row.instructions, row.latency, row.interval, row.per_cycle, row.mark);
}

// Rows of equal times, in the order of the first of each.
using Equal = std::vector<std::vector<const TimesRow*>>;

std::string row_html(const std::vector<const TimesRow*>& equal) {
  std::string forms;
  for (const TimesRow* row : equal)
    forms += fmt::format("{}{} {}", forms.empty() ? "" : "\n", row->mnemonic, row->operands);
  const TimesRow& row = *equal.front();
  const auto cell = [](const char* head, const std::string& html) {
    return fmt::format("<td data-head=\"{}\">{}</td>", head, html);
  };
  return fmt::format("<tr><td><pre>{}</pre></td>{}{}{}{}{}</tr>\n", escape_html(forms),
                     cell("latency", escape_html(row.latency)), cell("interval", row.interval),
                     cell("instances a cycle", row.per_cycle),
                     cell("machine", "<code>" + escape_html(row.instructions) + "</code>"),
                     cell("doubts", row.mark));
}

}  // namespace

std::string TimesRow::most_per_cycle() const {
  const std::size_t last = per_cycle.rfind('=');
  return last == std::string::npos ? "" : per_cycle.substr(last + 1);
}

bool TimesRow::same_times(const TimesRow& other) const { return times_of(*this) == times_of(other); }

std::vector<TimesRow> read_times(const std::string& text) {
  std::vector<TimesRow> rows;
  std::istringstream in(text);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::vector<std::string> parts = fields(line + "\t.", '\t');  // a last field may be empty
    if (parts.size() != form_columns + 1 || (number == 1) != (parts[0] == "form"))
      throw std::runtime_error(fmt::format("line {} is no line of times", number));
    if (number > 1)
      rows.push_back({parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[7], parts[8]});
  }
  return rows;
}

Times::Times(const ir::Program& program, std::vector<TimesRow> rows, std::vector<Probe> probes)
    : rows_(std::move(rows)), probes_(program, Spellings(program), std::move(probes)) {
  const Spellings spellings(program);
  for (const TimesRow& row : rows_) of_key_[spellings.key(row.mnemonic)].push_back(&row);
}

std::string Times::times_html(const ir::Family& family) const {
  std::set<std::string> keys;
  Equal groups;
  for (const ir::Form& form : family.forms) {
    const std::string key = form.key();
    const auto found = of_key_.find(key);
    if (found == of_key_.end() || !keys.insert(key).second) continue;
    for (const TimesRow* row : found->second) {
      auto group =
          std::ranges::find_if(groups, [&](const auto& equal) { return equal.front()->same_times(*row); });
      if (group == groups.end()) group = groups.insert(group, std::vector<const TimesRow*>{});
      group->push_back(row);
    }
  }
  const std::string probes = probes_.probes_html(family);
  if (groups.empty() && probes.empty()) return {};
  std::string out =
      "<p class=\"where\">Cycles, <a href=\"times_method.html\">as measured</a>; <a "
      "href=\"times.html\">all forms</a>.</p>\n";
  if (groups.empty()) return out + probes;
  out +=
      "<details class=\"forms\"><summary>Latency, throughput, "
      "machine "
      "instructions</summary>\n<table class=\"times\"><tr class=\"heads\"><th>forms</th><th>latency: operand "
      "&gt; "
      "result</th><th>interval of a warp</th><th>warps = instances a cycle and SM</th><th>machine "
      "instructions</th><th>doubts</th></tr>\n";
  for (const auto& equal : groups) out += row_html(equal);
  return out + "</table></details>\n" + probes;
}

}  // namespace semcc::emit
