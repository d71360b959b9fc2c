#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "semcc/cli/commands.h"
#include "semcc/cli/files.h"
#include "semcc/cli/program.h"
#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/lanes.h"
#include "semcc/emit/forms/forms.h"
#include "semcc/emit/machine/limits.h"
#include "semcc/emit/machine/registers.h"
#include "semcc/emit/manual/manual.h"
#include "semcc/emit/smt/smt.h"
#include "semcc/emit/tests.h"

namespace semcc::cli {
namespace {

// What `read` makes of a file's text; of none what it makes by default.
template <class Read>
auto table_in(const std::string& file, Read read) -> decltype(read({})) {
  if (file.empty()) return {};
  std::ifstream in(file);
  if (!in) throw FileError(file + ": cannot be read");
  try {
    return read(std::string{std::istreambuf_iterator<char>(in), {}});
  } catch (const std::runtime_error& error) {
    throw FileError(fmt::format("{}: {}", file, error.what()));
  }
}

// `executors`: made already where `kind` asks for them.
std::map<std::string, std::string> generate(const std::string& kind, const Emit& request,
                                            const ir::Program& program, const emit::Executors& executors) {
  if (kind == "executors") return executors.files;
  if (kind == "forms") return emit::emit_forms(program, executors);
  if (kind == "lanes") return emit::emit_lanes(program);
  if (kind == "registers") return emit::emit_registers(program);
  if (kind == "limits") return emit::emit_limits(program);
  if (kind == "smt") return emit::emit_smt(program);
  if (kind == "tests") return emit::emit_tests(program);
  const emit::Kernels kernels = example_kernels(program.files);
  try {
    return emit::emit_manual(program, kernels, table_in(request.evidence, emit::read_evidence),
                             {.rows = table_in(request.times, emit::read_times),
                              .beside = table_in(request.times_beside, emit::read_times),
                              .probes = table_in(request.probes, emit::read_probes),
                              .probes_beside = table_in(request.probes_beside, emit::read_probes)});
  } catch (const std::runtime_error& error) {
    throw FileError(error.what());
  }
}

// All kinds asked for, by path below the output folder.
std::map<std::string, std::string> generate(const Emit& request, const ir::Program& program) {
  const auto asked = [&](const char* kind) {
    return std::find(request.kinds.begin(), request.kinds.end(), kind) != request.kinds.end();
  };
  emit::Executors executors;  // they take long, and the table of forms names them
  if (asked("executors") || asked("forms")) executors = emit::emit_executors(program);
  std::map<std::string, std::string> files;
  for (const std::string& kind : request.kinds) {
    const std::string folder = request.kinds.size() == 1 ? "" : kind + "/";
    for (auto& [name, text] : generate(kind, request, program, executors))
      files[folder + name] = std::move(text);
  }
  return files;
}

}  // namespace

int emit(const Emit& request) {
  const std::optional<ir::Program> program = load_program(request.paths);
  if (!program) return exit_status::diagnostics;
  std::map<std::string, std::string> files;
  try {
    files = generate(request, *program);
  } catch (const emit::Error& error) {
    fmt::print(stderr, "{}: error: {}\n", place(*program, error.at), error.what());
    return exit_status::diagnostics;
  }
  write_files(request.output, files);
  if (!request.depfile.empty()) {
    std::vector<std::string> outputs;
    outputs.reserve(files.size());
    for (const auto& [name, text] : files) outputs.push_back(request.output + "/" + name);
    write_depfile(request.depfile, outputs, program->files);
  }
  return exit_status::ok;
}

}  // namespace semcc::cli
