// What was measured of times (semantics/profiles/sm_90_times) -> a C++ header for what models them:
// latency_header FOLDER TO. A build step.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "emulator/fidelity/packed.h"

namespace {

using wedjat::fidelity::InputError;

constexpr double kParts = 16;  // of a cycle

struct Pipe {
  std::string name;
  double cycles = 0;
  long latency = 0;  // of an instruction alone; 0: not known
};

struct Times {
  long latency = 0;
  double issue = 0;
  std::map<std::string, double> busy;  // by pipeline
};

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& file, std::size_t columns, bool packed) {
  Rows rows;
  std::ifstream plain(file);
  std::istringstream in(packed ? wedjat::fidelity::read_packed(file)
                               : std::string{std::istreambuf_iterator<char>(plain), {}});
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line + "\t.");
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    if (row.size() != columns + 1)
      throw InputError(fmt::format("{}: line {} is no row", file, rows.size() + 1));
    rows.push_back(row);
  }
  if (rows.empty()) throw InputError(fmt::format("{}: there is nothing in it", file));
  rows.erase(rows.begin());
  return rows;
}

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

std::map<std::string, Pipe> pipes_of(const std::string& file) {
  std::map<std::string, Pipe> pipes;
  for (const auto& row : rows_of(file, 4, false))
    pipes[row[0]] = {row[1], number(row[2]), std::lround(number(row[3]))};
  return pipes;
}

// Copies of registers belong to the loop that was measured, not to the form.
bool is_copy(const std::string& name) {
  return name == "MOV" || name == "UMOV" || name.starts_with("IMAD.MOV") || name == "IMAD.U32" ||
         name == "NOP";
}
// Guards that became selects stand behind each result.
bool is_select(const std::string& name) { return name == "SEL" || name == "FSEL"; }

// Machine instructions of one instance, "IADD3*0.516 IMAD.IADD*0.484". Where it is one, its latency is what
// is known of it: what was measured of forms holds copies of halves of registers, selects and ways back.
void add_instructions(Times& times, const std::string& text, bool selects,
                      const std::map<std::string, Pipe>& pipes) {
  constexpr long select = 5;
  double taken_off = 0, latencies = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t star = word.find('*');
    const std::string name = word.substr(0, star);
    const double count = star == word.npos ? 1 : number(word.substr(star + 1));
    if (selects && is_select(name)) taken_off += count;
    if (is_copy(name) || (selects && is_select(name))) continue;
    const auto known = pipes.find(name.substr(0, name.find('.')));
    const Pipe pipe = known == pipes.end() ? Pipe{"alu", 2, 0} : known->second;
    times.issue += count;
    times.busy[pipe.name] += count * pipe.cycles;
    latencies += count * static_cast<double>(pipe.latency);
  }
  if (times.issue > 0 && times.issue < 1.5 && latencies > 0)
    times.latency = std::lround(latencies / times.issue);
  else if (taken_off != 0)
    times.latency = std::max(4L, times.latency - select);
}

// The shortest of its latencies, over which loops most often go; of forms of one name, the first that nothing
// speaks against, or else the slowest.
std::map<std::string, Times> forms_of(const std::string& file, const std::map<std::string, Pipe>& pipes) {
  std::map<std::string, Times> forms;
  std::map<std::string, bool> sure;
  for (const std::vector<std::string>& row : rows_of(file, 10, true)) {
    const std::string& marks = row[8];
    if (row[3].empty() || marks.find("failed") != marks.npos) continue;
    Times times;
    const bool selects =
        marks.find("selects") != marks.npos && !row[1].starts_with("selp") && !row[1].starts_with("slct");
    for (std::size_t at = row[4].find('='); at != std::string::npos; at = row[4].find('=', at + 1))
      times.latency =
          std::min(times.latency == 0 ? LONG_MAX : times.latency, std::lround(number(row[4].substr(at + 1))));
    add_instructions(times, row[3], selects, pipes);
    const long latency = times.latency;
    const bool good = marks.empty();
    const auto found = forms.find(row[1]);
    if (found != forms.end() && (sure[row[1]] ? !good || found->second.latency >= latency
                                              : !good && found->second.latency >= latency))
      continue;
    forms[row[1]] = times, sure[row[1]] = good;
  }
  return forms;
}

