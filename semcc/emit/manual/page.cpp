#include "semcc/emit/manual/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "semcc/emit/manual/fidelity.h"
#include "semcc/emit/manual/section.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

std::string contents(const OpcodePage& page) {
  std::string out = "<ul class=\"contents\">\n";
  for (const ir::Family* family : page.families)
    out += fmt::format("<li><a href=\"#{0}\">{0}</a> {1}</li>\n", escape_html(family->name),
                       escape_html(family->summary));
  return out + "</ul>\n";
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
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"stylesheet\" "
      "href=\"style.css\"></head>\n"
      "<body><nav><a href=\"index.html\">All instructions</a>"
      "<form action=\"index.html\"><input type=\"search\" name=\"q\" placeholder=\"Search\" "
      "aria-label=\"Search\">"
      "</form></nav>\n<main>\n",
      escape_html(title));
}

std::string page_html(const ir::Program& program, const OpcodePage& page, const Kernels& kernels,
                      const EvidenceIndex& evidence, const Times& times) {
  std::string out = page_head(page.opcode) + fmt::format("<h1>{}</h1>\n", escape_html(page.opcode));
  if (page.families.size() > 1) out += contents(page);
  const bool own = std::any_of(page.families.begin(), page.families.end(),
                               [&](const ir::Family* family) { return family->name == page.opcode; });
  // The kernel of a family stands in its section.
  if (const std::string kernel = own ? "" : kernel_html(kernels, page.opcode); !kernel.empty())
    out += "<h3 id=\"example\">Example</h3>\n" + kernel;
  for (const ir::Family* family : page.families)
    out += section_html(program, *family, kernels, evidence, times);
  return out + fidelity_section(evidence, page.opcode) + "</main></body></html>\n";
}

}  // namespace semcc::emit
