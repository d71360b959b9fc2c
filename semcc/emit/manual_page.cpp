#include "semcc/emit/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "semcc/emit/manual_source.h"
#include "semcc/ir/printer.h"

namespace semcc::emit {
namespace {

// In the order of first use.
class Distinct {
 public:
  void add(const std::string& text) {
    if (!text.empty() && std::find(all_.begin(), all_.end(), text) == all_.end()) all_.push_back(text);
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

std::string list_section(const char* title, const std::vector<std::string>& entries) {
  if (entries.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3>\n<ul>\n", title);
  for (const std::string& entry : entries) out += fmt::format("<li>{}</li>\n", escape_html(entry));
  return out + "</ul>\n";
}

std::string syntax(const ir::Family& family) {
  std::string out = "<h3>Syntax</h3>\n<pre class=\"syntax\">";
  for (const std::string& form : form_items(family.source)) {
    const std::size_t opcode =
        std::min(form.find_first_of(". "), form.size());  // may be spelled like a keyword: fence
    out += escape_html(form.substr(0, opcode)) + highlight(form.substr(opcode)) + "\n";
  }
  return out + "</pre>\n";
}

std::string operands(const ir::Family& family) {
  std::vector<std::string> order;
  std::map<std::string, Distinct> directions, types, remarks;
  for (const ir::Form& form : family.forms) {
    for (const ir::Operand& operand : form.operands) {
      if (!types.contains(operand.name)) order.push_back(operand.name);
      const std::string text = ir::operand_text(operand);  // "in u32"
      directions[operand.name].add(text.substr(0, text.find(' ')));
      types[operand.name].add(text.substr(text.find(' ') + 1));
      if (operand.negatable) remarks[operand.name].add("may be negated: !" + operand.name);
      if (operand.optional) remarks[operand.name].add("may be left out");
      if (operand.paired) remarks[operand.name].add("written behind |");
    }
  }
  if (order.empty()) return {};
  std::string out = "<h3>Operands</h3>\n<table><tr><th>operand</th><th></th><th>type</th><th></th></tr>\n";
  for (const std::string& name : order)
    out += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_html(name), fmt::join(directions[name].all(), ", "),
                       escape_html(fmt::format("{}", fmt::join(types[name].all(), ", "))),
                       escape_html(fmt::format("{}", fmt::join(remarks[name].all(), "; "))));
  return out + "</table>\n";
}

std::string legality(const ir::Family& family) {
  Distinct order;
  std::map<std::string, std::size_t> count;
  const auto text = [](const ir::Form& form) {
    const std::string since = ir::since_text(form.since);
    return since.empty() ? "any PTX version and target" : "since " + since;
  };
  for (const ir::Form& form : family.forms) {
    order.add(text(form));
    ++count[text(form)];
  }
  std::vector<std::string> entries;
  for (const std::string& since : order.all())
    entries.push_back(fmt::format("{} form{}: {}", count[since], count[since] == 1 ? "" : "s", since));
  return list_section("Legality", entries);
}

std::string sentence(const ir::Form& form) {
  switch (form.level) {
    case ir::Level::Thread:
      return "each lane by itself";
    case ir::Level::Warp:
      return "the lanes executing together";
    case ir::Level::Cta:
      return "the CTA";
    case ir::Level::Control:
      break;
  }
  return form.control == "nothing" ? "does nothing" : "control flow: " + form.control;
}

std::string effects(const ir::Family& family) {
  Distinct found;
  for (const ir::Form& form : family.forms) {
    found.add(sentence(form));
    for (std::string name : ir::effect_names(form.effects)) {
      std::replace(name.begin(), name.end(), '_', ' ');
      found.add(name);
    }
  }
  return list_section("Effects", found.all());
}

std::string undefined_cases(const ir::Family& family) {
  Distinct found;
  for (const ir::Form& form : family.forms)
    for (const ir::Stmt& stmt : form.body)
      if (stmt.what == ir::Stmt::What::Require) found.add(stmt.text);
  return list_section("Undefined", found.all());
}

std::string notes(const ir::Family& family) {
  Distinct found;
  for (const ir::Form& form : family.forms) found.add(form.note);
  return list_section("Notes", found.all());
}

std::string examples(const ir::Family& family) {
  if (family.examples.empty()) return {};
  std::string out =
      "<h3>Examples</h3>\n<p class=\"where\">Each is run by the judge and by the "
      "executors.</p>\n<table><tr><th>instruction</th><th>result</th></tr>\n";
  for (const ir::Example& example : family.examples)
    out += fmt::format("<tr><td><code>{}</code></td><td><code>{}</code></td></tr>\n",
                       escape_html(example.instruction),
                       escape_html(fmt::format("{}", fmt::join(example.expected, ", "))));
  return out + "</table>\n";
}

std::string forms(const ir::Family& family, const Evidence& evidence) {
  const bool measured = !evidence.rows.empty();
  std::string out =
      fmt::format("<details><summary>All {} forms</summary>\n<table class=\"forms\">", family.forms.size());
  out += fmt::format("<tr><th>form</th><th>operands</th><th>since</th><th>also takes</th>{}</tr>\n",
                     measured ? "<th>hardware</th>" : "");
  for (const ir::Form& form : family.forms)
    out += fmt::format(
        "<tr><td><code>{}</code></td><td><code>{}</code></td><td>{}</td><td>{}</td>{}</tr>\n",
        escape_html(form.text()), escape_html(fmt::format("{}", fmt::join(ir::patterns(form), "  or  "))),
        escape_html(ir::since_text(form.since)), escape_html(ir::hints_text(form)),
        measured ? fmt::format("<td>{}</td>", escape_html(evidence_of(evidence, form.text()))) : "");
  return out + "</table></details>\n";
}

std::string section(const ir::Program& program, const ir::Family& family, const Kernels& kernels,
                    const Evidence& evidence) {
  std::string out =
      fmt::format("<section id=\"{0}\">\n<h2>{0}</h2>\n<p class=\"summary\">{1}</p>\n<p class=\"where\">",
                  escape_html(family.name), escape_html(family.summary));
  if (!family.manual.empty()) out += fmt::format("PTX ISA {} · ", escape_html(family.manual));
  out += fmt::format("{} · {}:{}</p>\n", escape_html(chapter_title(family.chapter)),
                     escape_html(program.files[static_cast<std::size_t>(family.at.file)]), family.at.line);
  out += syntax(family) + operands(family) + legality(family);
  out += "<h3>Semantics</h3>\n<pre>" + highlight(family.source) + "</pre>\n";
  out += undefined_cases(family) + effects(family) + examples(family) + kernel_html(kernels, family.name) +
         notes(family) + forms(family, evidence);
  return out + "</section>\n";
}

}  // namespace

std::string chapter_title(const std::string& folder) {
  std::string title = folder;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" "
      "href=\"style.css\"></head>\n"
      "<body><nav><a href=\"index.html\">All instructions</a></nav>\n<main>\n",
      escape_html(title));
}

std::string page_html(const ir::Program& program, const OpcodePage& page, const Kernels& kernels,
                      const Evidence& evidence) {
  std::string out = page_head(page.opcode) + fmt::format("<h1>{}</h1>\n", escape_html(page.opcode));
  if (page.families.size() > 1) {
    out += "<ul class=\"contents\">\n";
    for (const ir::Family* family : page.families)
      out += fmt::format("<li><a href=\"#{0}\">{0}</a> {1}</li>\n", escape_html(family->name),
                         escape_html(family->summary));
    out += "</ul>\n";
  }
  // A kernel of a family stands in its section.
  if (std::none_of(page.families.begin(), page.families.end(),
                   [&](const ir::Family* f) { return f->name == page.opcode; }))
    out += kernel_html(kernels, page.opcode);
  for (const ir::Family* family : page.families) out += section(program, *family, kernels, evidence);
  out += evidence_section(evidence, page.opcode);
  return out + "</main></body></html>\n";
}

}  // namespace semcc::emit