double probe(const Rows& rows, const std::string& name, const std::string& shape = "1x1") {
  for (const std::vector<std::string>& row : rows)
    if (row[0] == name && row[1] == shape) return number(row[3]);
  throw InputError(fmt::format("there is no probe \"{}\" {}", name, shape));
}

void write_device(std::ostream& out, const Rows& probes, const Rows& device) {
  for (const auto& [name, of] : std::map<std::string, std::string>{
           {"shared", "chase ld.shared.b32"},
           {"l1", "chase ld.global.b64 ring=32KiB"},
           {"l2", "chase ld.global.b64 ring=4096KiB"},
           {"l2_far", "chase ld.global.b64 ring=32768KiB"},
           {"device", "chase ld.global.b64 ring=131072KiB"},
           {"shared_atomic", "contention atom.shared.add.u32 lanes=1 warps=own"},
           {"l2_atomic", "contention atom.global.add.u32 lanes=1 warps=own"},
           {"taken_branch", "control bra taken by all"},  // and a sum, which hides under it
           {"barrier", "waiting bar.sync 0"}})
    out << fmt::format("inline constexpr std::uint32_t {} = {};  // {}\n", name,
                       std::lround(probe(probes, of)), of);
  // Behind these stands a sum, of floats where the coordinates are; the reads that follow each other are of
  // one warp, words of constants of eight.
  constexpr double sum = 4;
  const std::string constants = "constants ld.const.u32 words={} apart=4 {}",
                    line = "texture tex.1d.v4.f32.s32 linear texels=1 ";
  const auto words = [&](int count, const char* how, const char* shape) {
    return probe(probes, fmt::format(fmt::runtime(constants), count, how), shape);
  };
  for (const auto& [name, cycles] : std::map<std::string, double>{
           {"texture", probe(probes, line + "dependent") - sum},
           {"texture_interval", probe(probes, line + "following")},
           {"filtered_texture",
            probe(probes, "texture tex.2d.v4.f32.f32 filtered of one texels=1 dependent") - sum},
           {"constant", probe(probes, "chase ld.const.u64 + add ring=1KiB") - sum},
           {"constant_far", probe(probes, "chase ld.const.u64 + add ring=32KiB") - sum},
           {"constant_interval", words(1, "following", "1x1")},
           {"constant_word_latency", (words(8, "dependent", "1x1") - words(1, "dependent", "1x1")) / 7},
           {"constant_word_cycles", words(8, "following", "1x8") / 8 / 8}})
    out << fmt::format("inline constexpr std::uint32_t {} = {};\n", name, std::lround(cycles));
  // An update of one line in the L2, and of one word in it, when many warps of an SM ask for them.
  const std::string updates = "contention red.global.add.u32 lanes={} warps=own";
  out << fmt::format("inline constexpr double line_update = {:.2f}, word_update = {:.2f};\n",
                     probe(probes, fmt::format(fmt::runtime(updates), 1), "1x32") / 32,
                     probe(probes, fmt::format(fmt::runtime(updates), 16), "1x32") / 32 / 16);
  // A product of wgmma of a warp group: the shortest, and how long it takes from its end until it is waited
  // for.
  const auto product = [&](int columns, const std::string& how) {
    return probe(probes,
                 fmt::format("wgmma wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16 first=descriptor "
                             "immediates=1,1,0,0 {}",
                             columns, how),
                 "1x4");
  };
  out << fmt::format("inline constexpr std::uint32_t shortest_product = {}, product_wait = {};\n",
                     std::lround(product(8, "following")),
                     std::lround(product(128, "waiting") - product(128, "following")));
  // A product with a sparse matrix, by where that lies, beside a dense one.
  const auto sparse = [&](const std::string& where) {
    return probe(probes,
                 "wgmma wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 first=" + where + " following",
                 "1x4");
  };
  const double dense = product(128, "following");
  out << fmt::format(
      "inline constexpr std::uint32_t sparse_hundredths = {}, sparse_register_hundredths = {};\n",
      std::lround(100 * sparse("descriptor immediates=1,1,0,0") / dense),
      std::lround(100 * sparse("registers immediates=1,1,0") / dense));
  // Bytes that an SM gets in a cycle when all read: 32 warps of 32 lanes, 16 bytes each.
  for (const auto& [name, footprint] :
       std::map<std::string, std::string>{{"l2_bytes", "16MiB"}, {"device_bytes", "256MiB"}})
    out << fmt::format("inline constexpr double {} = {:.2f};\n", name,
                       32 * 512 / probe(probes, "stream ld.global.cg.v4.u32 footprint=" + footprint, "1*32"));
  // And when one reads or writes, or all write.
  out << fmt::format(
      "inline constexpr double port_bytes = {:.2f}, port_written_bytes = {:.2f}, written_bytes = {:.2f};\n",
      32 * 512 / probe(probes, "pattern ld.global.cg.b32 stride=16 independent", "1x32"),
      32 * 128 / probe(probes, "pattern st.global.b32 stride=4", "1x32"),
      32 * 512 / probe(probes, "stream st.global.v4.u32 footprint=16MiB", "1*32"));
  for (const auto& row : device)
    out << fmt::format("inline constexpr std::uint32_t {} = {};  // {}\n", row[0], row[1], row[2]);
}

