#include "semcc/emit/manual/manual.h"

#include <set>

#include "semcc/emit/manual/assets.h"
#include "semcc/emit/manual/fidelity.h"
#include "semcc/emit/manual/index.h"
#include "semcc/emit/manual/machine.h"

namespace semcc::emit {
namespace {

Pages pages_of(const ir::Program& program) {
  Pages pages;
  for (const ir::Family& family : program.families) {
    std::set<std::string> opcodes;
    for (const ir::Form& form : family.forms) opcodes.insert(form.opcode);
    for (const std::string& opcode : opcodes) {
      OpcodePage& page = pages[opcode];
      page.opcode = opcode;
      page.families.push_back(&family);
    }
  }
  return pages;
}

}  // namespace

std::map<std::string, std::string> emit_manual(const ir::Program& program, const Kernels& kernels,
                                               const Evidence& evidence, TimesTables tables) {
  check_kernels(program, kernels);
  const Pages pages = pages_of(program);
  const EvidenceIndex index(program, evidence);
  const Times times(program, std::move(tables));
  std::map<std::string, std::string> files{{"index.html", index_html(pages, index, !times.empty())},
                                           {"forms.js", forms_js(pages)},
                                           {"style.css", manual_style},
                                           {"search.js", manual_search},
                                           {"special_registers.html", special_registers_page(program)},
                                           {"device.html", device_page(program)}},
      page_of_opcode;
  for (const auto& [opcode, page] : pages) {
    page_of_opcode[opcode] = opcode + ".html";
    files[opcode + ".html"] = page_html(program, page, kernels, index, times);
  }
  if (!index.empty()) files["fidelity.html"] = fidelity_page(evidence, page_of_opcode);
  if (!times.empty()) {
    files["times.html"] = times_page(times);
    files["times_method.html"] = method_page();
    files["times.js"] = times_js(times, page_of_opcode);
    files["times_table.js"] = manual_times_table;
  }
  return files;
}

}  // namespace semcc::emit
