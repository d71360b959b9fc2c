// What forms take in time on hardware, for the manual: semantics/profiles/sm_90_times/forms.tsv.zst,
// unpacked.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "semcc/emit/manual/probes.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

struct TimesRow {
  std::string mnemonic, operands;
  std::string instructions;            // of the machine
  std::string latency;                 // "s0>d0=4 s1>d0=4"
  std::string way, interval;           // "4"
  std::string per_cycle;               // "1=0.5 8=2"
  std::string mark;                    // "joined selects"
  std::string most_per_cycle() const;  // of the most warps
  bool same_times(const TimesRow& other) const;
};

// Throws std::runtime_error naming the line that is no row.
std::vector<TimesRow> read_times(const std::string& text);

class Times {
 public:
  Times(const ir::Program& program, std::vector<TimesRow> rows, std::vector<Probe> probes = {});
  Times(const Times&) = delete;  // rows are pointed at
  Times& operator=(const Times&) = delete;
  bool empty() const { return rows_.empty(); }
  const std::vector<TimesRow>& rows() const { return rows_; }
  const std::vector<Probe>& probes() const { return probes_.all(); }
  std::string times_html(const ir::Family& family) const;  // empty without a row

 private:
  std::vector<TimesRow> rows_;
  std::map<std::string, std::vector<const TimesRow*>> of_key_;
  Probes probes_;
};

std::string times_page();   // a table to sort and search, of what times_js says
std::string method_page();  // how they were measured and how good they are
std::string times_js(const Times& times, const std::map<std::string, std::string>& page_of_opcode);

}  // namespace semcc::emit
