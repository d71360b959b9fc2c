#include "emulator/hooks/isolated/received.h"

namespace wedjat::hooks {

using nlohmann::json;

ReceivedKernel::ReceivedKernel(const json& from) {
  for (const json& at : from.at("instructions")) add_instruction(at);
  for (const json& x : from.at("blocks")) {
    auto& next = successors_.emplace_back(x.at("successors").get<std::vector<std::uint32_t>>());
    blocks_.push_back({x.at("function"), x.at("first"), x.at("count"), next.data(),
                       static_cast<std::uint32_t>(next.size()), x.at("callee")});
  }
  for (const json& name : from.at("functions")) functions_.push_back(keep(name));
  for (const json& x : from.at("registers")) registers_.push_back({keep(x.at(0)), x.at(1), x.at(2)});
  for (const json& x : from.at("variables"))
    variables_.push_back({keep(x.at(0)), x.at(1), x.at(2), x.at(3), x.at(4)});
  kernel_ = {.size = sizeof kernel_,
             .id = from.at("id"),
             .name = keep(from.at("name")),
             .ptx_file = keep(from.at("ptx_file")),
             .instructions = instructions_.data(),
             .instruction_count = static_cast<std::uint32_t>(instructions_.size()),
             .blocks = blocks_.data(),
             .block_count = static_cast<std::uint32_t>(blocks_.size()),
             .functions = functions_.data(),
             .function_count = static_cast<std::uint32_t>(functions_.size()),
             .registers = registers_.data(),
             .register_count = static_cast<std::uint32_t>(registers_.size()),
             .parameter_bytes = from.at("parameter_bytes"),
             .static_shared_bytes = from.at("static_shared_bytes"),
             .variables = variables_.data(),
             .variable_count = static_cast<std::uint32_t>(variables_.size())};
}

void ReceivedKernel::add_instruction(const json& at) {
  auto& operands = operands_.emplace_back();
  for (const json& x : at.at("operands")) {
    const auto& registers =
        operand_registers_.emplace_back(x.at("registers").get<std::vector<std::uint32_t>>());
    operands.push_back({.name = keep(x.at("name")),
                        .text = keep(x.at("text")),
                        .format = keep(x.at("format")),
                        .kind = x.at("kind"),
                        .value = x.at("value"),
                        .space = x.at("space"),
                        .in = x.at("in"),
                        .out = x.at("out"),
                        .bits = x.at("bits"),
                        .count = x.at("count"),
                        .first = x.at("first"),
                        .registers = registers.data()});
  }
  auto& accesses = accesses_.emplace_back();
  for (const json& x : at.at("accesses"))
    accesses.push_back({.operand = x.at("operand"),
                        .bytes = x.at("bytes"),
                        .size = x.at("size"),
                        .lanes = x.at("lanes"),
                        .space = x.at("space"),
                        .reads = x.at("reads"),
                        .writes = x.at("writes"),
                        .atomic = x.at("atomic"),
                        .strong = x.at("strong"),
                        .scope = x.at("scope"),
                        .acquires = x.at("acquires"),
                        .releases = x.at("releases")});
  auto& work = work_.emplace_back();
  for (const json& x : at.at("work"))
    work.push_back({keep(x.at("format")), x.at("operations"), x.at("of_warp")});
  const std::string guard = at.at("guard");
  instructions_.push_back({.id = at.at("id"),
                           .function = at.at("function"),
                           .block = at.at("block"),
                           .what = at.at("what"),
                           .opcode = keep(at.at("opcode")),
                           .form = keep(at.at("form")),
                           .text = keep(at.at("text")),
                           .guard = guard.empty() ? nullptr : keep(guard),
                           .guard_register = at.at("guard_register"),
                           .guard_negated = at.at("guard_negated"),
                           .operands = operands.data(),
                           .operand_count = static_cast<std::uint32_t>(operands.size()),
                           .accesses = accesses.data(),
                           .access_count = static_cast<std::uint32_t>(accesses.size()),
                           .ptx_line = at.at("ptx_line"),
                           .source_file = keep(at.at("source_file")),
                           .source_line = at.at("source_line"),
                           .work = work.data(),
                           .work_count = static_cast<std::uint32_t>(work.size())});
}

ReceivedCall::ReceivedCall(const json& from) {
  const auto keep = [this](const json& text) { return texts_.emplace_back(text.get<std::string>()).c_str(); };
  for (const json& x : from.at("list")) list_.push_back({keep(x.at(0)), keep(x.at(1)), x.at(2)});
  call_ = {.size = sizeof call_,
           .name = keep(from.at("name")),
           .arguments = keep(from.at("arguments")),
           .sequence = from.at("sequence"),
           .status = from.at("status"),
           .is_exit = from.at("is_exit"),
           .list = list_.data(),
           .argument_count = static_cast<std::uint32_t>(list_.size())};
}

}  // namespace wedjat::hooks