std::vector<std::string> names_of(const std::map<std::string, Pipe>& pipes) {
  std::vector<std::string> names{"alu"};
  for (const auto& [unused, pipe] : pipes)
    if (std::ranges::find(names, pipe.name) == names.end()) names.push_back(pipe.name);
  return names;
}

void write_forms(std::ostream& out, const std::map<std::string, Times>& forms,
                 const std::vector<std::string>& names) {
  out << fmt::format("inline constexpr unsigned pipes = {};\n", names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == "memory" || names[i] == "tensor")
      out << fmt::format("inline constexpr unsigned {}_pipe = {};\n", names[i], i);
  out << "inline constexpr unsigned usual_pipe = 0;\ninline constexpr const char* pipe_names[] = {";
  for (const std::string& name : names) out << '"' << name << "\", ";
  out << "};\n// Issue slots and cycles of pipelines in sixteenths; by name.\nstruct FormTimes { const char* "
         "form; std::uint32_t latency, issue; "
         "std::uint16_t busy[pipes]; };\ninline constexpr FormTimes forms[] = {\n";
  for (const auto& [form, times] : forms) {
    out << fmt::format("{{\"{}\", {}, {}, {{", form, times.latency, std::lround(times.issue * kParts));
    for (const std::string& name : names) {
      const auto found = times.busy.find(name);
      out << (found == times.busy.end() ? 0 : std::lround(found->second * kParts)) << ',';
    }
    out << "}},\n";
  }
  out << "};\n";
}

// Of operands as machine_code.tsv has them, "d.b32 d.pred s.b32".
unsigned results_of(const std::string& operands) {
  unsigned results = 0;
  std::istringstream words(operands);
  for (std::string word; words >> word;) results += word.starts_with("d.");
  return results;
}

