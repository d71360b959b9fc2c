#include "tests/emulator/hardware/cases/row_inputs.h"

#include <fmt/format.h>

#include <cstring>
#include <regex>

#include "tests/emulator/hardware/cases/row_case.h"
#include "tests/emulator/hardware/forms/inputs.h"

namespace wedjat::hardware_truth {
namespace {

// The last word of the mnemonic that is a type: "f16x2"; "b32" if none is.
std::string type_word(std::string_view mnemonic) {
  static const std::regex last(R"(.*\.((?:[busf]|bf)\d+(?:x2)?).*)");
  std::cmatch match;
  return std::regex_match(mnemonic.begin(), mnemonic.end(), match, last) ? match[1].str() : "b32";
}

Type register_type(const std::string& word) {
  static const std::regex parts(R"([a-z]+(\d+)(x2)?)");
  std::smatch match;
  std::regex_match(word, match, parts);
  const unsigned bits = static_cast<unsigned>(std::stoul(match[1])) * (match[2].matched ? 2 : 1);
  return bits <= 16 ? Type::b16 : bits == 32 ? Type::b32 : bits == 64 ? Type::b64 : Type::b128;
}

Operand source_of(Type type) {
  Operand operand;
  operand.role = Operand::Role::source;
  operand.type = type;
  return operand;
}

void put(std::vector<std::byte>& record, std::size_t at, const Values& values, std::size_t lane) {
  const std::uint64_t low = values.low[lane];
  // Half of the lanes compare equal where the low halves do.
  const std::uint64_t high = values.high.empty() ? 0 : lane % 2 == 0 ? low * 3 : values.high[lane];
  const std::uint64_t words[2] = {low, high};
  std::memcpy(record.data() + at, words, slot_bytes(values.type));
}

}  // namespace

std::vector<std::byte> row_input(const fidelity::InventoryRow& row, const RowShape& shape) {
  const std::string word = type_word(row.mnemonic);
  const Type type = register_type(word);
  // A form with as many elements of memory as the operation has, then the sources: values near to each other.
  Form form;
  form.mnemonic = fmt::format("{}.{}", row.opcode(), word);
  const bool compare = row.mnemonic.find(".cas") != std::string_view::npos;
  const std::size_t elements = compare || shape.sources.empty() ? 1 : shape.sources.size();
  for (std::size_t i = 0; i < elements; ++i) form.operands.push_back(source_of(type));
  for (const RowRegister& source : shape.sources) form.operands.push_back(source_of(source.type));
  form.text = fmt::format("{} {}", form.mnemonic, form.operands.size());
  const std::vector<Values> values = make_inputs(form);

  std::vector<std::byte> input;
  input.reserve(std::size_t{kRecord} * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::vector<std::byte> record(kRecord);
    const std::size_t size = slot_bytes(type);
    for (std::size_t i = 0; i < kImage / size; ++i)
      put(record, i * size, values[i % elements], (lane + i / elements) % kLanes);
    std::size_t at = kImage;
    for (std::size_t i = elements; i < values.size(); ++i) {
      const std::size_t bytes = slot_bytes(values[i].type);
      at = (at + bytes - 1) / bytes * bytes;
      put(record, at, values[i], lane);
      at += bytes;
    }
    input.insert(input.end(), record.begin(), record.end());
  }
  return input;
}

}  // namespace wedjat::hardware_truth
