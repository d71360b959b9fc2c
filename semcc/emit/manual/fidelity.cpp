#include "semcc/emit/manual/fidelity.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/manual/page.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

std::string table_head(const Evidence& evidence, const char* first) {
  std::string out = fmt::format("<div class=\"wide\"><table><tr><th>{}</th>", first);
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

std::string fidelity_page(const Evidence& evidence,
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
  out += table_row(evidence, "all", all) + "</table></div>\n<h2>By opcode</h2>\n" +
         table_head(evidence, "opcode");
  for (const auto& [opcode, sums] : opcodes) {
    const auto page = page_of_opcode.find(opcode);
    out += table_row(
        evidence,
        page == page_of_opcode.end() ? opcode : fmt::format("<a href=\"{}\">{}</a>", page->second, opcode),
        sums);
  }
  return out + "</table></div>\n</main></body></html>\n";
}

std::string fidelity_section(const EvidenceIndex& index, const std::string& opcode) {
  const Sums sums = index.of_opcode(opcode);
  if (sums.forms.empty()) return {};
  const Evidence& evidence = index.evidence();
  return fmt::format("<h2 id=\"hardware\">Hardware</h2>\n<p class=\"where\">{}</p>\n",
                     escape_html(evidence.device)) +
         table_head(evidence, "forms that ptxas accepts") + table_row(evidence, escape_html(opcode), sums) +
         "</table></div>\n";
}

std::string fidelity_badge(const EvidenceIndex& index, const ir::Family& family) {
  const Evidence& evidence = index.evidence();
  if (std::ranges::all_of(family.forms, [](const ir::Form& form) { return form.control == "refused"; }))
    return "<span class=\"badge mixed\">typed, not run</span>";
  const Sums sums = index.of(family);
  if (sums.forms.empty()) return {};
  const bool best = worst_status(evidence, sums) == evidence.statuses.front();
  return fmt::format("<span class=\"badge {}\">{}</span>", best ? "best" : "mixed",
                     escape_html(status_text(evidence, sums)));
}

}  // namespace semcc::emit
