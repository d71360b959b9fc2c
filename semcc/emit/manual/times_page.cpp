#include <fmt/format.h>

#include "semcc/emit/manual/assets.h"
#include "semcc/emit/manual/page.h"
#include "semcc/emit/manual/times.h"
#include "semcc/emit/text/markdown.h"

namespace semcc::emit {

std::string times_page(const Times& times) {
  const std::string& other = times.other_device();
  return page_head("Times") +
         fmt::format(
             "<h1>Times</h1>\n<p class=\"summary\">What each form takes on hardware, in cycles. <a "
             "href=\"times_method.html\">How it was measured, and how good the numbers are.</a> A click on a "
             "heading sorts. Probes, of memory, patterns of addresses, contention and waiting, stand among "
             "them "
             "(search for <code>probe</code>): their cycles are by CTAs of an SM x warps, * on every "
             "SM.{}</p>\n<p><input type=\"search\" id=\"words\" placeholder=\"fma f32, or HMMA\" "
             "aria-label=\"Words of forms or machine instructions\"> <span class=\"count\" "
             "id=\"count\"></span></p>\n<table id=\"times\" class=\"times\"><thead><tr><th>form</th>"
             "<th>operands</th><th>latency: operand &gt; result</th><th>interval of a warp</th><th>instances "
             "a "
             "cycle and SM</th><th>measured on</th>{}<th>machine "
             "instructions</th><th>doubts</th></tr></thead><tbody></tbody></table>\n"
             "<script src=\"times.js\"></script><script src=\"times_table.js\"></script>\n"
             "</main></body></html>\n",
             other.empty() ? ""
                           : fmt::format(" What an {} takes stands beside them, quiet where it is the same "
                                         "(search for <code>differs</code>).",
                                         other),
             other.empty()
                 ? ""
                 : fmt::format("<th>latency, {0}</th><th>interval, {0}</th><th>instances, {0}</th>", other));
}

std::string method_page() {
  return page_head("How times were measured") + "<h1>How times were measured</h1>\n<div class=\"prose\">\n" +
         markdown_html(manual_times_method) + "</div>\n</main></body></html>\n";
}

// Names and numbers have no characters that JavaScript strings must escape. What the other device has stands
// at the end of a row; "=" where it is what stands before.
std::string times_js(const Times& times, const std::map<std::string, std::string>& page_of_opcode) {
  std::string out = "const times = [\n";
  const bool beside = !times.other_device().empty();
  const auto page_of = [&](const std::string& form) {
    const auto page = page_of_opcode.find(form.substr(0, form.find('.')));
    return page == page_of_opcode.end() ? std::string() : page->second;
  };
  const auto same = [](const std::string& one, const std::string& other) {
    return other.empty() || one != other ? other : "=";
  };
  for (const TimesRow& row : times.rows()) {
    out += fmt::format("['{}','{}','{}','{}','{}','{}','{}','{}','{}'", page_of(row.mnemonic), row.mnemonic,
                       row.operands, row.latency, row.interval, row.most_per_cycle(), row.device,
                       row.instructions, row.mark);
    if (const TimesRow* other = times.beside(row); other && beside)
      out += fmt::format(",'{}','{}','{}'", same(row.latency, other->latency),
                         same(row.interval, other->interval),
                         same(row.most_per_cycle(), other->most_per_cycle()));
    out += "],\n";
  }
  for (const Probe& probe : times.probes())
    out += fmt::format("['{}','{}','{}','{}','','','{}','','probe'{}],\n", page_of(probe.form), probe.form,
                       probe.scene, probe.cycles, probe.device,
                       beside ? fmt::format(",'{}','',''", same(probe.cycles, probe.beside)) : "");
  return out + "];\n";
}

}  // namespace semcc::emit
