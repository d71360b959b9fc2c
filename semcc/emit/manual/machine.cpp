#include "semcc/emit/manual/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semcc/emit/manual/page.h"
#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

std::string since_words(const ir::Since& since) {
  std::string text;
  if (since.ptx_major != 0) text = fmt::format("PTX {}.{}", since.ptx_major, since.ptx_minor);
  if (!since.targets.empty())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", fmt::join(since.targets, " or "));
  return text;
}

std::string register_row(const ir::Special& special) {
  return fmt::format(
      "<tr id=\"{0}\"><td><code>{0}</code></td><td>{1}<br><code>{2}</code></td><td>{3}{4}</td><td>{5}</td>"
      "<td>{6}</td></tr>\n",
      escape_html(special.name), escape_html(special.summary), escape_html(special.text),
      special.count == 1 ? "" : fmt::format(".v{} ", special.count), special.type.name(),
      since_words(special.since), escape_html(special.manual));
}

const char* period(ir::Source::Per per) {
  static constexpr const char* names[] = {"launch", "CTA", "warp", "lane", "read"};
  return names[static_cast<int>(per)];
}

}  // namespace

std::string special_registers_page(const ir::Program& program) {
  std::string out = page_head("Special registers");
  out +=
      "<h1>Special registers</h1>\n<p class=\"summary\">Chapter 10 of the PTX manual. Each is made of the "
      "sources "
      "below; a register of four components has the source's three and w = 0.</p>\n"
      "<table class=\"registers\"><tr><th>Register</th><th>What it holds</th><th>Type</th><th>Since</th>"
      "<th>Manual</th></tr>\n";
  for (const ir::Special& special : program.specials) out += register_row(special);
  out +=
      "</table>\n<h2 id=\"sources\">Sources</h2>\n<table><tr><th>Source</th><th>What it "
      "is</th><th>Components</th>"
      "<th>One value for each</th></tr>\n";
  for (const ir::Source& source : program.sources)
    out +=
        fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    escape_html(source.name), escape_html(source.summary), source.count, period(source.per));
  return out + "</table>\n</main></body></html>\n";
}

std::string device_page(const ir::Program& program) {
  std::string out = page_head("The device") + "<h1>The device</h1>\n";
  for (const ir::Device& device : program.devices) {
    out += fmt::format(
        "<section id=\"{0}\"><h2>{0}</h2>\n<p class=\"summary\">{1}</p>\n"
        "<table><tr><th>Limit</th><th>Value</th><th>What it is</th></tr>\n",
        escape_html(device.name), escape_html(device.summary));
    for (const ir::Limit& limit : device.limits)
      out += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n", escape_html(limit.name),
                         fmt::join(limit.values, ", "), escape_html(limit.summary));
    out += "</table></section>\n";
  }
  return out + "</main></body></html>\n";
}

}  // namespace semcc::emit
