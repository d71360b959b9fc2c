// What hardware said about instruction forms, for the manual: the table that `wedjat fidelity --table`
// writes.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

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
  std::map<std::string, std::vector<const EvidenceRow*>> by_mnemonic;  // into rows
};

// A line `device<tab>STATUS<tab>…`, then `STATUS<tab>OUTPUTS<tab>GROUP<tab>MNEMONIC<tab>OPERANDS` for every
// form. Throws std::runtime_error naming the line that is neither.
Evidence read_evidence(const std::string& text);

// fidelity.html: sums by group and by opcode. `has_page` names opcodes that have one.
std::string evidence_page(const Evidence& evidence, const std::map<std::string, std::string>& page_of_opcode);

// A section for the page of an opcode; empty without evidence.
std::string evidence_section(const Evidence& evidence, const std::string& opcode);

// "exact, 2,048 outputs" of all rows with this mnemonic, the worst status of them; empty: no row.
std::string evidence_of(const Evidence& evidence, const std::string& mnemonic);

}  // namespace semcc::emit
