#include "emulator/kernel/lower.h"

#include <doctest/doctest.h>

#include <set>

#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/lowered/special_registers.h"
#include "tests/emulator/kernel/fake_forms.h"

using namespace wedjat;
using kernel::End;
using kernel::RowFill;

namespace {

struct Fixed : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId id) const override { return 0x1000 + 0x100 * id.index; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
  std::uint64_t function(ptx::SymbolId id) const override { return 0xf000 + id.index; }
};

struct Lowered {
  explicit Lowered(const std::string& text, std::string_view entry = "k") {
    module = ptx::Module::parse("case.ptx", ".version 8.0\n.target sm_90a\n.address_size 64\n" + text);
    const ptx::Module* const modules[] = {module.get()};
    program.emplace(ptx::Program::link(modules));
    kernel = kernel::lower(*program, program->find_entry(entry), Fixed(), {}, test::fake_table());
  }
  const kernel::Function& entry() const { return kernel->functions[0]; }
  std::vector<std::string> steps(std::size_t function = 0) const {
    std::vector<std::string> texts;
    for (const kernel::Step& step : kernel->functions[function].steps)
      texts.emplace_back(step.form ? step.form->text : "system");
    return texts;
  }
  const RowFill* fill(RowFill::Source source, std::uint64_t value) const {
    for (const RowFill& fill : entry().fills) {
      if (fill.source == source && fill.value == value) return &fill;
    }
    return nullptr;
  }

  std::unique_ptr<const ptx::Module> module;
  std::optional<ptx::Program> program;
  std::shared_ptr<const kernel::Kernel> kernel;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("parameters, literals and special registers become rows without a step") {
  const Lowered k(R"(.entry k(.param .u64 p, .param .u32 n) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, 7;
    add.s32 %r4, %r1, %r2;
    add.s32 %r5, %r4, %r3;
    st.global.u32 [%rd1], %r5;
    ret; })");
  CHECK(k.steps() == Texts{"add.s32", "add.s32", "st.global.u32"});
  REQUIRE(k.entry().blocks.size() == 1);
  CHECK(k.entry().blocks[0].instructions == 8);
  CHECK(k.entry().blocks[0].end.kind == End::Return);
  CHECK(k.kernel->parameter_bytes == 12);
  const RowFill* n = k.fill(RowFill::Source::Parameter, 8);
  REQUIRE(n);
  CHECK(n->element_bytes == 4);
  CHECK(k.entry().steps[0].row[1] == n->row);
  CHECK(k.fill(RowFill::Source::Constant, 7));
  CHECK(k.fill(RowFill::Source::Special, static_cast<std::uint64_t>(kernel::SpecialRegister::tid_x)));
}

TEST_CASE("a register written twice, or under a guard, is no constant") {
  const Lowered k(R"(.entry k(.param .u32 n) {
    .reg .b32 %r<9>; .reg .pred %p;
    mov.u32 %r1, 7;
    ld.param.u32 %r2, [n];
    setp.lt.s32 %p, %r2, 3;
    @!%p mov.u32 %r1, 8;
    add.s32 %r3, %r1, %r2;
    ret; })");
  CHECK(k.steps() == Texts{"mov.u32", "setp.lt.s32", "mov.u32", "add.s32"});
  const kernel::Step& guarded = k.entry().steps[2];
  CHECK(guarded.guard == 1 + k.entry().steps[1].row[0] / 64);
  CHECK((guarded.flags & kernel::step_flag::guard_negated) != 0);
}

TEST_CASE("wider registers are widened and chopped through rows of the operand's size") {
  const Lowered k(R"(.entry k(.param .u64 p) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    ld.global.s8 %r1, [%rd1];
    st.global.u8 [%rd1], %r1;
    ret; })");
  CHECK(k.steps() == Texts{"ld.global.s8", "cvt.s32.s8", "cvt.u8.u32", "st.global.u8"});
}

TEST_CASE("address sums are made once a block, and again after the register changed") {
  const Lowered k(R"(.entry k(.param .u64 p) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    add.u64 %rd2, %rd1, 64;
    ld.global.u32 %r1, [%rd2+4];
    ld.global.u32 %r2, [%rd2+4];
    add.u64 %rd2, %rd2, 64;
    ld.global.u32 %r3, [%rd2+4];
    ret; })");
  CHECK(k.steps() ==
        Texts{"add.u64", "add.u64", "ld.global.u32", "ld.global.u32", "add.u64", "add.u64", "ld.global.u32"});
}

