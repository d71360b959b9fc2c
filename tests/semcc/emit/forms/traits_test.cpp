// What forms are: read off the bodies, and said by the semantics files where no body shows it.
#include "emulator/kernel/forms/traits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "emulator/kernel/forms/compute.h"

using namespace wedjat::kernel;

namespace {

const Form& form(std::string_view text) {
  const auto forms = all_forms();
  const auto found = std::ranges::find(forms, text, &Form::text);
  REQUIRE_MESSAGE(found != forms.end(), text);
  return *found;
}

Operation operation(std::string_view text) { return traits_of(form(text)).operation; }
Relation relation(std::string_view text) { return traits_of(form(text)).relation; }
bool has(std::string_view text, std::uint32_t trait) { return traits_of(form(text)).has(trait); }

}  // namespace

TEST_CASE("what a body computes, whatever the target makes of NaNs and flushes") {
  const struct {
    Operation operation;
    std::vector<std::string_view> forms;
  } kinds[] = {
      {Operation::copy, {"mov.f32", "mov.pred", "mov.v4.u32"}},
      {Operation::load, {"ld.global.f32", "ld.global.v4.f32", "ld.acquire.gpu.u32", "ldu.global.u32"}},
      {Operation::store, {"st.global.f32", "st.shared.v2.u32", "st.release.gpu.u32"}},
      {Operation::sum, {"add.u32", "add.sat.s32", "add.f64", "add.ftz.sat.f32", "add.f16x2"}},
      {Operation::difference, {"sub.s64", "sub.f64", "sub.rn.ftz.f32"}},
      {Operation::product, {"mul.lo.s32", "mul.wide.u32", "mul.f64", "mul.bf16x2"}},
      {Operation::product_sum, {"mad.lo.u32", "mad.wide.s32", "fma.rn.f64", "fma.rn.f16x2"}},
      {Operation::negation, {"neg.s32", "neg.f64", "neg.ftz.f32", "neg.f16x2"}},
      {Operation::magnitude, {"abs.s64", "abs.f64", "abs.ftz.f32", "abs.bf16x2"}},
      {Operation::minimum, {"min.s32", "min.f64", "min.ftz.f32", "min.f16x2"}},
      {Operation::maximum, {"max.u64", "max.f64", "max.f32", "max.bf16"}},
      {Operation::comparison, {"setp.lt.s32", "setp.ge.f64", "setp.eq.b32"}},
      {Operation::selection, {"selp.b32", "selp.f64"}},
      {Operation::conversion, {"cvt.u32.u64", "cvt.s64.s32", "cvta.global.u64"}},
      {Operation::conjunction, {"and.b32", "and.pred", "setp.lt.and.s32", "setp.nan.and.f32"}},
      {Operation::disjunction, {"or.b64", "or.pred", "setp.lt.or.s32"}},
      {Operation::parity, {"xor.b32", "xor.pred"}},
      {Operation::left_shift, {"shl.b16", "shl.b32", "shl.b64"}},
      {Operation::right_shift, {"shr.u32", "shr.s64", "shr.b16"}},
      {Operation::other,
       {"mul.hi.s32", "mad.hi.s32", "min.xorsign.abs.f32", "prmt.b32", "shf.l.wrap.b32",
        "vshl.u32.u32.u32.clamp", "st.async.b32", "atom.add.u32", "cvt.rn.f32.s32", "bar.sync", "bra"}}};
  for (const auto& kind : kinds)
    for (const std::string_view text : kind.forms) {
      INFO(text);
      CHECK(operation(text) == kind.operation);
    }
}

TEST_CASE("vectors are packed and taken apart") {
  int found = 0;
  for (const Form& f : all_forms()) {
    const bool vector = f.operands == 2 && (f.operand[0].count == 1) != (f.operand[1].count == 1);
    if (f.opcode != "mov" || !vector) continue;
    ++found;
    CHECK(is(&f, Operation::packing));
  }
  CHECK(found == 14);
}

TEST_CASE("how a comparison compares") {
  CHECK(relation("setp.lt.s32") == Relation::lt);
  CHECK(relation("setp.le.u32") == Relation::le);
  CHECK(relation("setp.gt.s64") == Relation::gt);
  CHECK(relation("setp.ge.f32") == Relation::ge);
  CHECK(relation("setp.eq.f64") == Relation::eq);
  CHECK(relation("setp.ne.s32") == Relation::ne);
  CHECK(relation("setp.lt.and.s32") == Relation::lt);
  CHECK(relation("and.pred") == Relation::none);
}

TEST_CASE("flushed inputs, texels, and what families say of themselves") {
  CHECK(has("rcp.approx.ftz.f32", trait::flushes));
  CHECK_FALSE(has("rcp.approx.f32", trait::flushes));
  CHECK(has("cos.approx.ftz.f32", trait::flushes));
  CHECK_FALSE(has("cos.approx.f32", trait::flushes));
  CHECK(has("mov.u64", trait::variables));
  CHECK(has("cvta.shared.u64", trait::variables));
  CHECK_FALSE(has("cvta.to.shared.u64", trait::variables | trait::elements));
  CHECK(has("cvta.to.shared.u64", trait::address));
  CHECK(has("ld.global.u32", trait::braces));
  CHECK_FALSE(has("ld.global.u32", trait::variables));
  int texels = 0;
  for (const Form& f : all_forms()) texels += traits_of(f).has(trait::texels);
  CHECK(texels > 0);
  CHECK(traits_of(form("mul.hi.s32")).leading == "hi");
  CHECK(traits_of(form("add.f32")).leading.empty());
}

