#include "semcc/emit/manual/forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "semcc/emit/text/source.h"
#include "semcc/ir/printer.h"

namespace semcc::emit {
namespace {

// In the order of first use.
class Distinct {
 public:
  void add(const std::string& text) {
    if (!text.empty() && std::find(all_.begin(), all_.end(), text) == all_.end()) all_.push_back(text);
  }
  std::string joined(const char* between) const { return fmt::format("{}", fmt::join(all_, between)); }

 private:
  std::vector<std::string> all_;
};

struct Group {
  std::string operands, since, hints, status;
  bool undocumented = false;
  Sums sums;
  std::vector<std::string> forms;
};

// "u32 via extend sink" without what stands in the last column.
std::string type_of(const ir::Operand& operand) {
  const std::string text = ir::operand_text(operand);  // "in u32 via extend sink"
  if (operand.attached.what != ir::Attachment::What::None) return text;
  const std::size_t begin = text.find(' ') + 1;
  return text.substr(begin, std::min(text.find(" via ", begin), text.find(" sink", begin)) - begin);
}

std::vector<Group> groups_of(const ir::Family& family, const EvidenceIndex& evidence) {
  std::vector<Group> groups;
  for (const ir::Form& form : family.forms) {
    const Sums sums = evidence.of(form);
    Group group{fmt::format("{}", fmt::join(ir::patterns(form), "  or  ")),
                ir::since_text(form.since),
                ir::hints_text(form),
                worst_status(evidence.evidence(), sums),
                std::ranges::find(form.traits, "undocumented") != form.traits.end(),
                {},
                {}};
    const auto same = [&](const Group& other) {
      const auto key = [](const Group& one) {
        return std::tie(one.operands, one.since, one.hints, one.status, one.undocumented);
      };
      return key(group) == key(other);
    };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) found = groups.insert(found, std::move(group));
    found->sums.add(sums);
    found->forms.push_back(form.text());
  }
  return groups;
}

std::string heading(const Group& group, const EvidenceIndex& evidence) {
  std::vector<std::string> parts;
  if (!group.operands.empty()) parts.push_back(fmt::format("<code>{}</code>", escape_html(group.operands)));
  if (group.undocumented) parts.emplace_back("ptxas takes it, the PTX manual does not have it");
  if (!group.since.empty()) parts.push_back("since " + escape_html(group.since));
  if (!group.hints.empty())
    parts.push_back(fmt::format("also takes <code>{}</code>", escape_html(group.hints)));
  if (!group.status.empty()) {
    std::string text = "hardware: " + escape_html(status_text(evidence.evidence(), group.sums));
    if (group.sums.outputs != 0) text += fmt::format(", {} outputs", grouped(group.sums.outputs));
    parts.push_back(text);
  }
  return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace

std::string legality_html(const ir::Family& family) {
  std::vector<std::tuple<std::string, std::string, std::size_t>> rows;  // version, target, forms
  for (const ir::Form& form : family.forms) {
    const std::string version =
        form.since.ptx_major == 0 ? "any" : fmt::format("{}.{}", form.since.ptx_major, form.since.ptx_minor);
    const std::string target =
        form.since.targets.empty() ? "any" : fmt::format("{}", fmt::join(form.since.targets, " or "));
    const auto same = [&](const auto& row) {
      return std::get<0>(row) == version && std::get<1>(row) == target;
    };
    const auto found = std::find_if(rows.begin(), rows.end(), same);
    if (found == rows.end())
      rows.emplace_back(version, target, 1);
    else
      ++std::get<2>(*found);
  }
  std::string out = "<table><tr><th>since PTX</th><th>since target</th><th>forms</th></tr>\n";
  for (const auto& [version, target, count] : rows)
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", version, target, grouped(count));
  return out + "</table>\n";
}

std::string forms_html(const ir::Family& family, const EvidenceIndex& evidence) {
  std::string out =
      fmt::format("<details class=\"forms\"><summary>All {} forms</summary>\n", grouped(family.forms.size()));
  for (const Group& group : groups_of(family, evidence))
    out += fmt::format("<p>{}</p>\n<pre>{}</pre>\n", heading(group, evidence),
                       escape_html(fmt::format("{}", fmt::join(group.forms, "\n"))));
  return out + "</details>\n";
}

std::string operands_html(const ir::Family& family) {
  std::vector<std::string> order;
  std::map<std::string, Distinct> directions, types, spaces, remarks;
  for (const ir::Form& form : family.forms) {
    for (const ir::Operand& operand : form.operands) {
      const std::string& name = operand.name;
      if (!directions.contains(name)) order.push_back(name);
      directions[name].add(operand.in && operand.out ? "in and out" : operand.out ? "out" : "in");
      const std::string type = type_of(operand);
      if (operand.kind == ir::OperandKind::Address)  // address(shared)
        spaces[name].add(type.substr(8, type.size() - 9));
      else
        types[name].add(type);
      if (operand.negatable) remarks[name].add(fmt::format("may be negated: !{}", name));
      if (operand.optional) remarks[name].add("may be left out");
      if (operand.paired) remarks[name].add(operand.out ? "written behind |" : "inside the brackets");
      if (operand.sink) remarks[name].add("_ drops it");
      if (operand.extends) remarks[name].add("a wider register may be used");
    }
  }
  if (order.empty()) return {};
  std::string out = "<table><tr><th>operand</th><th></th><th>type</th><th></th></tr>\n";
  for (const std::string& name : order) {
    std::string type = types[name].joined(", ");
    if (const std::string space = spaces[name].joined(", "); !space.empty())
      type += fmt::format("{}address: {}", type.empty() ? "" : "; ", space);
    out += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_html(name), directions[name].joined(", "), escape_html(type),
                       escape_html(remarks[name].joined("; ")));
  }
  return out + "</table>\n";
}

}  // namespace semcc::emit
