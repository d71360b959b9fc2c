#include "semcc/emit/manual/section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "semcc/emit/manual/fidelity.h"
#include "semcc/emit/manual/forms.h"
#include "semcc/emit/manual/page.h"
#include "semcc/emit/manual/rules.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

// Parts with headings; empty ones are left out.
class Parts {
 public:
  explicit Parts(std::string family) : family_(std::move(family)) {}

  void add(const std::string& title, const std::string& html) {
    if (html.empty()) return;
    std::string id = family_ + "-" + title;
    std::transform(id.begin(), id.end(), id.begin(),
                   [](unsigned char c) { return c == ' ' ? '-' : static_cast<char>(std::tolower(c)); });
    links_.push_back(fmt::format("<a href=\"#{}\">{}</a>", id, title));
    html_ += fmt::format("<h3 id=\"{}\">{}</h3>\n{}", id, title, html);
  }
  void add_list(const std::string& title, const char* meaning, const std::vector<std::string>& entries) {
    if (entries.empty()) return;
    std::string html = *meaning == 0 ? "" : fmt::format("<p class=\"where\">{}</p>\n", meaning);
    html += "<ul>\n";
    for (const std::string& entry : entries) html += fmt::format("<li>{}</li>\n", escape_html(entry));
    add(title, html + "</ul>\n");
  }
  std::string html() const {
    return fmt::format("<p class=\"parts\">{}</p>\n{}", fmt::join(links_, " "), html_);
  }

 private:
  std::string family_, html_;
  std::vector<std::string> links_;
};

std::string syntax(const ir::Family& family) {
  std::string out = "<pre class=\"syntax\">";
  for (const std::string& form : form_items(family.source)) {
    const std::size_t opcode =
        std::min(form.find_first_of(". "), form.size());  // may be spelled like a keyword: fence
    out += escape_html(form.substr(0, opcode)) + highlight(form.substr(opcode)) + "\n";
  }
  return out + "</pre>\n";
}

std::string examples(const ir::Family& family) {
  if (family.examples.empty()) return {};
  std::string out =
      "<p class=\"where\">Each is run by the judge and by the executors.</p>\n"
      "<table><tr><th>instruction</th><th>result</th></tr>\n";
  for (const ir::Example& example : family.examples)
    out += fmt::format("<tr><td><code>{}</code></td><td><code>{}</code></td></tr>\n",
                       escape_html(example.instruction),
                       escape_html(fmt::format("{}", fmt::join(example.expected, ", "))));
  return out + "</table>\n";
}

std::vector<std::string> notes(const ir::Family& family) {
  std::vector<std::string> found;
  for (const ir::Form& form : family.forms)
    if (!form.note.empty() && std::find(found.begin(), found.end(), form.note) == found.end())
      found.push_back(form.note);
  return found;
}

}  // namespace

std::string section_html(const ir::Program& program, const ir::Family& family, const Kernels& kernels,
                         const EvidenceIndex& evidence, const Times& times) {
  std::string out = fmt::format(
      "<section id=\"{0}\">\n<h2><a href=\"#{0}\">{0}</a> {2}</h2>\n<p class=\"summary\">{1}</p>\n<p "
      "class=\"where\">",
      escape_html(family.name), escape_html(family.summary), fidelity_badge(evidence, family));
  if (!family.manual.empty()) out += fmt::format("PTX ISA {} · ", escape_html(family.manual));
  out += fmt::format("{} · {}:{}</p>\n", escape_html(chapter_title(family.chapter)),
                     escape_html(program.files[static_cast<std::size_t>(family.at.file)]), family.at.line);
  Parts parts(family.name);
  const Rules rules = rules_of(family);
  parts.add("Syntax", syntax(family));
  parts.add("Operands", operands_html(family));
  parts.add("Examples", examples(family));
  parts.add("Example", kernel_html(kernels, family.name));
  parts.add("Semantics", "<pre>" + highlight(family.source) + "</pre>\n");
  parts.add_list(
      "Rules", "Errors about who executes it and how it is written; PTX leaves open what hardware does then.",
      rules.rules);
  parts.add_list("Faults", "Errors that depend on values; hardware may fail too, or do anything.",
                 rules.faults);
  parts.add_list("Unspecified results", "Any value may come; it is never compared.", family.unspecified);
  parts.add_list("Effects", "", rules.effects);
  parts.add("Legality", legality_html(family));
  parts.add_list("Notes", "", notes(family));
  parts.add("Times", times.times_html(family));
  parts.add("Forms", forms_html(family, evidence));
  return out + parts.html() + "</section>\n";
}

}  // namespace semcc::emit
