#include "semcc/emit/manual/index.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/manual/fidelity.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

std::string row(const std::string& opcode, const ir::Family& family, const EvidenceIndex& evidence) {
  return fmt::format(
      "<tr><td><a href=\"{0}.html#{1}\">{1}</a></td><td>{2}</td><td>{3} form{4}</td><td>{5}</td></tr>\n",
      escape_html(opcode), escape_html(family.name), escape_html(family.summary),
      grouped(family.forms.size()), family.forms.size() == 1 ? "" : "s", fidelity_badge(evidence, family));
}

// PTX words have no characters that JavaScript strings must escape.
std::string packed(const ir::Family& family) {
  std::string out, before;
  for (const ir::Form& form : family.forms) {
    const std::string text = form.text();
    const auto parted = std::mismatch(before.begin(), before.end(), text.begin(), text.end()).second;
    const std::size_t common = std::min<std::size_t>(static_cast<std::size_t>(parted - text.begin()), 255);
    out += fmt::format("{}{:02x}{}", out.empty() ? "" : " ", common, text.substr(common));
    before = text;
  }
  return out;
}

}  // namespace

std::string index_html(const Pages& pages, const EvidenceIndex& evidence, bool times) {
  std::map<std::string, std::string> chapters;
  std::size_t total = 0;
  for (const auto& [opcode, page] : pages) {
    for (const ir::Family* family : page.families) {
      chapters[family->chapter] += row(opcode, *family, evidence);
      total += family->forms.size();
    }
  }
  std::string out = page_head("PTX instructions");
  out += fmt::format("<h1>PTX instructions</h1>\n<p class=\"count\">{} opcodes, {} forms{}{}</p>\n",
                     pages.size(), grouped(total),
                     evidence.empty() ? "" : " · <a href=\"fidelity.html\">how true they are to hardware</a>",
                     times ? " · <a href=\"times.html\">what they take in time</a>" : "");
  out +=
      "<p class=\"count\"><a href=\"special_registers.html\">Special registers</a> · "
      "<a href=\"device.html\">What the device can run</a></p>\n<p class=\"count\" id=\"chapters-list\">";
  for (const auto& [chapter, rows] : chapters)
    out += fmt::format("<a href=\"#{}\">{}</a> ", escape_html(chapter), escape_html(chapter_title(chapter)));
  out +=
      "</p>\n<p id=\"none\" hidden>No instruction of that name, and none that says so of itself.</p>\n"
      "<div id=\"chapters\">\n";
  for (const auto& [chapter, rows] : chapters)
    out += fmt::format("<section id=\"{}\"><h2>{}</h2>\n<table class=\"opcodes\">\n{}</table></section>\n",
                       escape_html(chapter), escape_html(chapter_title(chapter)), rows);
  return out +
         "</div>\n<div id=\"found\"></div>\n<script src=\"search.js\"></script>\n</main></body></html>\n";
}

std::string forms_js(const Pages& pages) {
  std::string out = "const families = [\n";
  for (const auto& [opcode, page] : pages)
    for (const ir::Family* family : page.families)
      out += fmt::format("['{}.html#{}', '{}'],\n", opcode, family->name, packed(*family));
  return out + "];\n";
}

}  // namespace semcc::emit
