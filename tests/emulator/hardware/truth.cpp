// truth: makes and reads the hardware's answers to single instructions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>

#include "emulator/fidelity/truth_file.h"
#include "tests/emulator/hardware/cases/matrix_case.h"
#include "tests/emulator/hardware/cases/row_case.h"
#include "tests/emulator/hardware/cases/texel_case.h"
#include "tests/emulator/hardware/devices/cuda_driver.h"
#include "tests/emulator/hardware/devices/runner.h"
#include "tests/emulator/hardware/forms/kernel.h"
#include "tests/emulator/hardware/forms/random.h"
#include "tests/emulator/hardware/forms/rounds.h"

namespace wedjat::hardware_truth {
namespace {

using namespace fidelity;

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}

// What a list holds, and how much of an answer is kept.
struct Kind {
  bool matrix = false;  // of matrix instructions: only hashes are kept …
  bool rows = false;    // the rows of the inventory (row_shape.h): the same
  bool texels = false;  // the rows of textures and surfaces (texel_row.h): the same
  bool whole = false;   // … unless the answers are asked for
};

auto case_of(const Kind& kind) { return kind.texels ? make_texel_case : make_row_case; }

std::vector<Case> named_rows(const std::string& file, const Kind& kind) {
  std::map<std::string, const InventoryRow*> rows;
  for (const InventoryRow* row : kind.texels ? texel_rows() : shown_rows()) rows[shape_of(*row).name] = row;
  std::vector<Case> cases;
  std::ifstream names(file);
  for (std::string name; std::getline(names, name);) {
    const auto row = rows.find(name);
    if (row == rows.end()) throw InputError(fmt::format("{}: \"{}\" is no row that is shown", file, name));
    cases.push_back(case_of(kind)(*row->second, fmt::format("form_{}", cases.size())));
  }
  return cases;
}

// A list of rows is "all", or ranges "FIRST-END,…" among those that are shown, or a file of their names.
std::vector<Case> row_cases(std::string list, const Kind& kind) {
  if (std::filesystem::exists(list)) return named_rows(list, kind);
  const auto rows = kind.texels ? texel_rows() : shown_rows();
  if (list == "all") list = fmt::format("0-{}", rows.size());
  std::vector<Case> cases;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    std::size_t first = 0, end = 0;
    if (std::sscanf(range.c_str(), "%zu-%zu", &first, &end) != 2)
      throw InputError("\"" + range + "\" is no range of rows");
    for (std::size_t i = first; i < std::min(end, rows.size()); ++i)
      cases.push_back(case_of(kind)(*rows[i], fmt::format("form_{}", cases.size())));
  }
  return cases;
}

std::vector<Case> cases_of(const std::string& list, const Kind& kind) {
  if (kind.rows || kind.texels) return row_cases(list, kind);
  if (!kind.matrix) return make_cases(read_forms(list));
  std::vector<Case> cases;
  for (const std::string& form : read_matrix_forms(list))
    cases.push_back(make_matrix_case(form, fmt::format("form_{}", cases.size())));
  return cases;
}

int run(const std::string& list, const std::string& output, const RunOptions& options, const Kind& kind) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Case> cases = cases_of(list, kind);
  Machine machine;
  const auto progress = [&](std::size_t done) {
    if (done % 500 == 0 || done == cases.size()) fmt::print(stderr, "{} of {} forms\n", done, cases.size());
  };
  std::vector<Outcome> outcomes = run_cases(cases, options, machine, progress);

  Truth truth{machine.device, machine.driver, today(), {}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (outcomes[i].error.empty()) {
      if (kind.matrix && !kind.whole) outcomes[i].output = warp_hashes(cases[i], outcomes[i].output);
      if (kind.rows && !kind.whole) outcomes[i].output = record_hashes(outcomes[i].output);
      if (kind.texels && !kind.whole) outcomes[i].output = texel_hashes(cases[i], outcomes[i].output);
      if (input_rounds.count > 0 && !kind.whole) outcomes[i].output = round_hashes(outcomes[i].output);
      truth.records.push_back({cases[i].form, cases[i].input_hash(), std::move(outcomes[i].output)});
    } else {
      fmt::print(stderr, "skipped: {}: {}\n", cases[i].form, outcomes[i].error);
    }
  }
  write_truth(truth, output);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{}, driver {}: {} of {} forms in {:.1f} s, {} bytes in {}\n", truth.device, truth.driver,
             truth.records.size(), cases.size(), seconds.count(), std::filesystem::file_size(output), output);
  return truth.records.size() == cases.size() ? 0 : 3;
}

int list_forms(const std::string& list, const Kind& kind) {
  if (kind.rows || kind.texels)
    for (const Case& one : row_cases(list, kind)) fmt::print("{}\n", one.form);
  else
    for (const Form& form : read_forms(list)) fmt::print("{}\n", form.text);
  return 0;
}

int write_modules(const std::string& list, const std::string& directory, std::size_t module_size,
                  const Kind& kind) {
  const std::vector<Case> cases = cases_of(list, kind);
  std::filesystem::create_directories(directory);
  const std::span<const Case> all(cases);
  for (std::size_t begin = 0, count = 0; begin < all.size(); begin += count) {
    count = one_module(all.subspan(begin), module_size);
    const std::string file = fmt::format("{}/forms_{:05}.ptx", directory, begin);
    std::ofstream out(file);
    out << module_text(all.subspan(begin, count));
    if (!out.flush()) throw InputError(fmt::format("{}: cannot be written", file));
  }
  return 0;
}

// Parts made by several processes, or again, as one file.
int join(const std::vector<std::string>& files, const std::vector<std::string>& without,
         const std::string& output) {
  std::vector<Truth> parts;
  for (const std::string& file : files) parts.push_back(read_truth(file));
  write_truth(join_truth(std::move(parts), {without.begin(), without.end()}), output);
  return 0;
}

