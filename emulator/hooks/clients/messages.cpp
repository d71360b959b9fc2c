#include "emulator/hooks/clients/messages.h"

#include <algorithm>
#include <limits>

#include "tool_fields.h"

namespace wedjat::hooks {

using nlohmann::json;

namespace {

// Members by name. A text that is missing is empty.
template <class Struct>
json named(const Struct& of) {
  json fields = json::object();
  each_field(of, [&]<class Field>(const char* name, const Field& field) {
    if constexpr (std::is_same_v<Field, const char*>)
      fields[name] = field != nullptr ? field : "";
    else
      fields[name] = field;
  });
  return fields;
}

// Members in their order.
template <class Struct>
json in_order(const Struct& of) {
  json fields = json::array();
  each_field(of, [&](const char*, const auto& field) { fields.push_back(field); });
  return fields;
}

template <class Struct, class Describe>
json list(const Struct* first, std::uint32_t count, Describe describe) {
  json all = json::array();
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(describe(first[i]));
  return all;
}

std::vector<std::uint32_t> numbers(const std::uint32_t* first, std::uint32_t count) {
  return {first, first + count};
}

json operand(const wedjat_operand& of) {
  json fields = named(of);
  fields["registers"] = numbers(of.registers, of.count);
  return fields;
}

json instruction(const wedjat_instruction& of) {
  json fields = named(of);
  fields["operands"] = list(of.operands, of.operand_count, operand);
  fields["accesses"] = list(of.accesses, of.access_count, named<wedjat_access>);
  fields["work"] = list(of.work, of.work_count, named<wedjat_work>);
  return fields;
}

json block(const wedjat_block& of) {
  json fields = named(of);
  fields["successors"] = numbers(of.successors, of.successor_count);
  return fields;
}

}  // namespace

json describe(const wedjat_kernel& kernel) {
  json fields = named(kernel);
  for (const char* name : {"instructions", "blocks", "functions", "registers", "variables"})
    fields[name] = json::array();
  return fields;
}

json describe_part(const wedjat_kernel& kernel, std::uint32_t first) {
  json lists;
  const auto add = [&](const char* name, const auto* from, std::uint32_t count, auto describe_one) {
    if (first < count) lists[name] = list(from + first, std::min(count - first, part_elements), describe_one);
  };
  add("instructions", kernel.instructions, kernel.instruction_count, instruction);
  add("blocks", kernel.blocks, kernel.block_count, block);
  add("functions", kernel.functions, kernel.function_count, [](const char* name) { return json(name); });
  add("registers", kernel.registers, kernel.register_count, in_order<wedjat_register>);
  add("variables", kernel.variables, kernel.variable_count, in_order<wedjat_variable>);
  return lists;
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
          {"recorded_registers", launch.recorded_registers},
          {"recorded_nanoseconds", launch.recorded_nanoseconds},
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
  report.detached = from.value("detached", "");
  return report;
}

}  // namespace wedjat::hooks
