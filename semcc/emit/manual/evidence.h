// What hardware said about instruction forms, for the manual: the table that `wedjat fidelity --table`
// writes.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

struct EvidenceRow {
  std::string status;  // "exact", "not compared" …
  std::uint64_t outputs = 0;
  std::string group, mnemonic, operands;  // group: "logic/shift"
  std::string opcode() const { return mnemonic.substr(0, mnemonic.find('.')); }
};

struct Evidence {
  std::string device;                 // empty: there is none
  std::vector<std::string> statuses;  // from the best to the worst
  std::vector<EvidenceRow> rows;
};

// A line `device<tab>STATUS<tab>…`, then `STATUS<tab>OUTPUTS<tab>GROUP<tab>MNEMONIC<tab>OPERANDS` for every
// form. Throws std::runtime_error naming the line that is neither.
Evidence read_evidence(const std::string& text);

struct Sums {
  std::map<std::string, std::uint64_t> forms;  // by status
  std::uint64_t outputs = 0;
  void add(const EvidenceRow& row);
  void add(const Sums& other);
};

// Whose evidence a row is: rows are spelled with hints, forms without.
class EvidenceIndex {
 public:
  EvidenceIndex(const ir::Program& program, const Evidence& evidence);
  const Evidence& evidence() const { return evidence_; }
  bool empty() const { return evidence_.rows.empty(); }
  Sums of(const ir::Form& form) const;
  Sums of(const ir::Family& family) const;  // each row once
  Sums of_opcode(const std::string& opcode) const;

 private:
  const Evidence& evidence_;
  std::map<std::string, std::set<const EvidenceRow*>> rows_;  // by Form::key()
};

// "exact", or of several statuses "45 of 48 exact"; empty without a row.
std::string status_text(const Evidence& evidence, const Sums& sums);
// The worst status of them; empty without a row.
std::string worst_status(const Evidence& evidence, const Sums& sums);
std::string grouped(std::uint64_t number);  // 1,234,567

}  // namespace semcc::emit
