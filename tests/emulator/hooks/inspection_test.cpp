// A kernel as tools see it.
#include "emulator/hooks/inspection/inspection.h"

#include "emulator/device/module.h"
#include "tests/emulator/hooks/tools.h"

using namespace wedjat;

namespace {

struct Inspected {
  memory::DeviceMemory memory;
  device::AddressRange data{0x1000000}, code{0x2000000};
  device::Module module;
  hooks::Inspection inspection;
  const wedjat_kernel& kernel = inspection.kernel();

  explicit Inspected(const std::string& body, kernel::Contract contract = kernel::Contract::none)
      : module({{"k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n" + body}}, {}, memory, data, code,
               contract, kernel::FormTable::generated()),
        inspection(module.lowered(module.kernel_index("k"), kernel::Registers::named), 0) {}

  const wedjat_instruction& with(std::string_view opcode) const {
    for (std::uint32_t i = 0; i < kernel.instruction_count; ++i)
      if (kernel.instructions[i].opcode == opcode) return kernel.instructions[i];
    FAIL("no such instruction");
    return kernel.instructions[0];
  }
  std::string name(std::uint32_t index) const {
    return index == WEDJAT_NO_REGISTER ? "" : kernel.registers[index].name;
  }
};

constexpr const char* text = R"(.file 1 "some.cu"
.func f(.reg .u32 x) { .reg .f64 %fd<2>; .loc 1 7 0
  trap; ret; }
.visible .entry k(.param .u64 p, .param .f32 x) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p1; .reg .v2 .f32 %v; .shared .align 8 .b8 s[24];
  ld.param.u64 %rd1, [p];
  .loc 1 12 3
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 4;
@!%p1 atom.global.gpu.acq_rel.add.u32 %r2, [%rd1+8], %r1;
  ld.shared.v2.f32 %v, [s];
  st.global.v2.u32 [%rd1], {%r1, 5};
  @%p1 call f, (%r1);
  bar.sync 0;
  ret; })";

}  // namespace

TEST_CASE("instructions: opcode, operands, types, guard, memory, lines") {
  const Inspected k(text);
  CHECK(std::string(k.kernel.name) == "k");
  CHECK(k.kernel.parameter_bytes == 12);
  CHECK(k.kernel.static_shared_bytes == 32);
  const wedjat_instruction& setp = k.with("setp");  // setp.lt.u32 p|q, a, b without q
  const char* const written[] = {"%p1", "", "%r1", "4"};
  for (unsigned o = 0; o < 4; ++o) CHECK(std::string(setp.operands[o].text) == written[o]);
  CHECK(setp.operands[1].registers[0] == WEDJAT_NO_REGISTER);
  CHECK(setp.operation == WEDJAT_COMPARISON);
  CHECK(k.with("mov").operation == WEDJAT_COPY);
  CHECK(k.with("bar").operation == WEDJAT_OTHER);
  const wedjat_instruction& atom = k.with("atom");
  REQUIRE(atom.guard != nullptr);
  CHECK(std::string(atom.guard) == "%p1");
  CHECK(std::string(atom.text) == "@!%p1 atom.global.gpu.acq_rel.add.u32 %r2, [%rd1+8], %r1");
  CHECK(atom.guard_negated == 1);
  CHECK(k.name(atom.guard_register) == "%p1");
  CHECK(atom.what == (WEDJAT_LOAD | WEDJAT_STORE | WEDJAT_ATOMIC | WEDJAT_HAS_ROWS));
  REQUIRE(atom.access_count == 1);
  const wedjat_access& access = atom.accesses[0];
  CHECK(access.bytes == 4);
  CHECK(access.space == WEDJAT_GLOBAL);
  CHECK((access.reads && access.writes && access.atomic && access.strong));
  CHECK(access.scope == 3);
  CHECK(atom.source_line == 12);
  CHECK(std::string(atom.source_file) == "some.cu");
  CHECK(atom.ptx_line == 13);
  REQUIRE(atom.operand_count >= 3);
  CHECK(atom.operands[0].out == 1);
  CHECK(k.name(atom.operands[0].registers[0]) == "%r2");
  CHECK(atom.operands[1].kind == WEDJAT_ADDRESS);
  CHECK(k.name(atom.operands[1].registers[0]) == "%rd1");
  CHECK(std::string(atom.operands[1].text) == "[%rd1+8]");
  CHECK(k.name(atom.operands[2].registers[0]) == "%r1");
  CHECK(atom.operands[2].bits == 32);
  CHECK(atom.operands[2].value == WEDJAT_UNSIGNED);
}

TEST_CASE("registers: names, sizes, elements of vectors") {
  const Inspected k(text);
  const wedjat_instruction& load = k.with("ld");
  CHECK(load.opcode == std::string("ld"));
  const wedjat_instruction& store = k.with("st");
  CHECK(store.accesses[0].bytes == 8);
  CHECK(k.name(store.operands[1].registers[0]) == "%r1");
  CHECK(store.operands[1].registers[1] == WEDJAT_NO_REGISTER);
  std::size_t of_entry = 0, predicates = 0, vectors = 0, doubles = 0;
  for (std::uint32_t i = 0; i < k.kernel.register_count; ++i) {
    const wedjat_register& r = k.kernel.registers[i];
    if (r.function == 0) ++of_entry;
    predicates += r.bits == 1;
    vectors += std::string(r.name) == "%v.x" || std::string(r.name) == "%v.y";
    doubles += r.function == 1 && r.bits == 64;
  }
  CHECK(of_entry == 4 + 5 + 1 + 2);
  CHECK(predicates == 1);
  CHECK(vectors == 2);
  CHECK(doubles == 2);
}

