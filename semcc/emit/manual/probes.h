// What probes say of time on hardware, for the manual: semantics/profiles/sm_90_times/probes.tsv.zst,
// unpacked, and beside it the same of one other device. A probe is a form in a scene: memory of a level, a
// pattern of addresses, other warps.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "semcc/emit/manual/spellings.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

struct Probe {
  std::string form, scene;  // "ld.global.b64", "chase ring=8KiB"
  std::string cycles;       // "1x1=34 1x8=40": by warps, the median
  std::string device;       // "H200": it was measured on
  std::string beside = {};  // the same of the other device
};

// Rows of one probe become one. Throws std::runtime_error naming the line that is no row.
std::vector<Probe> read_probes(const std::string& text);

class Probes {
 public:
  Probes(const ir::Program& program, const Spellings& spellings, std::vector<Probe> probes,
         const std::vector<Probe>& beside);
  Probes(const Probes&) = delete;  // rows are pointed at
  Probes& operator=(const Probes&) = delete;
  const std::vector<Probe>& all() const { return probes_; }
  std::string probes_html(const ir::Family& family) const;  // empty without a probe

 private:
  std::vector<Probe> probes_;
  std::string other_device_;
  // A probe whose form is not spelled in full belongs to the form of its opcode that begins most like it.
  std::map<std::string, std::vector<const Probe*>> of_key_;
};

}  // namespace semcc::emit
