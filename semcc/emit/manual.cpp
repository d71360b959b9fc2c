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
  struct Row {
    std::string opcode;
    const ir::Family* family;
  };
  std::map<std::string, std::vector<Row>> chapters;
  std::size_t total = 0;
  for (const auto& [opcode, page] : pages) {
    for (const ir::Family* family : page.families) {
      chapters[family->chapter].push_back({opcode, family});
      total += family->forms.size();
    }
  }
  std::string out = page_head("PTX instructions");
  out += fmt::format("<h1>PTX instructions</h1>\n<p class=\"count\">{} opcodes, {} forms</p>\n", pages.size(),
                     total);
  if (evidence) out += "<p><a href=\"fidelity.html\">How true they are to hardware</a></p>\n";
  out +=
      "<p><input id=\"search\" type=\"search\" placeholder=\"setp lt f32, or what it does\" autofocus></p>\n"
      "<div id=\"chapters\">\n";
  for (const auto& [chapter, rows] : chapters) {
    out +=
        fmt::format("<section><h2>{}</h2>\n<table class=\"opcodes\">\n", escape_html(chapter_title(chapter)));
    for (const Row& row : rows)
      out += fmt::format(
          "<tr><td><a href=\"{0}.html#{1}\">{1}</a></td><td>{2}</td><td>{3} form{4}</td></tr>\n",
          escape_html(row.opcode), escape_html(row.family->name), escape_html(row.family->summary),
          row.family->forms.size(), row.family->forms.size() == 1 ? "" : "s");
    out += "</table></section>\n";
  }
  return out +
         "</div>\n<ul id=\"found\"></ul>\n<script src=\"forms.js\"></script><script "
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

std::map<std::string, std::string> emit_manual(const ir::Program& program, const Kernels& kernels,
                                               const Evidence& evidence) {
  check_kernels(program, kernels);
  const std::map<std::string, OpcodePage> pages = pages_of(program);
  const bool measured = !evidence.rows.empty();
  std::map<std::string, std::string> files{{"index.html", index_html(pages, measured)},
                                           {"forms.js", forms_js(pages)},
                                           {"style.css", manual_style},
                                           {"search.js", manual_search}},
      page_of_opcode;
  for (const auto& [opcode, page] : pages) {
    page_of_opcode[opcode] = opcode + ".html";
    files[opcode + ".html"] = page_html(program, page, kernels, evidence);
  }
  if (measured) files["fidelity.html"] = evidence_page(evidence, page_of_opcode);
  return files;
}

}  // namespace semcc::emit
