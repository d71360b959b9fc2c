// What isolated tools are told of a kernel is what it is: every member that tool.h lists arrives.
#include "emulator/hooks/clients/messages.h"

#include <doctest/doctest.h>

#include <deque>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "emulator/hooks/isolated/received.h"
#include "tool_fields.h"

using namespace wedjat::hooks;

namespace {

// Every member holds a number, or a text, that no other member of any struct holds.
class Filler {
 public:
  template <class Struct>
  Struct filled() {
    Struct of{};
    each_field(of, [&]<class Field>(const char*, Field& field) {
      if constexpr (std::is_same_v<Field, const char*>)
        field = texts_.emplace_back("text " + std::to_string(++last_)).c_str();
      else
        field = static_cast<Field>(++last_);
    });
    return of;
  }

 private:
  std::deque<std::string> texts_;
  int last_ = 0;
};

template <class Struct>
std::string text_of(const Struct& of) {
  std::string text;
  each_field(of, [&]<class Field>(const char* name, const Field& field) {
    text += std::string(name) + "=";
    if constexpr (std::is_same_v<Field, const char*>)
      text += field != nullptr ? field : "null";
    else
      text += std::to_string(field);
    text += ' ';
  });
  return text;
}

struct Sample {
  Filler fill;
  std::uint32_t numbers[2] = {4711, 4712};
  wedjat_operand operand = fill.filled<wedjat_operand>();
  wedjat_access access = fill.filled<wedjat_access>();
  wedjat_work work = fill.filled<wedjat_work>();
  wedjat_instruction instruction = fill.filled<wedjat_instruction>();
  wedjat_block block = fill.filled<wedjat_block>();
  wedjat_register reg = fill.filled<wedjat_register>();
  wedjat_variable variable = fill.filled<wedjat_variable>();
  const char* function = "f";
  wedjat_kernel kernel = fill.filled<wedjat_kernel>();

  Sample() {
    operand.count = 2;
    operand.registers = numbers;
    instruction.operands = &operand, instruction.operand_count = 1;
    instruction.accesses = &access, instruction.access_count = 1;
    instruction.work = &work, instruction.work_count = 1;
    block.successors = numbers, block.successor_count = 2;
    kernel.instructions = &instruction, kernel.instruction_count = 1;
    kernel.blocks = &block, kernel.block_count = 1;
    kernel.functions = &function, kernel.function_count = 1;
    kernel.registers = &reg, kernel.register_count = 1;
    kernel.variables = &variable, kernel.variable_count = 1;
  }
};

// As text, as the two processes exchange it.
void send(const wedjat_kernel& kernel, ReceivedKernel& received) {
  for (std::uint32_t first = 0;; first += part_elements) {
    const nlohmann::json part = nlohmann::json::parse(describe_part(kernel, first).dump());
    if (part.is_null()) break;
    for (const auto& list : part) CHECK(list.size() <= part_elements);
    received.add(part);
  }
  received.complete(nlohmann::json::parse(describe(kernel).dump()));
}

}  // namespace

TEST_CASE("a kernel that is described and received is the same") {
  const Sample sample;
  ReceivedKernel received;
  send(sample.kernel, received);
  const wedjat_kernel& kernel = received.kernel();
  CHECK(text_of(kernel) == text_of(sample.kernel));
  REQUIRE(kernel.instruction_count == 1);
  const wedjat_instruction& instruction = kernel.instructions[0];
  CHECK(text_of(instruction) == text_of(sample.instruction));
  REQUIRE((instruction.operand_count == 1 && instruction.access_count == 1 && instruction.work_count == 1));
  CHECK(text_of(instruction.operands[0]) == text_of(sample.operand));
  CHECK(instruction.operands[0].registers[1] == 4712);
  CHECK(text_of(instruction.accesses[0]) == text_of(sample.access));
  CHECK(text_of(instruction.work[0]) == text_of(sample.work));
  REQUIRE((kernel.block_count == 1 && kernel.register_count == 1 && kernel.variable_count == 1));
  CHECK(text_of(kernel.blocks[0]) == text_of(sample.block));
  CHECK(kernel.blocks[0].successors[0] == 4711);
  CHECK(text_of(kernel.registers[0]) == text_of(sample.reg));
  CHECK(text_of(kernel.variables[0]) == text_of(sample.variable));
  REQUIRE(kernel.function_count == 1);
  CHECK(kernel.functions[0] == std::string("f"));
}

TEST_CASE("an instruction without guard arrives without one") {
  Sample sample;
  sample.instruction.guard = nullptr;
  ReceivedKernel received;
  send(sample.kernel, received);
  CHECK(received.kernel().instructions[0].guard == nullptr);
}

TEST_CASE("a kernel of more than fits in a part arrives whole and in its order") {
  Sample sample;
  const std::vector<std::uint32_t> counts = {
      0, 1, part_elements - 1, part_elements, part_elements + 1, 3 * part_elements};
  for (const std::uint32_t count : counts) {
    std::vector<wedjat_instruction> instructions(count, sample.instruction);
    for (std::uint32_t i = 0; i < count; ++i) instructions[i].id = i;
    sample.kernel.instructions = instructions.data(), sample.kernel.instruction_count = count;
    ReceivedKernel received;
    send(sample.kernel, received);
    REQUIRE(received.kernel().instruction_count == count);
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(received.kernel().instructions[i].id == i);
    CHECK(received.kernel().block_count == 1);
  }
}

TEST_CASE(
    "the page on tools in Python names every member of an instruction, its operands, accesses and work") {
  std::ifstream in(WEDJAT_SOURCE_DIR "/utilities/PYTHON.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const auto members = [&](const std::string& begin, const std::string& end) {
    const std::size_t at = page.find(begin);
    REQUIRE(at != std::string::npos);
    return page.substr(at, page.find(end, at) - at);
  };
  const auto check = [&](const auto& of, const std::string& part) {
    each_field(of, [&](const char* name, const auto&) {
      INFO(part);
      CHECK_MESSAGE(std::regex_search(part, std::regex("\\b" + std::string(name) + "\\b")), name);
    });
  };
  check(wedjat_instruction{}, members("and `instructions`, each with", "and lists of"));
  check(wedjat_operand{}, members("* `operands`:", "\n"));
  check(wedjat_access{}, members("* `accesses`:", "\n"));
  check(wedjat_work{}, members("* `work`:", "\n"));
}
