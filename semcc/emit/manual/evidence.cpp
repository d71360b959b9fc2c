#include "semcc/emit/manual/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "semcc/emit/manual/spellings.h"

namespace semcc::emit {

Evidence read_evidence(const std::string& text) {
  Evidence evidence;
  std::istringstream in(text);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::vector<std::string> parts = fields(line, '\t');
    if (number == 1 && !parts.empty()) {
      evidence.device = parts[0];
      evidence.statuses.assign(parts.begin() + 1, parts.end());
      continue;
    }
    parts.resize(parts.size() == 4 ? 5 : parts.size());  // no operands
    if (parts.size() != 5 || parts[1].find_first_not_of("0123456789") != std::string::npos ||
        parts[1].empty())
      throw std::runtime_error(fmt::format("line {} is no line of evidence", number));
    evidence.rows.push_back({parts[0], std::stoull(parts[1]), parts[2], parts[3], parts[4]});
  }
  return evidence;
}

void Sums::add(const EvidenceRow& row) {
  ++forms[row.status];
  outputs += row.outputs;
}

void Sums::add(const Sums& other) {
  for (const auto& [status, count] : other.forms) forms[status] += count;
  outputs += other.outputs;
}

EvidenceIndex::EvidenceIndex(const ir::Program& program, const Evidence& evidence) : evidence_(evidence) {
  const Spellings spellings(program);
  for (const EvidenceRow& row : evidence.rows) rows_[spellings.key(row.mnemonic)].insert(&row);
}

Sums EvidenceIndex::of(const ir::Form& form) const {
  Sums sums;
  if (const auto found = rows_.find(form.key()); found != rows_.end())
    for (const EvidenceRow* row : found->second) sums.add(*row);
  return sums;
}

Sums EvidenceIndex::of(const ir::Family& family) const {
  std::set<std::string> keys;
  Sums sums;
  for (const ir::Form& form : family.forms)
    if (keys.insert(form.key()).second) sums.add(of(form));
  return sums;
}

Sums EvidenceIndex::of_opcode(const std::string& opcode) const {
  Sums sums;
  for (const EvidenceRow& row : evidence_.rows)
    if (row.opcode() == opcode) sums.add(row);
  return sums;
}

std::string worst_status(const Evidence& evidence, const Sums& sums) {
  for (auto status = evidence.statuses.rbegin(); status != evidence.statuses.rend(); ++status)
    if (sums.forms.contains(*status)) return *status;
  return {};
}

std::string status_text(const Evidence& evidence, const Sums& sums) {
  if (sums.forms.empty()) return {};
  if (sums.forms.size() == 1) return sums.forms.begin()->first;
  std::uint64_t all = 0;
  for (const auto& [status, count] : sums.forms) all += count;
  const std::string& best = evidence.statuses.front();
  const auto found = sums.forms.find(best);
  return fmt::format("{} of {} {}", found == sums.forms.end() ? 0 : found->second, all, best);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace semcc::emit
