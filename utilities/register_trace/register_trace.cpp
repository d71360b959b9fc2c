// Every value that instructions write to registers, to a compressed file.
#include <map>
#include <memory>
#include <wedjat/tool.hpp>

#include "format.hpp"

using namespace wedjat;

struct RegisterTrace : Tool {
  struct Known {
    std::uint64_t number = 0;
    register_trace::Kernel sites;
    std::vector<std::size_t> site;                       // by instruction
    std::vector<std::vector<std::uint32_t>> first_rows;  // by site, row: its index in wedjat_event.rows
  };
  std::unique_ptr<register_trace::Writer> out;
  std::map<std::uint32_t, Known> kernels;
  const Known* running = nullptr;
  std::uint64_t steps = 0, rows = 0;

  RegisterTrace() {
    const std::string file = option("file");
    if (file.empty()) {
      refuse("it needs file=…: where the trace goes");
      return;
    }
    out = std::make_unique<register_trace::Writer>(file);
    if (!out->good()) refuse(file + " cannot be written");
  }
  void kernel(const wedjat_kernel& k) override {
    Known& known = kernels[k.id];
    known = {kernels.size() - 1, {k.name, {}}, std::vector<std::size_t>(k.instruction_count), {}};
    for (const auto& i : instructions(k)) {
      register_trace::Site site{i.id, i.ptx_line, i.text, {}};
      std::vector<std::uint32_t> first_rows;
      for (const auto& o : operands(i))
        for (std::uint32_t e = 0; o.out && o.kind != WEDJAT_ADDRESS && e < o.count; ++e) {
          if (o.registers[e] == WEDJAT_NO_REGISTER) continue;  // `_`, or left out
          site.rows.push_back({o.text, e, o.value == WEDJAT_PRED ? 1u : o.bits < 8 ? 8u : o.bits});
          first_rows.push_back(o.first + e);
        }
      if (site.rows.empty() || !(i.what & WEDJAT_HAS_ROWS) || !after<&RegisterTrace::on_step>(i, WEDJAT_ROWS))
        continue;
      known.site[i.id] = known.sites.sites.size();
      known.sites.sites.push_back(std::move(site));
      known.first_rows.push_back(std::move(first_rows));
    }
    out->add(known.number, known.sites);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    const auto known = kernels.find(launch.kernel->id);
    if (known == kernels.end()) return false;
    running = &known->second;
    out->begin(launch.index, running->number);
    return true;
  }
  void on_step(const Event& event) {
    const std::size_t site = running->site[event.instruction->id];
    const auto& kinds = running->sites.sites[site].rows;
    out->begin_step({event.cta, event.warp, event.executed, site});
    for (std::size_t r = 0; r < kinds.size(); ++r)
      out->add(kinds[r], event.rows[running->first_rows[site][r]]);
    ++steps;
    rows += kinds.size();
  }
  void finish() override {
    if (!out->finish()) refuse(option("file") + " could not be written whole");
    table("register trace", "file steps rows").row(option("file"), steps, rows);
  }
};
WEDJAT_TOOL(RegisterTrace, "register_trace", "every value written to a register, to a compressed file",
            "file=where it goes")
