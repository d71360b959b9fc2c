// Truth files -> the table that evidence.h reads. A build step: hardware_check holds the emulator to the same
// files.
//
//   evidence_table OUTPUT (lanes|warps) TRUTH OPEN|- ...
//
// `lanes`: a record is a form and holds the results of 1024 lanes. `warps`: it is a mnemonic, perhaps with
// words for a variant, and holds a hash for each warp.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>

#include "emulator/fidelity/truth_file.h"

namespace {

using namespace wedjat::fidelity;

constexpr std::uint64_t lanes_of_a_form = 1024, lanes_of_a_warp = 32, hash_bytes = 8;

struct Entry {
  bool exact = true;
  std::uint64_t outputs = 0;
  std::string device;
};

std::set<std::string> read_open(const std::string& file) {
  std::set<std::string> forms;
  if (file == "-") return forms;
  std::ifstream in(file);
  if (!in) throw InputError(file + ": cannot be read");
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') forms.insert(line);
  return forms;
}

void add(std::map<std::string, Entry>& table, const std::string& kind, const std::string& file,
         const std::string& open_file) {
  if (kind != "lanes" && kind != "warps" && kind != "mnemonics")
    throw InputError("\"" + kind + "\" is no kind of truth");
  const Truth truth = read_truth(file);
  const std::set<std::string> open = read_open(open_file);
  for (const Record& record : truth.records) {
    Entry& entry = table[kind == "mnemonics" ? record.form.substr(0, record.form.find(' ')) : record.form];
    entry.exact = entry.exact && open.count(record.form) == 0;
    entry.outputs += kind == "lanes" ? lanes_of_a_form : record.output.size() / hash_bytes * lanes_of_a_warp;
    entry.device = fmt::format("{}, driver {}, {}", truth.device, truth.driver, truth.date);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 5 || (argc - 2) % 3 != 0)
      throw InputError("usage: evidence_table OUTPUT (lanes|warps|mnemonics) TRUTH OPEN|- ...");
    std::map<std::string, Entry> table;
    for (int i = 2; i + 2 < argc; i += 3) add(table, argv[i], argv[i + 1], argv[i + 2]);
    std::string text;
    for (const auto& [form, entry] : table)
      text +=
          fmt::format("{}\t{}\t{}\t{}\n", form, entry.exact ? "exact" : "open", entry.outputs, entry.device);
    write_packed(text, argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "evidence_table: {}\n", error.what());
    return 1;
  }
}
