// libFuzzer target: any bytes as a module, all its bodies, linked with itself. Only ptx::Error may come out.
#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/ptx/module/link.h"
#include "emulator/ptx/module/module.h"

namespace {

using wedjat::ptx::Body;
using wedjat::ptx::Error;
using wedjat::ptx::Function;
using wedjat::ptx::Module;
using wedjat::ptx::Operand;
using wedjat::ptx::Program;

/// Follows every index, so that a wrong one is an out-of-bounds read the sanitizer sees.
std::uint64_t visit(const Body& body, const Operand& operand) {
  std::uint64_t sum = static_cast<std::uint64_t>(operand.value);
  if (operand.kind == Operand::Kind::reg) sum += body.register_name(operand.index).size();
  if (operand.kind == Operand::Kind::label) sum += body.labels.at(operand.index).position;
  if (operand.is_compound())
    for (const Operand& part : body.parts_of(operand)) sum += visit(body, part);
  return sum;
}

std::uint64_t visit(const Module& module) {
  std::uint64_t sum = 0;
  for (const Function& function : module.functions) {
    if (!function.has_body) continue;
    try {
      const Body& body = function.body();
      for (const auto& instruction : body.instructions)
        for (const Operand& operand : body.operands_of(instruction)) sum += visit(body, operand);
    } catch (const Error&) {
    }
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto module = Module::parse("fuzz", std::string(data, data + size));
    visit(*module);
    const Module* const modules[] = {module.get(), module.get()};
    Program::link(modules);
  } catch (const Error&) {
  }
  return 0;
}
