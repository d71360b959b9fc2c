// wedjat fidelity
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/fidelity/report.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

using fidelity::Counts;
using fidelity::FormReport;
using fidelity::Report;

struct FidelityOptions {
  bool json = false, forms = false, line = false;
  unsigned threads = 0;
  std::string only, table;
};

std::uint64_t sum(const Counts& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  return all;
}

std::string key_of(std::size_t status) {
  std::string key = fidelity::status_names[status];
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

nlohmann::json to_json(const Counts& counts) {
  nlohmann::json out = {{"forms", sum(counts)}};
  for (std::size_t i = 0; i < counts.size(); ++i) out[key_of(i)] = counts[i];
  return out;
}

nlohmann::json to_json(const FormReport& form) {
  nlohmann::json out = {{"id", form.row->id},
                        {"class", form.row->family},
                        {"form", form.row->mnemonic},
                        {"operands", form.row->operands},
                        {"status", key_of(static_cast<std::size_t>(form.status))}};
  if (form.outputs != 0) out["outputs"] = form.outputs;
  if (!form.note.empty()) out["note"] = form.note;
  return out;
}

void print_counts(std::string_view name, const Counts& counts) {
  fmt::print("{:<30} {:>8}", name, grouped(sum(counts)));
  for (const std::uint64_t count : counts) fmt::print(" {:>12}", grouped(count));
  fmt::print("\n");
}

void print_table(const Report& report) {
  fmt::print(
      "PTX ISA 9.0 on sm_90a: every form that ptxas 13.0 accepts\nhardware: {}; {} outputs "
      "compared\n\n{:<30} {:>8}",
      report.device, grouped(report.outputs), "class", "forms");
  for (const char* name : fidelity::status_names) fmt::print(" {:>12}", name);
  fmt::print("\n");
  for (const auto& [name, counts] : report.by_class()) print_counts(name, counts);
  print_counts("all forms", report.counts());
  print_counts("all mnemonics", report.mnemonics());
}

void print_form(const FormReport& form) {
  fmt::print("{:<12} {:>8}  {} {}{}{}\n", fidelity::status_names[static_cast<std::size_t>(form.status)],
             form.outputs != 0 ? grouped(form.outputs) : "", form.row->mnemonic, form.row->operands,
             form.note.empty() ? "" : ": ", form.note.substr(0, form.note.find('\n')));
}

// A build makes the manual with it, and need not when nothing changed.
void write_if_other(const std::string& file, const std::string& text) {
  std::error_code unknown;
  if (std::filesystem::is_regular_file(file, unknown) && traces::read_file(file) == text) return;
  traces::write_file(file, text);
}

void run(const FidelityOptions& options) {
  const auto is_meant = [&](const fidelity::InventoryRow& row) {
    return row.mnemonic.find(options.only) != std::string_view::npos;
  };
  if (std::ranges::none_of(fidelity::inventory(), is_meant))
    throw std::invalid_argument(fmt::format("--only: no mnemonic contains '{}'", options.only));
  Report report = fidelity::make_report(options.threads);
  std::erase_if(report.forms, [&](const FormReport& form) { return !is_meant(*form.row); });
  if (!options.table.empty()) write_if_other(options.table, fidelity::table_text(report));
  if (options.line) {
    fmt::print("{}\n", fidelity::readme_line(report));
    return;
  }
  if (!options.json) {
    if (options.forms)
      for (const FormReport& form : report.forms) print_form(form);
    else
      print_table(report);
    return;
  }
  nlohmann::json out = to_json(report.counts());
  out["device"] = report.device;
  out["outputs"] = report.outputs;
  out["mnemonics"] = to_json(report.mnemonics());
  for (const auto& [name, counts] : report.by_class()) out["classes"][std::string(name)] = to_json(counts);
  if (options.forms)
    for (const FormReport& form : report.forms) out["rows"].push_back(to_json(form));
  print_json(out);
}

}  // namespace

void add_fidelity_command(CLI::App& app) {
  auto options = std::make_shared<FidelityOptions>();
  CLI::App* command = app.add_subcommand(
      "fidelity", "How true each instruction form of sm_90a is: exact, bounded, not compared, unsupported");
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_flag("--forms", options->forms, "list every form, not only the sums of each class");
  command->add_option("--only", options->only, "only mnemonics that contain this");
  command->add_flag("--line", options->line, "print the line that README.md carries")
      ->excludes("--only")
      ->excludes("--forms")
      ->excludes("--json");
  command->add_option("--table", options->table, "also write every form to this file, tab-separated")
      ->type_name("FILE");
  command->add_option("--threads", options->threads, "host threads (default: all cores)")
      ->check(thread_counts);
  command->callback([options] { run(*options); });
}

}  // namespace wedjat::cli
