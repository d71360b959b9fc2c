#include <fmt/format.h>

#include "semcc/emit/manual/assets.h"
#include "semcc/emit/manual/page.h"
#include "semcc/emit/manual/times.h"
#include "semcc/emit/text/markdown.h"

namespace semcc::emit {

std::string times_page() {
  return page_head("Times") +
         "<h1>Times</h1>\n<p class=\"summary\">What each form takes on hardware, in cycles. <a "
         "href=\"times_method.html\">How it was measured, and how good the numbers are.</a> A click on a "
         "heading sorts. Probes, of memory, patterns of addresses, contention and waiting, stand among them "
         "(search for <code>probe</code>): their cycles are by CTAs of an SM x warps, * on every "
         "SM.</p>\n<p><input type=\"search\" id=\"words\" placeholder=\"fma f32, or HMMA\" "
         "aria-label=\"Words of forms or machine instructions\"> <span class=\"count\" "
         "id=\"count\"></span></p>\n<table id=\"times\" class=\"times\"><thead><tr><th>form</th>"
         "<th>operands</th><th>latency: operand &gt; result</th><th>interval of a warp</th><th>instances a "
         "cycle and SM</th><th>machine instructions</th><th>doubts</th></tr></thead><tbody></tbody></table>\n"
         "<script src=\"times.js\"></script><script src=\"times_table.js\"></script>\n"
         "</main></body></html>\n";
}

std::string method_page() {
  return page_head("How times were measured") + "<h1>How times were measured</h1>\n<div class=\"prose\">\n" +
         markdown_html(manual_times_method) + "</div>\n</main></body></html>\n";
}

// Names and numbers have no characters that JavaScript strings must escape.
std::string times_js(const Times& times, const std::map<std::string, std::string>& page_of_opcode) {
  std::string out = "const times = [\n";
  for (const TimesRow& row : times.rows()) {
    const auto page = page_of_opcode.find(row.mnemonic.substr(0, row.mnemonic.find('.')));
    out += fmt::format("['{}','{}','{}','{}','{}','{}','{}','{}'],\n",
                       page == page_of_opcode.end() ? "" : page->second, row.mnemonic, row.operands,
                       row.latency, row.interval, row.most_per_cycle(), row.instructions, row.mark);
  }
  for (const Probe& probe : times.probes()) {
    const auto page = page_of_opcode.find(probe.form.substr(0, probe.form.find('.')));
    out +=
        fmt::format("['{}','{}','{}','{}','','','','probe'],\n",
                    page == page_of_opcode.end() ? "" : page->second, probe.form, probe.scene, probe.cycles);
  }
  return out + "];\n";
}

}  // namespace semcc::emit