// Machine instructions; cycles from the issue of one to that of what reads its result, by pipelines, 0 where
// no such read was seen; and what becomes of forms.
void write_machine_code(std::ostream& out, const std::string& folder,
                        const std::map<std::string, Pipe>& pipes, const std::vector<std::string>& names) {
  const auto index = [&](const std::string& name) { return std::ranges::find(names, name) - names.begin(); };
  out << "struct MachineInstruction { const char* name; std::uint8_t pipe, cycles, latency; };\n"
         "inline constexpr MachineInstruction machine_instructions[] = {\n";
  for (const auto& [name, pipe] : pipes)
    out << fmt::format("{{\"{}\", {}, {}, {}}},\n", name, index(pipe.name), pipe.cycles, pipe.latency);
  out << "};\n";
  const std::vector<std::string> reads{"register", "predicate", "guard"};
  std::vector<long> cycles(reads.size() * names.size() * names.size());
  for (const auto& row : rows_of(folder + "/latencies.tsv", 6, false)) {
    const std::ptrdiff_t read = std::ranges::find(reads, row[2]) - reads.begin();
    const auto place = static_cast<std::size_t>(read) * names.size() * names.size() +
                       static_cast<std::size_t>(index(row[0])) * names.size() +
                       static_cast<std::size_t>(index(row[1]));
    if (place >= cycles.size()) throw InputError(folder + "/latencies.tsv: an unknown pipeline or read");
    cycles[place] = std::lround(number(row[3]));
  }
  out << "// By what is read (register, predicate, guard), the pipeline that wrote it, the one that reads "
         "it.\n"
         "inline constexpr std::uint8_t latencies[3 * pipes * pipes] = {";
  for (const long one : cycles) out << one << ',';
  out << "};\nstruct MachineCode { const char* form; unsigned results; const char* code; };\n"
         "inline constexpr MachineCode machine_code[] = {\n";
  // Of forms of one name with as many results, the first.
  std::map<std::pair<std::string, unsigned>, std::string> codes;
  for (const auto& row : rows_of(folder + "/machine_code.tsv.zst", 4, true))
    codes.try_emplace({row[1], results_of(row[2])}, row[3]);
  for (const auto& [form, code] : codes)
    out << fmt::format("{{\"{}\", {}, \"{}\"}},\n", form.first, form.second, code);
  out << "};\n";
}

// Where the fast path of a division or root is taken, by the exponents of its operands.
void write_slow_paths(std::ostream& out, const std::string& file) {
  out << "struct Range { int first, last; };\n"
         "struct SlowPath { const char* form; unsigned bits; bool divides; Range operand, divisor, quotient; "
         "unsigned cycles; };\ninline constexpr SlowPath slow_paths[] = {\n";
  for (const auto& row : rows_of(file, 9, false)) {
    const auto range = [&](std::size_t at) {
      return fmt::format("{{{}, {}}}", std::lround(number(row[at])), std::lround(number(row[at + 1])));
    };
    out << fmt::format("{{\"{}\", {}, {}, {}, {}, {}, {}}},\n", row[0], row[1], row[4] != "-", range(2),
                       range(4), range(6), row[8]);
  }
  out << "};\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw InputError("usage: latency_header FOLDER TO");
  const std::string folder = argv[1];
  const std::map<std::string, Pipe> pipes = pipes_of(folder + "/pipes.tsv");
  std::ofstream out(argv[2]);
  out << "// Made of semantics/profiles/sm_90_times.\n#pragma once\n#include <cstdint>\nnamespace "
         "wedjat::h200 {\n";
  write_device(out, rows_of(folder + "/probes.tsv.zst", 6, true), rows_of(folder + "/device.tsv", 3, false));
  const std::vector<std::string> names = names_of(pipes);
  write_forms(out, forms_of(folder + "/forms.tsv.zst", pipes), names);
  write_machine_code(out, folder, pipes, names);
  write_slow_paths(out, folder + "/slow_paths.tsv");
  out << "}  // namespace wedjat::h200\n";
  if (!out.flush()) throw InputError(fmt::format("{}: cannot be written", argv[2]));
} catch (const InputError& error) {
  fmt::print(stderr, "latency_header: {}\n", error.what());
  return 1;
}
