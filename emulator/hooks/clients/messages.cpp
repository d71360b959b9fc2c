#include "emulator/hooks/clients/messages.h"

#include <limits>

namespace wedjat::hooks {

using nlohmann::json;

json describe(const wedjat_kernel& kernel) {
  json instructions = json::array(), blocks = json::array(), functions = json::array(),
       registers = json::array(), variables = json::array();
  for (std::uint32_t i = 0; i < kernel.variable_count; ++i) {
    const wedjat_variable& x = kernel.variables[i];
    variables.push_back({x.name, x.space, x.function, x.address, x.bytes});
  }
  for (std::uint32_t i = 0; i < kernel.register_count; ++i) {
    const wedjat_register& x = kernel.registers[i];
    registers.push_back({x.name, x.function, x.bits});
  }
  for (std::uint32_t i = 0; i < kernel.instruction_count; ++i) {
    const wedjat_instruction& at = kernel.instructions[i];
    json operands = json::array(), accesses = json::array(), work = json::array();
    for (std::uint32_t o = 0; o < at.operand_count; ++o) {
      const wedjat_operand& x = at.operands[o];
      operands.push_back({{"name", x.name},
                          {"text", x.text},
                          {"format", x.format},
                          {"kind", x.kind},
                          {"value", x.value},
                          {"space", x.space},
                          {"in", x.in},
                          {"out", x.out},
                          {"bits", x.bits},
                          {"count", x.count},
                          {"first", x.first},
                          {"registers", std::vector<std::uint32_t>(x.registers, x.registers + x.count)}});
    }
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& x = at.accesses[a];
      accesses.push_back({{"operand", x.operand},
                          {"bytes", x.bytes},
                          {"size", x.size},
                          {"lanes", x.lanes},
                          {"space", x.space},
                          {"reads", x.reads},
                          {"writes", x.writes},
                          {"atomic", x.atomic},
                          {"strong", x.strong},
                          {"scope", x.scope},
                          {"acquires", x.acquires},
                          {"releases", x.releases}});
    }
    for (std::uint32_t w = 0; w < at.work_count; ++w)
      work.push_back({{"format", at.work[w].format},
                      {"operations", at.work[w].operations},
                      {"of_warp", at.work[w].of_warp}});
    instructions.push_back({{"id", at.id},
                            {"function", at.function},
                            {"block", at.block},
                            {"what", at.what},
                            {"opcode", at.opcode},
                            {"form", at.form},
                            {"text", at.text},
                            {"guard", at.guard ? at.guard : ""},
                            {"guard_negated", at.guard_negated},
                            {"guard_register", at.guard_register},
                            {"operands", std::move(operands)},
                            {"accesses", std::move(accesses)},
                            {"ptx_line", at.ptx_line},
                            {"source_file", at.source_file},
                            {"source_line", at.source_line},
                            {"work", std::move(work)}});
  }
  for (std::uint32_t b = 0; b < kernel.block_count; ++b) {
    const wedjat_block& x = kernel.blocks[b];
    blocks.push_back(
        {{"function", x.function},
         {"first", x.first},
         {"count", x.count},
         {"callee", x.callee},
         {"successors", std::vector<std::uint32_t>(x.successors, x.successors + x.successor_count)}});
  }
  for (std::uint32_t f = 0; f < kernel.function_count; ++f) functions.push_back(kernel.functions[f]);
  return {{"id", kernel.id},
          {"name", kernel.name},
          {"ptx_file", kernel.ptx_file},
          {"instructions", std::move(instructions)},
          {"blocks", std::move(blocks)},
          {"functions", std::move(functions)},
          {"registers", std::move(registers)},
          {"variables", std::move(variables)},
          {"parameter_bytes", kernel.parameter_bytes},
          {"static_shared_bytes", kernel.static_shared_bytes}};
}

json describe(const wedjat_call& call) {
  json list = json::array();
  for (std::uint32_t i = 0; i < call.argument_count; ++i)
    list.push_back({call.list[i].name, call.list[i].text, call.list[i].number});
  return {{"name", call.name},     {"arguments", call.arguments}, {"sequence", call.sequence},
          {"status", call.status}, {"is_exit", call.is_exit},     {"list", std::move(list)}};
}

json describe(const wedjat_launch& launch) {
  return {{"index", launch.index},
          {"kernel", launch.kernel->id},
          {"grid", launch.grid},
          {"block", launch.block},
          {"cluster", launch.cluster},
          {"shared_bytes", launch.shared_bytes},
          {"warp_instructions", launch.warp_instructions},
          {"thread_instructions", launch.thread_instructions},
          {"failure", launch.failure ? launch.failure : ""},
          {"failed", launch.failed ? static_cast<std::int64_t>(launch.failed->id) : -1},
          {"failed_cta", launch.failed_cta},
          {"failed_thread", launch.failed_thread}};
}

Report report_of(const json& from) {
  Report report;
  report.tool = from.at("tool");
  for (const json& t : from.at("tables")) {
    Table table{t.at("title"), t.at("columns"), {}};
    for (const json& row : t.at("rows"))
      for (const std::string& column : table.columns) {
        const json& cell = row.at(column);
        if (cell.is_number_unsigned())
          table.cells.emplace_back(cell.get<std::uint64_t>());
        else if (cell.is_number_integer())
          table.cells.emplace_back(cell.get<std::int64_t>());
        else if (cell.is_null())
          table.cells.emplace_back(
              std::numeric_limits<double>::quiet_NaN());  // JSON has no other word for it
        else if (cell.is_number())
          table.cells.emplace_back(cell.get<double>());
        else
          table.cells.emplace_back(cell.get<std::string>());
      }
    report.tables.push_back(std::move(table));
  }
  for (const json& f : from.at("findings"))
    report.findings.push_back({f.at("severity"), f.at("kind"), f.at("message"), f.at("kernel"),
                               f.at("instruction"), f.at("ptx_file"), f.at("source_file"), f.at("ptx_line"),
                               f.at("source_line"), f.at("cta"), f.at("thread")});
  report.errors = from.at("errors");
  report.warnings = from.at("warnings");
  report.suppressed = from.at("suppressed");
  return report;
}

}  // namespace wedjat::hooks
