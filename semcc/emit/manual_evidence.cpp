#include "semcc/emit/manual_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "semcc/emit/manual_page.h"
#include "semcc/emit/manual_source.h"

namespace semcc::emit {
namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) all.push_back(field);
  return all;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

struct Sums {
  std::map<std::string, std::uint64_t> forms;  // by status
  std::uint64_t outputs = 0;
  void add(const EvidenceRow& row) {
    ++forms[row.status];
    outputs += row.outputs;
  }
};

std::string table_head(const Evidence& evidence, const char* first) {
  std::string out = fmt::format("<table><tr><th>{}</th>", first);
  for (const std::string& status : evidence.statuses) out += fmt::format("<th>{}</th>", escape_html(status));
  return out + "<th>outputs compared</th></tr>\n";
}

std::string table_row(const Evidence& evidence, const std::string& first, const Sums& sums) {
  std::string out = fmt::format("<tr><td>{}</td>", first);
  for (const std::string& status : evidence.statuses) {
    const auto found = sums.forms.find(status);
    out += fmt::format("<td>{}</td>", found == sums.forms.end() ? "" : grouped(found->second));
  }
  return out + fmt::format("<td>{}</td></tr>\n", sums.outputs == 0 ? "" : grouped(sums.outputs));
}

}  // namespace

Evidence read_evidence(const std::string& text) {
  Evidence evidence;
  std::istringstream in(text);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::vector<std::string> parts = fields(line);
    if (number == 1 && !parts.empty()) {
      evidence.device = parts[0];
      evidence.statuses.assign(parts.begin() + 1, parts.end());
      continue;
    }
    parts.resize(parts.size() == 4 ? 5 : parts.size());  // no operands
    if (parts.size() != 5 || parts[1].find_first_not_of("0123456789") != std::string::npos ||
        parts[1].empty())
      throw std::runtime_error(fmt::format("line {} is no line of evidence", number));
    evidence.rows.push_back({parts[0], std::stoull(parts[1]), parts[2], parts[3], parts[4]});
  }
  for (const EvidenceRow& row : evidence.rows) evidence.by_mnemonic[row.mnemonic].push_back(&row);
  return evidence;
}

std::string evidence_page(const Evidence& evidence,
                          const std::map<std::string, std::string>& page_of_opcode) {
  Sums all;
  std::map<std::string, Sums> groups, opcodes;
  for (const EvidenceRow& row : evidence.rows) {
    all.add(row);
    groups[row.group].add(row);
    opcodes[row.opcode()].add(row);
  }
  std::string out = page_head("Fidelity") + "<h1>Fidelity</h1>\n";
  out += fmt::format(
      "<p>Every form that ptxas 13.0 accepts for sm_90a, and whether its results here are those of hardware: "
      "{}. "
      "Exact: every compared output is the same, bit for bit.</p>\n",
      escape_html(evidence.device));
  out += "<h2>By class</h2>\n" + table_head(evidence, "class");
  for (const auto& [group, sums] : groups) out += table_row(evidence, escape_html(group), sums);
  out += table_row(evidence, "all", all) + "</table>\n<h2>By opcode</h2>\n" + table_head(evidence, "opcode");
  for (const auto& [opcode, sums] : opcodes) {
    const auto page = page_of_opcode.find(opcode);
    out += table_row(
        evidence,
        page == page_of_opcode.end() ? opcode : fmt::format("<a href=\"{}\">{}</a>", page->second, opcode),
        sums);
  }
  return out + "</table>\n</main></body></html>\n";
}

std::string evidence_section(const Evidence& evidence, const std::string& opcode) {
  Sums sums;
  for (const EvidenceRow& row : evidence.rows)
    if (row.opcode() == opcode) sums.add(row);
  if (sums.forms.empty()) return {};
  std::string out = fmt::format("<h2 id=\"hardware\">Hardware</h2>\n<p class=\"where\">{}</p>\n",
                                escape_html(evidence.device));
  return out + table_head(evidence, "forms that ptxas accepts") +
         table_row(evidence, escape_html(opcode), sums) + "</table>\n";
}

std::string evidence_of(const Evidence& evidence, const std::string& mnemonic) {
  const auto found = evidence.by_mnemonic.find(mnemonic);
  if (found == evidence.by_mnemonic.end()) return {};
  std::uint64_t outputs = 0;
  std::size_t worst = 0;
  for (const EvidenceRow* row : found->second) {
    outputs += row->outputs;
    const auto at = std::find(evidence.statuses.begin(), evidence.statuses.end(), row->status);
    worst = std::max(worst, static_cast<std::size_t>(at - evidence.statuses.begin()));
  }
  const std::string status = worst < evidence.statuses.size() ? evidence.statuses[worst] : "";
  return outputs == 0 ? status : fmt::format("{}, {} outputs", status, grouped(outputs));
}

}  // namespace semcc::emit
