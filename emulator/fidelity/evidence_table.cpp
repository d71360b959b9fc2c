// Truth files -> the table that evidence.h reads. A build step: hardware_check holds the emulator to the same
// files.
//
//   evidence_table OUTPUT (lanes|warps|mnemonics|rounds:N) TRUTH OPEN|- BOUNDED|- ...
//
// `lanes`: a record is a form and holds the results of 1024 lanes. `warps`: it is a form and holds a hash for
// each warp. `mnemonics`: so too, but of a mnemonic and words for a variant. `rounds:N`: as warps, of N
// results of each lane. OPEN lists forms that differ, BOUNDED forms of which a relation is compared, and
// after a tab which, with its source.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "emulator/fidelity/truth_file.h"

namespace {

using namespace wedjat::fidelity;

constexpr std::uint64_t lanes_of_a_form = 1024, lanes_of_a_warp = 32, hash_bytes = 8;

struct Entry {
  bool exact = true;
  std::string bound;  // empty: every bit is compared
  std::uint64_t outputs = 0;
  std::string device;
};

// What follows the tab, by form; "-" is no file.
std::map<std::string, std::string> read_list(const std::string& file) {
  std::map<std::string, std::string> forms;
  if (file == "-") return forms;
  std::ifstream in(file);
  if (!in) throw InputError(file + ": cannot be read");
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    if (!line.empty() && line[0] != '#')
      forms[line.substr(0, tab)] = line.substr(std::min(tab + 1, line.size()));
  }
  return forms;
}

void add(std::map<std::string, Entry>& table, const std::string& kind, const std::string& file,
         const std::string& open_file, const std::string& bounded_file) {
  unsigned rounds = 1;
  if (kind != "lanes" && kind != "warps" && kind != "mnemonics" &&
      std::sscanf(kind.c_str(), "rounds:%u", &rounds) != 1)
    throw InputError("\"" + kind + "\" is no kind of truth");
  const Truth truth = read_truth(file);
  const std::map<std::string, std::string> open = read_list(open_file);
  std::map<std::string, std::string> bounded = read_list(bounded_file);
  for (const Record& record : truth.records) {
    Entry& entry = table[kind == "mnemonics" ? record.form.substr(0, record.form.find(' ')) : record.form];
    entry.exact = entry.exact && open.count(record.form) == 0;
    if (const auto found = bounded.extract(record.form)) entry.bound = found.mapped();
    const std::uint64_t lanes =
        kind == "lanes" ? lanes_of_a_form : record.output.size() / hash_bytes * lanes_of_a_warp;
    entry.outputs += lanes * rounds;
    entry.device = fmt::format("{}, driver {}, {}", truth.device, truth.driver, truth.date);
  }
  if (!bounded.empty())
    throw InputError(bounded_file + ": " + file + " has no record of \"" + bounded.begin()->first + '"');
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 6 || (argc - 2) % 4 != 0)
      throw InputError(
          "usage: evidence_table OUTPUT (lanes|warps|mnemonics|rounds:N) TRUTH OPEN|- BOUNDED|- ...");
    std::map<std::string, Entry> table;
    for (int i = 2; i + 3 < argc; i += 4) add(table, argv[i], argv[i + 1], argv[i + 2], argv[i + 3]);
    std::string text;
    for (const auto& [form, entry] : table)
      text += fmt::format("{}\t{}\t{}\t{}\t{}\n", form, entry.exact ? "exact" : "open", entry.bound,
                          entry.outputs, entry.device);
    write_packed(text, argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "evidence_table: {}\n", error.what());
    return 1;
  }
}
