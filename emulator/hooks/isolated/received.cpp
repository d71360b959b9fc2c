#include "emulator/hooks/isolated/received.h"

#include "tool_fields.h"

namespace wedjat::hooks {

using nlohmann::json;

template <class Struct>
Struct ReceivedKernel::taken(const json& from) {
  Struct into{};
  std::size_t place = 0;
  each_field(into, [&]<class Field>(const char* name, Field& field) {
    const json& value = from.is_array() ? from.at(place++) : from.at(name);
    if constexpr (std::is_same_v<Field, const char*>)
      field = keep(value);
    else
      field = value.get<Field>();
  });
  return into;
}

const std::vector<std::uint32_t>& ReceivedKernel::numbers(const json& from) {
  return numbers_.emplace_back(from.get<std::vector<std::uint32_t>>());
}

void ReceivedKernel::add(const json& part) {
  const auto each = [&](const char* name, auto add_one) {
    if (const auto list = part.find(name); list != part.end())
      for (const json& one : *list) add_one(one);
  };
  each("instructions", [&](const json& x) { add_instruction(x); });
  each("blocks", [&](const json& x) { add_block(x); });
  each("functions", [&](const json& x) { functions_.push_back(keep(x)); });
  each("registers", [&](const json& x) { registers_.push_back(taken<wedjat_register>(x)); });
  each("variables", [&](const json& x) { variables_.push_back(taken<wedjat_variable>(x)); });
}

void ReceivedKernel::complete(const json& fields) {
  kernel_ = taken<wedjat_kernel>(fields);
  kernel_.size = sizeof kernel_;
  show_in(kernel_);
}

void ReceivedKernel::add_block(const json& from) {
  const auto& next = numbers(from.at("successors"));
  wedjat_block& into = blocks_.emplace_back(taken<wedjat_block>(from));
  into.successors = next.data();
  into.successor_count = static_cast<std::uint32_t>(next.size());
}

void ReceivedKernel::add_instruction(const json& from) {
  auto& operands = operands_.emplace_back();
  for (const json& x : from.at("operands")) {
    operands.push_back(taken<wedjat_operand>(x));
    operands.back().registers = numbers(x.at("registers")).data();
  }
  auto& accesses = accesses_.emplace_back();
  for (const json& x : from.at("accesses")) accesses.push_back(taken<wedjat_access>(x));
  auto& work = work_.emplace_back();
  for (const json& x : from.at("work")) work.push_back(taken<wedjat_work>(x));
  wedjat_instruction& into = instructions_.emplace_back(taken<wedjat_instruction>(from));
  if (*into.guard == '\0') into.guard = nullptr;
  into.operands = operands.data();
  into.operand_count = static_cast<std::uint32_t>(operands.size());
  into.accesses = accesses.data();
  into.access_count = static_cast<std::uint32_t>(accesses.size());
  into.work = work.data();
  into.work_count = static_cast<std::uint32_t>(work.size());
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
