#include "emulator/fidelity/report.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>

using namespace wedjat::fidelity;

namespace {

// Work of seconds: done once.
const Report& report() {
  static const Report made = make_report();
  return made;
}

const FormReport& row(std::string_view mnemonic, std::string_view operands) {
  for (const FormReport& form : report().forms)
    if (form.row->mnemonic == mnemonic && form.row->operands == operands) return form;
  FAIL("no such row: " << std::string(mnemonic));
  return report().forms.front();
}

}  // namespace

TEST_CASE("the inventory holds every form once") {
  std::set<std::string_view> ids;
  std::size_t runs = 0;
  for (const InventoryRow& one : inventory()) {
    ids.insert(one.id);
    runs += one.runs_on_sm_90a;
  }
  CHECK(inventory().size() == 57522);
  CHECK(ids.size() == 57522);
  CHECK(runs == 51782);
}

TEST_CASE("every form that runs on sm_90a has one status") {
  CHECK(report().forms.size() == 51782);
  std::uint64_t all = 0, classes = 0;
  for (const std::uint64_t count : report().counts()) all += count;
  for (const auto& [name, counts] : report().by_class())
    for (const std::uint64_t count : counts) classes += count;
  CHECK(all == 51782);
  CHECK(classes == 51782);
}

TEST_CASE("exact and bounded are those with hardware outputs, refused and bounded ones say why") {
  std::uint64_t outputs = 0;
  for (const FormReport& form : report().forms) {
    INFO(std::string(form.row->mnemonic));
    const bool exact = form.status == Status::exact, bounded = form.status == Status::bounded;
    CHECK((exact || bounded) == (form.outputs > 0));
    CHECK((bounded || form.status == Status::unsupported) == !form.note.empty());
    if (exact) outputs += form.outputs;
  }
  CHECK(outputs == report().outputs);
  CHECK(row("add.s32", "d.b32, s.b32, s.b32").status == Status::exact);
  CHECK(row("add.s32", "d.b32, s.b32, s.b32").outputs == 1024 + 65536 + 1024);
  CHECK(row("mov.u32", "d.b32, @%clock").status == Status::bounded);
  CHECK(row("mov.u32", "d.b32, @%clock").note.find("%clock64") != std::string::npos);
  CHECK(row("mov.u32", "d.b32, @%laneid").status == Status::exact);
  CHECK(row("brkpt", "").status == Status::not_compared);
}

TEST_CASE("README.md carries the sums (wedjat fidelity --line prints the line)") {
  std::ifstream in(WEDJAT_SOURCE_DIR "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(in), {}};
  INFO(readme_line(report()));
  CHECK(readme.find("\n> " + readme_line(report()) + "\n") != readme.npos);
}