// Two files: every form whose outputs differ between them, or that only one of them has.
int compare(const std::string& expected_file, const std::string& got_file, const Kind& kind) {
  const bool hashed = kind.matrix || kind.rows || kind.texels;
  const Truth expected = read_truth(expected_file), got = read_truth(got_file);
  std::map<std::string, const Record*> by_form;
  for (const Record& record : got.records) by_form[record.form] = &record;
  std::size_t different = 0;
  for (const Record& record : expected.records) {
    const auto found = by_form.find(record.form);
    std::string what;
    if (found == by_form.end()) {
      what = record.form + ": missing in the second file";
    } else if (found->second->input_hash != record.input_hash) {
      what = record.form + ": made with other inputs";
    } else if (hashed && record.output != found->second->output) {
      what = record.form + ": other answers";
    } else if (!hashed) {
      what = describe_difference(make_case(parse_form(record.form), "form"), record.output,
                                 found->second->output);
    }
    if (found != by_form.end()) by_form.erase(found);
    if (what.empty()) continue;
    ++different;
    fmt::print("{}\n", what);
  }
  for (const auto& [form, record] : by_form) fmt::print("{}: missing in the first file\n", form);
  different += by_form.size();
  fmt::print("{} of {} forms differ\n", different, expected.records.size());
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wedjat::hardware_truth

int main(int argc, char** argv) {
  using namespace wedjat::hardware_truth;
  CLI::App app{"What the hardware answers to single instructions"};
  app.require_subcommand(1);
  std::string list, output, second;
  RunOptions options;
  Kind kind;

  CLI::App* run_command =
      app.add_subcommand("run", "execute every form on the GPU; exit code 3 if some had to be skipped");
  run_command->add_option("forms", list, "list of forms")->required();
  run_command->add_option("-o,--output", output, "truth file to write")->required();
  run_command->add_option("--library", options.library, "the CUDA driver library")->capture_default_str();
  run_command->add_option(
      "--ptxas", options.ptxas,
      "assemble with this, not with the driver's compiler (which does not end on some rows)");
  run_command->add_option("--level", options.level, "with --ptxas: of its optimisation")
      ->capture_default_str()
      ->check(CLI::Range(0, 3));
  run_command->add_option("--keep", options.kept, "folder for what ptxas made, to run it with other seeds");
  run_command->add_option("--module-size", options.module_size, "kernels compiled together")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  run_command->add_flag("--matrix", kind.matrix, "a list of matrix instructions: keep a hash for each warp");
  run_command->add_flag("--rows", kind.rows,
                        "rows of the inventory (all, FIRST-END or a file of names): the same");
  run_command->add_flag("--texels", kind.texels, "rows of textures and surfaces: the same");
  run_command->add_flag("--whole", kind.whole, "with --matrix, --rows or --texels: keep the whole answers");

  CLI::App* list_command = app.add_subcommand("list", "print every form of a list, alternatives expanded");
  list_command->add_option("forms", list, "list of forms")->required();
  list_command->add_flag("--rows", kind.rows, "rows of the inventory: all, FIRST-END or a file of names");

  CLI::App* ptx_command = app.add_subcommand("ptx", "write the kernels as PTX modules");
  ptx_command->add_option("forms", list, "list of forms")->required();
  ptx_command->add_option("-o,--output", output, "folder to write to")->required();
  ptx_command->add_option("--module-size", options.module_size, "kernels in one module")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  ptx_command->add_flag("--matrix", kind.matrix, "a list of matrix instructions");
  ptx_command->add_flag("--rows", kind.rows, "rows of the inventory: all, FIRST-END or a file of names");
  ptx_command->add_flag("--texels", kind.texels, "rows of textures and surfaces: the same");

  CLI::App* compare_command =
      app.add_subcommand("compare", "compare two truth files; exit code 0 only if they agree");
  compare_command->add_option("expected", output, "truth file")->required();
  compare_command->add_option("got", second, "truth file")->required();
  compare_command->add_flag("--matrix", kind.matrix, "of matrix instructions");
  compare_command->add_flag("--rows", kind.rows, "of rows of the inventory");
  compare_command->add_flag("--texels", kind.texels, "of rows of textures and surfaces");

  for (CLI::App* command : {run_command, ptx_command}) {
    command->add_option("--rounds", input_rounds.count,
                        "of forms: each over so many values a lane; keep a hash for each warp of their sums");
    command->add_flag("--guarded", input_rounds.guarded,
                      "with --rounds: under a guard, into the first source");
    command->add_flag("--same", input_rounds.same, "all sources of the first one's type are the first one");
  }
  for (CLI::App* command : {run_command, ptx_command, compare_command})
    command->add_option("--seed", input_seed, "choose other inputs; the committed truth has 0")
        ->capture_default_str();

  std::vector<std::string> parts, without;
  CLI::App* join_command =
      app.add_subcommand("join", "several truth files as one; of a form that more than one has, the last");
  join_command->add_option("parts", parts, "truth files")->required();
  join_command->add_option("--without", without, "leave out the form of this name; may be given again")
      ->allow_extra_args(false);
  join_command->add_option("-o,--output", output, "truth file to write")->required();

  CLI11_PARSE(app, argc, argv);
  try {
    if (*run_command) return run(list, output, options, kind);
    if (*list_command) return list_forms(list, kind);
    if (*join_command) return join(parts, without, output);
    if (*ptx_command) return write_modules(list, output, options.module_size, kind);
    return compare(output, second, kind);
  } catch (const std::exception& error) {
    fmt::print(stderr, "truth: {}\n", error.what());
    return 2;
  }
}
