// What forms take in time on hardware, for the manual: semantics/profiles/sm_90_times/forms.tsv.zst,
// unpacked, and beside it the same of one other device.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "semcc/emit/manual/probes.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

struct TimesRow {
  std::string form;  // its number in the inventory
  std::string mnemonic, operands;
  std::string instructions;            // of the machine
  std::string latency;                 // "s0>d0=4 s1>d0=4"
  std::string way, interval;           // "4"
  std::string per_cycle;               // "1=0.5 8=2"
  std::string mark;                    // "joined selects"
  std::string device;                  // "H200": it was measured on
  std::string most_per_cycle() const;  // of the most warps
  bool same_times(const TimesRow& other) const;
};

// Throws std::runtime_error naming the line that is no row.
std::vector<TimesRow> read_times(const std::string& text);

// Tables of a device, where rows may be of another one, and of that other one alone.
struct TimesTables {
  std::vector<TimesRow> rows, beside;
  std::vector<Probe> probes, probes_beside;
};

class Times {
 public:
  Times(const ir::Program& program, TimesTables tables);
  Times(const Times&) = delete;  // rows are pointed at
  Times& operator=(const Times&) = delete;
  bool empty() const { return rows_.empty(); }
  const std::vector<TimesRow>& rows() const { return rows_; }
  const std::string& other_device() const { return other_device_; }
  const TimesRow* beside(const TimesRow& row) const;  // on the other device; may be null
  const std::vector<Probe>& probes() const { return probes_.all(); }
  std::string times_html(const ir::Family& family) const;  // empty without a row

 private:
  std::string beside_text(const TimesRow& row) const;  // what the other device has otherwise

  std::vector<TimesRow> rows_;
  std::map<std::string, TimesRow> beside_;  // by the number of the form
  std::string other_device_;
  std::map<std::string, std::vector<const TimesRow*>> of_key_;
  Probes probes_;
};

// What the other device has otherwise, in words: "the same", "a>d0=31 interval=12 32=0.24 (joined)".
std::string differing(const TimesRow& row, const TimesRow& other);

std::string times_page(const Times& times);  // a table to sort and search, of what times_js says
std::string method_page();                   // how they were measured and how good they are
std::string times_js(const Times& times, const std::map<std::string, std::string>& page_of_opcode);

}  // namespace semcc::emit
