#include "semcc/emit/manual/probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

constexpr std::size_t probe_columns = 6;  // probe, shape, least, median, most, device

std::string opcode_of(const std::string& form) { return form.substr(0, form.find('.')); }

// "chase ld.global.b64 ring=8KiB": the form is the second word.
Probe probe_of(const std::string& text) {
  const std::vector<std::string> words = fields(text, ' ');
  Probe probe;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == 1)
      probe.form = words[i];
    else
      probe.scene += (probe.scene.empty() ? "" : " ") + words[i];
  }
  return probe;
}

}  // namespace

std::vector<Probe> read_probes(const std::string& text) {
  std::vector<Probe> probes;
  std::istringstream in(text);
  std::string line, last;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::vector<std::string> parts = fields(line + "\t.", '\t');
    if (parts.size() != probe_columns + 1 || (number == 1) != (parts[0] == "probe"))
      throw std::runtime_error(fmt::format("line {} is no line of probes", number));
    if (number == 1) continue;
    if (parts[0] != last) probes.push_back(probe_of(last = parts[0]));
    probes.back().device = parts[5];
    std::string& cycles = probes.back().cycles;
    cycles += fmt::format("{}{}={}", cycles.empty() ? "" : " ", parts[1], parts[3]);
  }
  return probes;
}

Probes::Probes(const ir::Program& program, const Spellings& spellings, std::vector<Probe> probes,
               const std::vector<Probe>& beside)
    : probes_(std::move(probes)), other_device_(beside.empty() ? "" : beside.front().device) {
  std::map<std::pair<std::string, std::string>, const Probe*> others;
  for (const Probe& other : beside) others[{other.form, other.scene}] = &other;
  for (Probe& probe : probes_) {
    const auto other = others.find({probe.form, probe.scene});
    if (other != others.end()) probe.beside = other->second->cycles;
  }
  std::map<std::string, std::set<std::string>> keys;  // of the forms of an opcode
  for (const ir::Family& family : program.families)
    for (const ir::Form& form : family.forms) keys[form.opcode].insert(form.key());
  for (const Probe& probe : probes_) {
    const std::string key = spellings.key(probe.form);
    const std::set<std::string>& known = keys[opcode_of(probe.form)];
    if (known.empty()) continue;
    const auto nearest = std::ranges::max_element(known, {}, [&](const std::string& other) {
      return std::ranges::mismatch(key, other).in1 - key.begin();
    });
    of_key_[known.contains(key) ? key : *nearest].push_back(&probe);
  }
}

std::string Probes::probes_html(const ir::Family& family) const {
  std::set<std::string> seen;
  std::vector<const Probe*> found;
  for (const ir::Form& form : family.forms) {
    const std::string key = form.key();
    const auto at = of_key_.find(key);
    if (at != of_key_.end() && seen.insert(key).second)
      found.insert(found.end(), at->second.begin(), at->second.end());
  }
  if (found.empty()) return {};
  std::string out = fmt::format(
      "<details class=\"forms\"><summary>Probes: memory, patterns, contention, waiting</summary>\n<table "
      "class=\"times\"><tr class=\"heads\"><th>form</th><th>probe</th><th>CTAs of an SM x warps (*: on every "
      "SM) = cycles, median</th><th>measured on</th>{}</tr>\n",
      other_device_.empty() ? "" : fmt::format("<th>an {}</th>", other_device_));
  for (const Probe* probe : found)
    out += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n",
                       escape_html(probe->form), escape_html(probe->scene), escape_html(probe->cycles),
                       probe->device,
                       other_device_.empty() ? "" : fmt::format("<td>{}</td>", escape_html(probe->beside)));
  return out + "</table></details>\n";
}

}  // namespace semcc::emit