TEST_CASE("blocks, control flow, callees") {
  const Inspected k(text);
  REQUIRE(k.kernel.function_count == 2);
  CHECK(std::string(k.kernel.functions[1]) == "f");
  const wedjat_block& entry = k.kernel.blocks[0];
  CHECK(entry.first == 0);
  CHECK(entry.count == 7);
  CHECK(entry.callee == 1);
  REQUIRE(entry.successor_count == 1);
  CHECK(entry.successors[0] == 1);
  CHECK(k.with("bar").what == (WEDJAT_BARRIER | WEDJAT_ARRIVES | WEDJAT_WAITS | WEDJAT_HAS_ROWS));
  CHECK(k.with("trap").function == 1);
  CHECK((k.with("trap").what & WEDJAT_TRAP) != 0);
}

TEST_CASE("variables: parameters, shared, local and module variables, where they lie") {
  const Inspected k(R"(.global .u32 g[3]; .const .u64 c;
.visible .entry k(.param .u64 p, .param .f32 x) {
  .reg .b32 %r<3>; .shared .align 8 .b8 s[24], t[8]; .local .b32 l[4];
  mov.u32 %r1, s;
  mov.u32 %r2, t;
  ret; })");
  const auto at = [&](std::string_view name) {
    for (std::uint32_t v = 0; v < k.kernel.variable_count; ++v)
      if (k.kernel.variables[v].name == name) return k.kernel.variables[v];
    FAIL("no such variable");
    return wedjat_variable{};
  };
  CHECK((at("x").space == WEDJAT_PARAM && at("x").address == 8 && at("x").bytes == 4));
  CHECK((at("t").space == WEDJAT_SHARED && at("t").address == at("s").address + 24 && at("t").bytes == 8));
  CHECK((at("l").space == WEDJAT_LOCAL && at("l").function == 0 && at("l").bytes == 16));
  CHECK((at("g").space == WEDJAT_GLOBAL && at("g").address != 0 && at("g").bytes == 12));
  CHECK((at("c").space == WEDJAT_CONST && at("c").bytes == 8));
}

TEST_CASE("loops that ptxas unrolls are told, those with a pragma are not, nor those of other tool chains") {
  const auto is_unrolled = [](const std::string& inside, kernel::Contract contract) {
    const Inspected k(R"(.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b16 %h<2>; .reg .pred %p, %q;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, 0; setp.gt.u32 %q, %r2, 3;
L: )" + inside + R"(
  red.global.add.u32 [%rd1], %r1;
  add.s32 %r1, %r1, 1; setp.lt.s32 %p, %r1, %r2; @%p bra L;
  ret; })",
                      contract);
    CHECK((k.with("ret").what & WEDJAT_UNROLLED) == 0);
    CHECK((k.with("red").what & WEDJAT_UNROLLED) == (k.with("bra").what & WEDJAT_UNROLLED));
    return (k.with("bra").what & WEDJAT_UNROLLED) != 0;
  };
  CHECK(is_unrolled("", kernel::Contract::ptxas));
  CHECK_FALSE(is_unrolled(".pragma \"nounroll\";", kernel::Contract::ptxas));
  CHECK_FALSE(is_unrolled("", kernel::Contract::none));
  const std::string load = "ld.global.u32 %r3, [%rd1]; ";  // beside it more is unrolled
  for (const char* one : {"rem.s32 %r3, %r3, %r2;", "div.s32 %r3, %r3, %r2;", "rem.u32 %r3, %r3, %r2;",
                          "div.u32 %r3, %r3, %r2;", "@%q st.global.u32 [%rd1], %r3;", "bar.sync 0;",
                          "div.approx.f32 %f1, %f1, %f1; div.approx.f32 %f1, %f1, %f1;",
                          "red.global.and.b32 [%rd1], %r3; red.global.and.b32 [%rd1], %r3;"})
    CHECK_MESSAGE(is_unrolled(load + one, kernel::Contract::ptxas), std::string(one));
  for (const char* one : {"rem.s32 %r3, %r3, %r2; rem.s32 %r3, %r3, %r2;", "rem.u64 %rd2, %rd1, %rd1;",
                          "rem.u32 %r3, %r3, %r2; rem.u32 %r3, %r3, %r2;", "rem.u16 %h1, %h1, %h1;",
                          "div.rn.f32 %f1, %f1, %f1;", "membar.gl;"})
    CHECK_FALSE_MESSAGE(is_unrolled(load + one, kernel::Contract::ptxas), std::string(one));
}

TEST_CASE("what cannot run is not shown, and texts have no comments") {
  const Inspected k(R"(.func dead() { ret; } .func live() { trap; ret; }
.visible .entry k(.param .u64 p) { .reg .b32 %r<3>;
  bra L; call dead;
L: add.u32 %r1, /* ; , */ %r2, // ;
 1; call live; ret; })");
  std::string all;
  for (std::uint32_t i = 0; i < k.kernel.instruction_count; ++i) {
    CHECK(k.kernel.instructions[i].id == i);
    all += std::string(k.kernel.instructions[i].text) + "; ";
  }
  CHECK(all == "bra L; add.u32 %r1, %r2, 1; call live; ret; trap; ");
  CHECK(std::string(k.with("add").operands[2].text) == "1");
  CHECK(std::string(k.kernel.functions[k.with("trap").function]) == "live");
}
