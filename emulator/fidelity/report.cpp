#include "emulator/fidelity/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "emulator/fidelity/refusals.h"

namespace wedjat::fidelity {
namespace {

constexpr std::size_t chunk = 500;  // rows of one module

void count(Counts& counts, Status status) { ++counts[static_cast<std::size_t>(status)]; }

}  // namespace

Status status_of(const std::optional<Evidence>& evidence) {
  if (!evidence) return Status::not_compared;
  if (!evidence->exact) return Status::differs;
  return evidence->bound.empty() ? Status::exact : Status::bounded;
}

Report make_report(unsigned threads) {
  Report report;
  for (const InventoryRow& row : inventory())
    if (row.runs_on_sm_90a) report.forms.push_back({&row, Status::unsupported, 0, {}});

  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t begin; (begin = next.fetch_add(chunk)) < report.forms.size();) {
      const std::size_t end = std::min(begin + chunk, report.forms.size());
      std::vector<Snippet> rows;
      for (std::size_t i = begin; i < end; ++i)
        rows.push_back({report.forms[i].row->text, report.forms[i].row->declarations});
      std::vector<Answer> answers = refusals(rows, "9.0", "sm_90a");
      for (std::size_t i = begin; i < end; ++i) report.forms[i].note = std::move(answers[i - begin].refusal);
    }
  };
  std::vector<std::thread> workers(threads != 0 ? threads
                                                : std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread& worker : workers) worker = std::thread(work);
  for (std::thread& worker : workers) worker.join();

  for (FormReport& form : report.forms) {
    if (!form.note.empty()) continue;
    const std::optional<Evidence> evidence = evidence_for(*form.row);
    form.status = status_of(evidence);
    if (form.status != Status::exact && form.status != Status::bounded) continue;
    form.outputs = evidence->outputs;
    form.note = evidence->bound;
    if (form.status == Status::exact) report.outputs += evidence->outputs;
    report.device = evidence->device;
  }
  return report;
}

Counts Report::counts() const {
  Counts all{};
  for (const FormReport& form : forms) count(all, form.status);
  return all;
}

std::map<std::string_view, Counts> Report::by_class() const {
  std::map<std::string_view, Counts> classes;
  for (const FormReport& form : forms) count(classes[form.row->family], form.status);
  return classes;
}

Counts Report::mnemonics() const {
  std::map<std::string_view, Status> least;
  for (const FormReport& form : forms) {
    const auto [at, fresh] = least.emplace(form.row->mnemonic, form.status);
    if (!fresh) at->second = std::max(at->second, form.status);
  }
  Counts all{};
  for (const auto& [mnemonic, status] : least) count(all, status);
  return all;
}

std::string table_text(const Report& report) {
  std::string out = report.device;
  for (const char* name : status_names) out.append("\t").append(name);
  out += "\n";
  for (const FormReport& form : report.forms)
    out += fmt::format("{}\t{}\t{}\t{}\t{}\n", status_names[static_cast<std::size_t>(form.status)],
                       form.outputs, form.row->family, form.row->mnemonic, form.row->operands);
  return out;
}

std::string readme_line(const Report& report) {
  const Counts counts = report.counts();
  const auto of = [&](Status status) { return counts[static_cast<std::size_t>(status)]; };
  return fmt::format(
      "Fidelity on sm_90a: {} of {} instruction forms exact ({} outputs of an H200 compared bit for bit), {} "
      "bounded, {} run but not compared, {} known to differ, {} unsupported.",
      of(Status::exact), report.forms.size(), report.outputs, of(Status::bounded), of(Status::not_compared),
      of(Status::differs), of(Status::unsupported));
}

}  // namespace wedjat::fidelity