TEST_CASE("what atomics store") {
  const auto update = [](std::string_view text) { return traits_of(form(text)).update; };
  for (const std::string_view sum : {"atom.global.add.u32", "red.global.add.u64", "atom.add.f32",
                                     "red.global.add.f64", "red.add.noftz.f16x2", "atom.global.add.v2.f32"})
    CHECK_MESSAGE(update(sum) == Operation::sum, sum);
  CHECK(update("atom.shared.exch.b32") == Operation::copy);
  CHECK(update("red.min.s32") == Operation::minimum);
  CHECK(update("atom.global.or.b32") == Operation::disjunction);
  for (const std::string_view other :
       {"atom.cas.b32", "atom.inc.u32", "mbarrier.arrive.b64", "st.global.u32"})
    CHECK_MESSAGE(update(other) == Operation::other, other);
  CHECK(has("atom.global.add.u32", trait::reduction));
  CHECK(has("atom.release.gpu.global.add.u32", trait::reduction));
  for (const std::string_view kept :
       {"atom.acquire.gpu.global.add.u32", "atom.exch.b32", "atom.cas.b32", "atom.add.f32"})
    CHECK_FALSE_MESSAGE(has(kept, trait::reduction), kept);
}

TEST_CASE("who arrives, who waits, and for what") {
  const struct {
    std::string_view text;
    std::uint32_t flags;
    Group group;
  } forms[] = {
      {"bar.sync", trait::arrives | trait::waits, Group::none},
      {"barrier.arrive", trait::arrives, Group::none},
      {"bar.red.popc.u32", trait::arrives | trait::waits, Group::none},
      {"bar.warp.sync", 0, Group::none},
      {"barrier.cluster.arrive", trait::arrives | trait::cluster, Group::none},
      {"barrier.cluster.arrive.release", trait::arrives | trait::cluster, Group::none},
      {"barrier.cluster.arrive.relaxed", trait::arrives | trait::cluster | trait::relaxed, Group::none},
      {"barrier.cluster.wait", trait::waits | trait::cluster, Group::none},
      {"mbarrier.init.b64", 0, Group::none},
      {"mbarrier.arrive.expect_tx.b64", trait::arrives | trait::mbarrier, Group::none},
      {"mbarrier.expect_tx.b64", trait::mbarrier, Group::none},
      {"mbarrier.try_wait.parity.b64", trait::waits | trait::mbarrier, Group::none},
      {"mbarrier.test_wait.relaxed.cluster.b64", trait::waits | trait::mbarrier | trait::relaxed,
       Group::none},
      {"cp.async.ca.shared.global", trait::asynchronous, Group::copies},
      {"cp.async.commit_group", trait::commits, Group::copies},
      {"cp.async.wait_group", trait::waits, Group::copies},
      {"cp.async.wait_all", trait::commits | trait::waits, Group::copies},
      {"cp.async.mbarrier.arrive.b64", trait::arrives | trait::mbarrier, Group::copies},
      {"cp.async.bulk.wait_group", trait::waits, Group::bulk_copies},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", trait::asynchronous, Group::bulk_copies},
      {"st.async.mbarrier::complete_tx::bytes.b32", trait::asynchronous | trait::braces | trait::elements,
       Group::none},
      {"wgmma.fence.sync", trait::group_fence, Group::products},
      {"wgmma.commit_group.sync", trait::commits, Group::products},
      {"fence.proxy.async", trait::proxy_fence, Group::none},
      {"fence.proxy.alias", 0, Group::none},
      {"ld.global.nc.u32", trait::read_only | trait::braces | trait::elements, Group::none},
      {"tex.1d.v4.s32.s32", trait::texels | trait::fetches, Group::none},
      {"tex.1d.v4.f16.s32", trait::texels, Group::none},
      {"tex.1d.v4.f32.f32", trait::texels, Group::none},
      {"tex.2d.v4.f32.s32", trait::texels, Group::none},
      {"tex.level.1d.v4.f32.s32", trait::texels, Group::none},
      {"madc.hi.sat.s32", trait::undocumented, Group::none},
      {"madc.hi.s16", trait::undocumented, Group::none},
      {"madc.hi.s32", 0, Group::none},
      {"rcp.rn.ftz.f64", trait::undocumented, Group::none},
      {"rcp.rn.ftz.f32", trait::flushes, Group::none},
      {"div.s32", trait::divides, Group::none},
      {"rem.u64", trait::divides, Group::none},
      {"div.rn.f32", 0, Group::none},
      {"set.lo.f16.u32", trait::undocumented, Group::none},
      {"set.lo.f32.u32", 0, Group::none},
      {"bar.sync.all", trait::arrives | trait::waits | trait::undocumented, Group::none},
  };
  for (const auto& one : forms) {
    INFO(one.text);
    CHECK(traits_of(form(one.text)).flags == one.flags);
    CHECK(traits_of(form(one.text)).group == one.group);
  }
}

TEST_CASE("a form outside the table is what the table has under its key, or nothing known") {
  Form own = form("add.u32");
  CHECK(is(&own, Operation::sum));
  own.key = "own.u32";
  CHECK(is(&own, Operation::other));
  CHECK_FALSE(is(nullptr, Operation::other));
}

TEST_CASE("a form computes of numbers what it computes of registers") {
  CHECK(compute(form("min.f32"), {{0, 0x80000000}}) == 0x80000000);
  CHECK(compute(form("max.f32"), {{0x80000000, 0}}) == 0);
  CHECK(compute(form("rcp.rn.f32"), {{0x40400000}}) == 0x3eaaaaab);
  CHECK(compute(form("cvt.f64.f32"), {{0x3fc00000}}) == 0x3ff8000000000000);
  CHECK(compute(form("fma.rn.f32"), {{0x40000000, 0x40400000, 0x3f800000}}) == 0x40e00000);
}
