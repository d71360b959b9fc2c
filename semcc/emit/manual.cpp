#include "semcc/emit/manual.h"

#include <fmt/format.h>

#include <set>

#include "semcc/emit/manual_assets.h"
#include "semcc/emit/manual_page.h"
#include "semcc/emit/manual_source.h"

namespace semcc::emit {
namespace {

// Opcode -> page; a family's forms all have one opcode.
std::map<std::string, OpcodePage> pages_of(const ir::Program& program) {
  std::map<std::string, OpcodePage> pages;
  for (const ir::Family& family : program.families) {
    std::set<std::string> opcodes;
    for (const ir::Form& form : family.forms) opcodes.insert(form.opcode);
    for (const std::string& opcode : opcodes) {
      OpcodePage& page = pages[opcode];
      page.opcode = opcode;
      page.families.push_back(&family);
    }
  }
  return pages;
}

std::string index_html(const std::map<std::string, OpcodePage>& pages, bool evidence) {
  struct Entry {
    std::string family;  // the first of this opcode in the chapter
    std::size_t forms = 0;
  };
  std::map<std::string, std::map<std::string, Entry>> chapters;
  std::size_t total = 0;
  for (const auto& [opcode, page] : pages) {
    for (const ir::Family* family : page.families) {
      Entry& entry = chapters[family->chapter][opcode];
      if (entry.family.empty()) entry.family = family->name;
      entry.forms += family->forms.size();
      total += family->forms.size();
    }
  }
  std::string out = page_head("PTX instructions");
  out += fmt::format("<h1>PTX instructions</h1>\n<p class=\"count\">{} opcodes, {} forms</p>\n", pages.size(),
                     total);
  if (evidence) out += "<p><a href=\"fidelity.html\">How true they are to hardware</a></p>\n";
  out +=
      "<p><input id=\"search\" type=\"search\" placeholder=\"setp lt f32\" autofocus></p>\n<ul "
      "id=\"found\"></ul>\n"
      "<div id=\"chapters\">\n";
  for (const auto& [chapter, opcodes] : chapters) {
    out += fmt::format("<h2>{}</h2>\n<ul class=\"opcodes\">\n", escape_html(chapter_title(chapter)));
    for (const auto& [opcode, entry] : opcodes)
      out += fmt::format("<li><a href=\"{0}.html#{1}\">{0}</a> <span class=\"count\">{2}</span></li>\n",
                         escape_html(opcode), escape_html(entry.family), entry.forms);
    out += "</ul>\n";
  }
  return out +
         "</div>\n<script src=\"forms.js\"></script><script "
         "src=\"search.js\"></script>\n</main></body></html>\n";
}

// PTX words have no characters that JavaScript strings must escape.
std::string forms_js(const std::map<std::string, OpcodePage>& pages) {
  std::string out = "const families = [\n";
  for (const auto& [opcode, page] : pages) {
    for (const ir::Family* family : page.families) {
      out += fmt::format("['{}.html#{}', [", opcode, family->name);
      for (const ir::Form& form : family->forms) out += fmt::format("'{}',", form.text());
      out += "]],\n";
    }
  }
  return out + "];\n";
}

}  // namespace

std::map<std::string, std::string> emit_manual(const ir::Program& program, const Evidence& evidence) {
  const std::map<std::string, OpcodePage> pages = pages_of(program);
  const bool measured = !evidence.rows.empty();
  std::map<std::string, std::string> files{{"index.html", index_html(pages, measured)},
                                           {"forms.js", forms_js(pages)},
                                           {"style.css", manual_style},
                                           {"search.js", manual_search}},
      page_of_opcode;
  for (const auto& [opcode, page] : pages) {
    page_of_opcode[opcode] = opcode + ".html";
    files[opcode + ".html"] = page_html(program, page, evidence);
  }
  if (measured) files["fidelity.html"] = evidence_page(evidence, page_of_opcode);
  return files;
}

}  // namespace semcc::emit