TEST_CASE("an address sum that a loop does not change is made before it, once") {
  const Lowered k(R"(.entry k(.param .u64 p, .param .u32 n) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r5, [n];
    add.u64 %rd2, %rd1, 64;
    mov.u32 %r1, 0;
  TOP:
    ld.global.u32 %r2, [%rd2+4];
    add.s32 %r1, %r1, %r2;
    setp.lt.s32 %p, %r1, %r5;
    @%p bra SKIP;
    ld.global.u32 %r3, [%rd2+4];
    add.s32 %r1, %r1, %r3;
  SKIP:
    setp.lt.s32 %p, %r1, %r5;
    @%p bra TOP;
    ret; })");
  CHECK(k.entry().blocks[0].count == 3);
  CHECK(k.steps() == Texts{"add.u64", "mov.u32", "add.u64", "ld.global.u32", "add.s32", "setp.lt.s32",
                           "ld.global.u32", "add.s32", "setp.lt.s32"});
  CHECK(k.entry().steps[3].row[1] == k.entry().steps[6].row[1]);
}

TEST_CASE("branches, loops and their blocks") {
  const Lowered k(R"(.entry k(.param .u32 n) {
    .reg .b32 %r<9>; .reg .pred %p<3>;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, 0;
  TOP:
    add.s32 %r2, %r2, 1;
    setp.lt.s32 %p1, %r2, %r1;
    @%p1 bra TOP;
    ret; })");
  REQUIRE(k.entry().blocks.size() == 3);
  CHECK(k.entry().blocks[0].end.kind == End::Fall);
  CHECK(k.entry().blocks[0].end.target == 1);
  CHECK(k.entry().blocks[1].end.kind == End::Branch);
  CHECK(k.entry().blocks[1].end.target == 1);
  CHECK(k.entry().blocks[1].end.next == 2);
}

TEST_CASE("calls: scalars in rows, odd accesses in local memory") {
  const Lowered k(R"(.func (.param .b32 r) f(.param .b32 a, .param .align 4 .b8 s[8]) {
    .reg .b32 %r<9>;
    ld.param.b32 %r1, [a];
    ld.param.b32 %r2, [s+4];
    add.s32 %r3, %r1, %r2;
    st.param.b32 [r], %r3;
    ret; }
  .entry k() {
    .reg .b32 %r<9>;
    { .param .b32 q0; st.param.b32 [q0], 5;
      .param .align 4 .b8 q1[8]; st.param.b32 [q1+4], 6;
      .param .b32 q2; call.uni (q2), f, (q0, q1); ld.param.b32 %r1, [q2]; }
    ret; })");
  REQUIRE(k.kernel->functions.size() == 2);
  const kernel::Function& f = k.kernel->functions[1];
  CHECK(f.parameters[0].kind == kernel::Place::Kind::Row);
  CHECK(f.parameters[1].kind == kernel::Place::Kind::Local);
  CHECK(f.parameters[1].bytes == 8);
  CHECK(f.results[0].kind == kernel::Place::Kind::Row);
  CHECK(k.steps(1) == Texts{"ld.param.b32", "add.s32", "mov.b32"});
  const kernel::Terminator& call = k.entry().blocks[0].end;
  CHECK(call.kind == End::Call);
  CHECK(call.target == 1);
  CHECK(call.arguments.size() == 2);
  CHECK(k.kernel->local_bytes == k.entry().local_bytes + f.local_bytes);
}

TEST_CASE("shared variables: static ones first, dynamic ones behind them") {
  const Lowered k(R"(.extern .shared .align 16 .b8 dynamic[];
  .entry k() {
    .shared .align 4 .b8 a[20];
    .reg .b64 %rd<9>; .reg .b32 %r;
    mov.u64 %rd1, dynamic; mov.u64 %rd2, a; mov.u64 %rd3, a+4;
    st.global.u32 [%rd1], 0; st.global.u32 [%rd2], 0; st.global.u32 [%rd3], 0;
    ret; })");
  CHECK(k.kernel->static_shared_bytes == 32);
  CHECK(k.fill(RowFill::Source::Shared, 0));
  CHECK(k.fill(RowFill::Source::Shared, 32));
  CHECK(k.fill(RowFill::Source::Shared, 4));
}

TEST_CASE("a kernel with an unknown instruction is refused, its neighbour runs") {
  const std::string text = R"(.entry good() { ret; }
  .func bad() { frobnicate.b32 1; ret; }
  .entry k() { call bad; ret; })";
  CHECK(Lowered(text, "good").entry().blocks.size() == 1);
  CHECK_THROWS_AS(Lowered(text, "k"), kernel::Refusal);
}

TEST_CASE("registers that are read before they are written are filled with zeros") {
  const Lowered k(R"(.entry k(.param .u64 p) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    st.global.u32 [%rd1], %r1;
    ret; })");
  CHECK(k.fill(RowFill::Source::Initial, 0));
}
