#include "semcc/emit/manual/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "semcc/emit/manual/spellings.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

constexpr std::size_t form_columns = 10;

auto times_of(const TimesRow& row) {
  return std::tie(row.instructions, row.latency, row.interval, row.per_cycle, row.mark, row.device);
}

// Rows of equal times, on the other device, too.
struct Equal {
  std::vector<const TimesRow*> rows;
  std::string beside;  // what the other device has otherwise
};

bool is_near(const std::string& one, const std::string& other) {
  constexpr double error = 0.005;  // two runs of one kernel differ by that
  if (one.empty() || other.empty()) return one == other;
  const double here = std::strtod(one.c_str(), nullptr), there = std::strtod(other.c_str(), nullptr);
  return one == other || (here > 0 && std::abs(there / here - 1) < error);
}

// The words of `other`, as "8=0.25" or "joined", that are none of `row`.
std::string others(const std::string& row, const std::string& other) {
  const auto value = [](const std::string& word) { return word.substr(word.find('=') + 1); };
  const auto name = [](const std::string& word) { return word.substr(0, word.find('=')); };
  const std::vector<std::string> known = fields(row, ' ');
  std::string found;
  for (const std::string& word : fields(other, ' ')) {
    const bool is_known = std::ranges::any_of(known, [&](const std::string& one) {
      return name(one) == name(word) && (one == word || is_near(value(one), value(word)));
    });
    if (!word.empty() && !is_known) found += (found.empty() ? "" : " ") + word;
  }
  return found;
}

std::string row_html(const Equal& equal, const std::string& other_device) {
  std::string forms;
  for (const TimesRow* row : equal.rows)
    forms += fmt::format("{}{} {}", forms.empty() ? "" : "\n", row->mnemonic, row->operands);
  const TimesRow& row = *equal.rows.front();
  const auto cell = [](const std::string& head, const std::string& html) {
    return fmt::format("<td data-head=\"{}\">{}</td>", head, html);
  };
  return fmt::format("<tr><td><pre>{}</pre></td>{}{}{}{}{}{}{}</tr>\n", escape_html(forms),
                     cell("latency", escape_html(row.latency)), cell("interval", row.interval),
                     cell("instances a cycle", row.per_cycle), cell("measured on", row.device),
                     other_device.empty() ? "" : cell(other_device, escape_html(equal.beside)),
                     cell("machine", "<code>" + escape_html(row.instructions) + "</code>"),
                     cell("doubts", row.mark));
}

}  // namespace

std::string TimesRow::most_per_cycle() const {
  const std::size_t last = per_cycle.rfind('=');
  return last == std::string::npos ? "" : per_cycle.substr(last + 1);
}

bool TimesRow::same_times(const TimesRow& other) const { return times_of(*this) == times_of(other); }

std::string differing(const TimesRow& row, const TimesRow& other) {
  std::string found = others(row.latency, other.latency);
  const auto add = [&](const std::string& text) {
    if (!text.empty()) found += (found.empty() ? "" : " ") + text;
  };
  if (!is_near(row.interval, other.interval))
    add("interval=" + (other.interval.empty() ? "?" : other.interval));
  add(others(row.per_cycle, other.per_cycle));
  const std::string marks = others(row.mark, other.mark);
  if (!marks.empty()) add("(" + marks + ")");
  return found.empty() ? "the same" : found;
}

std::vector<TimesRow> read_times(const std::string& text) {
  std::vector<TimesRow> rows;
  std::istringstream in(text);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::vector<std::string> parts = fields(line + "\t.", '\t');  // a last field may be empty
    if (parts.size() != form_columns + 1 || (number == 1) != (parts[0] == "form"))
      throw std::runtime_error(fmt::format("line {} is no line of times", number));
    if (number > 1)
      rows.push_back({parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[7],
                      parts[8], parts[9]});
  }
  return rows;
}

Times::Times(const ir::Program& program, TimesTables tables)
    : rows_(std::move(tables.rows)),
      probes_(program, Spellings(program), std::move(tables.probes), tables.probes_beside) {
  const Spellings spellings(program);
  for (const TimesRow& row : rows_) of_key_[spellings.key(row.mnemonic)].push_back(&row);
  for (TimesRow& row : tables.beside) {
    other_device_ = row.device;
    beside_[row.form] = std::move(row);
  }
}

const TimesRow* Times::beside(const TimesRow& row) const {
  const auto found = beside_.find(row.form);
  return found == beside_.end() ? nullptr : &found->second;
}

std::string Times::beside_text(const TimesRow& row) const {
  const TimesRow* const other = beside(row);
  if (!other) return "";
  return row.device == other->device ? "this row" : differing(row, *other);
}

std::string Times::times_html(const ir::Family& family) const {
  std::set<std::string> keys;
  std::vector<Equal> groups;  // in the order of the first of each
  for (const ir::Form& form : family.forms) {
    const std::string key = form.key();
    const auto found = of_key_.find(key);
    if (found == of_key_.end() || !keys.insert(key).second) continue;
    for (const TimesRow* row : found->second) {
      const std::string other = beside_text(*row);
      auto group = std::ranges::find_if(groups, [&](const Equal& equal) {
        return equal.beside == other && equal.rows.front()->same_times(*row);
      });
      if (group == groups.end()) group = groups.insert(group, Equal{{}, other});
      group->rows.push_back(row);
    }
  }
  const std::string probes = probes_.probes_html(family);
  if (groups.empty() && probes.empty()) return {};
  std::string out =
      "<p class=\"where\">Cycles, <a href=\"times_method.html\">as measured</a>; <a "
      "href=\"times.html\">all forms</a>.</p>\n";
  if (groups.empty()) return out + probes;
  out += fmt::format(
      "<details class=\"forms\"><summary>Latency, throughput, machine instructions</summary>\n<table "
      "class=\"times\"><tr class=\"heads\"><th>forms</th><th>latency: operand &gt; result</th><th>interval "
      "of "
      "a warp</th><th>warps = instances a cycle and SM</th><th>measured on</th>{}<th>machine "
      "instructions</th><th>doubts</th></tr>\n",
      other_device_.empty() ? "" : fmt::format("<th>an {} has otherwise</th>", other_device_));
  for (const Equal& equal : groups) out += row_html(equal, other_device_);
  return out + "</table></details>\n" + probes;
}

}  // namespace semcc::emit
