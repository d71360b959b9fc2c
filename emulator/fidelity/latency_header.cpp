// What was measured of times (semantics/profiles/sm_90_times) -> a C++ header for what models them:
// latency_header FORMS PROBES TO. A build step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "emulator/fidelity/packed.h"

namespace {

using wedjat::fidelity::InputError;

struct Times {
  long latency = 0, interval = 1;
};

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& file, std::size_t columns) {
  Rows rows;
  std::istringstream in(wedjat::fidelity::read_packed(file));
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line + "\t.");
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    if (row.size() != columns + 1)
      throw InputError(fmt::format("{}: line {} is no row", file, rows.size() + 1));
    rows.push_back(row);
  }
  return rows;
}

long rounded(const std::string& number) { return std::lround(std::strtod(number.c_str(), nullptr)); }

// Whether what was measured is not the form: by the marks of its row. Numbers of a folded kernel are not in
// it.
bool is_of_another(const std::string& marks) {
  for (const char* mark : {"joined", "uncounted", "failed"})
    if (marks.find(mark) != std::string::npos) return true;
  return false;
}

// The longest of its latencies; of forms of one name, that of the slowest; none where nothing is read of it,
// as of a store. Doubtful ones are left out.
std::map<std::string, Times> forms_of(const std::string& file) {
  std::map<std::string, Times> forms;
  for (const std::vector<std::string>& row : rows_of(file, 9)) {
    if (row[0] == "form" || (row[4].empty() && row[6].empty()) || is_of_another(row[8])) continue;
    Times& times = forms[row[1]];
    for (std::size_t at = row[4].find('='); at != std::string::npos; at = row[4].find('=', at + 1))
      times.latency = std::max(times.latency, rounded(row[4].substr(at + 1)));
    if (!row[6].empty()) times.interval = std::max(times.interval, rounded(row[6]));
  }
  return forms;
}

long probe(const Rows& rows, const std::string& name) {
  for (const std::vector<std::string>& row : rows)
    if (row[0] == name && row[1] == "1x1") return rounded(row[3]);
  throw InputError(fmt::format("there is no probe \"{}\"", name));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw InputError("usage: latency_header FORMS PROBES TO");
  const Rows probes = rows_of(argv[2], 5);
  std::ofstream out(argv[3]);
  out << "// Made of semantics/profiles/sm_90_times.\n#pragma once\n#include <cstdint>\n"
         "namespace wedjat::h200 {\nstruct FormTimes { const char* form; std::uint32_t latency, interval; "
         "};\n";
  for (const auto& [name, of] :
       std::map<std::string, std::string>{{"shared", "chase ld.shared.b32"},
                                          {"l2", "chase ld.global.b64 ring=4096KiB"},
                                          {"constant", "chase ld.const.u64 + add ring=1KiB"},
                                          {"barrier", "waiting bar.sync 0"}})
    out << fmt::format("inline constexpr std::uint32_t {} = {};  // {}\n", name, probe(probes, of), of);
  out << "// By name.\ninline constexpr FormTimes forms[] = {\n";
  for (const auto& [form, times] : forms_of(argv[1]))
    out << fmt::format("{{\"{}\", {}, {}}},\n", form, times.latency, times.interval);
  out << "};\n}  // namespace wedjat::h200\n";
  if (!out.flush()) throw InputError(fmt::format("{}: cannot be written", argv[3]));
} catch (const InputError& error) {
  fmt::print(stderr, "latency_header: {}\n", error.what());
  return 1;
}
