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

ReceivedKernel::ReceivedKernel(const json& from) : kernel_(taken<wedjat_kernel>(from)) {
  for (const json& at : from.at("instructions")) add_instruction(at);
  for (const json& x : from.at("blocks")) {
    const auto& next = numbers(x.at("successors"));
    blocks_.push_back(taken<wedjat_block>(x));
    blocks_.back().successors = next.data();
    blocks_.back().successor_count = static_cast<std::uint32_t>(next.size());
  }
  for (const json& name : from.at("functions")) functions_.push_back(keep(name));
  for (const json& x : from.at("registers")) registers_.push_back(taken<wedjat_register>(x));
  for (const json& x : from.at("variables")) variables_.push_back(taken<wedjat_variable>(x));
  kernel_.size = sizeof kernel_;
  show_in(kernel_);
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
