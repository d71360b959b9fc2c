#include "semcc/emit/manual/kernels.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "semcc/emit/text/source.h"

namespace semcc::emit {

namespace {

// "NVIDIA H200, CUDA 13.0" of its line `// hardware: NVIDIA H200, CUDA 13.0: DIGEST`; empty without one. The
// tests of the emulator see to it that the digest is that of the text.
std::string hardware_of(const std::string& text) {
  const std::string key = "\n// hardware: ";
  const std::size_t line = text.find(key);
  if (line == std::string::npos) return {};
  const std::size_t begin = line + key.size(), end = text.find('\n', begin);
  return text.substr(begin, text.rfind(": ", end) - begin);
}

}  // namespace

std::string kernel_html(const Kernels& kernels, const std::string& name) {
  const auto found = kernels.find(name);
  if (found == kernels.end()) return {};
  const std::string& text = found->second.text;
  const std::size_t end = text.find('\n');
  const std::string hardware = hardware_of(text);
  return fmt::format(
      "<p>{}</p>\n<p class=\"where\">Run here with one and with three host threads{}, and "
      "compared "
      "with what its header says · {}</p>\n<pre>{}</pre>\n",
      escape_html(text.substr(3, end - 3)), hardware.empty() ? "" : ", and on an " + escape_html(hardware),
      escape_html(found->second.path), highlight_ptx(text.substr(end + 1)));
}

void check_kernels(const ir::Program& program, const Kernels& kernels) {
  std::set<std::string> names;
  std::map<std::string, bool> shown;  // by opcode
  for (const ir::Family& family : program.families) {
    names.insert(family.name);
    for (const ir::Form& form : family.forms) {
      names.insert(form.opcode);
      if (form.control == "refused") continue;  // there is nothing to show of what is not run
      shown[form.opcode] |=
          !family.examples.empty() || kernels.contains(family.name) || kernels.contains(form.opcode);
    }
  }
  for (const auto& [name, kernel] : kernels) {
    if (!names.contains(name))
      throw std::runtime_error(
          fmt::format("{}: no instruction and no opcode is called {}", kernel.path, name));
    if (!kernel.text.starts_with("// ") || kernel.text.find('\n') == std::string::npos)
      throw std::runtime_error(
          fmt::format("{}:1: the first line is a comment that says what is shown", kernel.path));
  }
  for (const auto& [opcode, is] : shown)
    if (!is)
      throw std::runtime_error(
          fmt::format("{} has neither an `example` nor a kernel examples/{}.ptx", opcode, opcode));
}

}  // namespace semcc::emit
