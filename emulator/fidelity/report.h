// How true each form of the inventory that runs on sm_90a is here: `wedjat fidelity`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/fidelity/evidence.h"
#include "emulator/fidelity/inventory.h"

namespace wedjat::fidelity {

// From the best to the worst.
enum class Status : std::uint8_t {
  exact,         // every result compared with a GPU's is the same, bit for bit
  bounded,       // what only the machine knows (clocks, places): a stated relation holds here as on a GPU
  not_compared,  // runs, but the committed truth has no result of it to compare with
  differs,       // runs, and some result is known not to be the GPU's
  unsupported,   // refused
};
inline constexpr std::array<const char*, 5> status_names = {"exact", "bounded", "not compared", "differs",
                                                            "unsupported"};

// Of a form that runs.
Status status_of(const std::optional<Evidence>& evidence);

struct FormReport {
  const InventoryRow* row = nullptr;
  Status status = Status::unsupported;
  std::uint64_t outputs = 0;  // of lanes, compared with the hardware's
  std::string note;           // not_compared: empty; bounded: bound and source; unsupported: why
};

using Counts = std::array<std::uint64_t, 5>;  // by Status

struct Report {
  std::vector<FormReport> forms;  // that run on sm_90a, by id
  std::uint64_t outputs = 0;
  std::string device;

  Counts counts() const;
  std::map<std::string_view, Counts> by_class() const;
  // Of mnemonics: one counts as the least of its forms.
  Counts mnemonics() const;
};

// Lowers every form with the emulator this is linked to; seconds of work. `threads` 0: all cores.
Report make_report(unsigned threads = 0);

// A line of the device and the statuses, then one for each form: status, outputs, class, mnemonic, operands.
// Tab-separated; the manual is made with it (semcc/emit/manual/evidence.h).
std::string table_text(const Report& report);

// The sums in one line, for README.md.
std::string readme_line(const Report& report);

}  // namespace wedjat::fidelity
