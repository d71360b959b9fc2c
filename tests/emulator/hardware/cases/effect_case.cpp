#include "tests/emulator/hardware/cases/effect_case.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <regex>
#include <set>

#include "tests/emulator/hardware/cases/row_case.h"
#include "tests/emulator/hardware/forms/own_registers.h"

namespace wedjat::hardware_truth {
namespace {

using Row = fidelity::InventoryRow;

bool named(const Row& row, std::string_view what) { return row.mnemonic.find(what) != row.mnemonic.npos; }

std::string copy(std::string_view to_space, std::string_view to, std::string_view from_space,
                 std::string_view from, unsigned bytes = kImage) {
  std::string text;
  for (unsigned at = 0; at < bytes; at += 16)
    text += fmt::format(
        "  ld{0}.v4.b32 {{%t4, %t5, %t6, %t7}}, [{1}+{4}]; st{2}.v4.b32 [{3}+{4}], {{%t4, %t5, %t6, %t7}};\n",
        from_space, from, to_space, to, at);
  return text;
}

const std::string image = copy(".global", "%out", ".global", "%in");
const std::string own_shared = copy(".shared", "%sm", ".global", "%in");
const std::string show_shared = copy(".global", "%out", ".shared", "%sm");

// Nothing that can be seen: the image is still there.
std::string unseen(const Row&, const std::string& text) {
  return image + text + copy(".global", "%out+64", ".global", "%out");
}

// The contents are nobody's until they are written again.
std::string discarded(const Row&, const std::string& text) { return text + image; }

// The names of a group: the copies in it have arrived.
std::string group(const Row& row, const std::string& text) {
  if (!named(row, "bulk"))
    return own_shared + "  bar.sync 0;\n  cp.async.ca.shared.global [%sm], [%in+32], 16;\n" + text +
           "  cp.async.wait_all; bar.sync 0;\n" + show_shared;
  const bool waits = named(row, "wait");
  return own_shared + image +
         "  fence.proxy.async; bar.sync 0;\n  mov.b32 %t3, %sm; "
         "cp.async.bulk.global.shared::cta.bulk_group " +
         "[%out+16], [%t3], 32;\n" + (waits ? "  cp.async.bulk.commit_group;\n" : "") + text +
         "  cp.async.bulk.wait_group 0;\n";
}

// The barrier's phase ends when the copies of all threads have arrived.
std::string copy_arrival(const Row& row, const std::string& text) {
  const bool counted = named(row, "noinc");
  return own_shared +
         fmt::format("  mov.b32 %t0, {}; @%lead mbarrier.init.shared.b64 [%mbar], %t0; bar.sync 0;\n",
                     counted ? kThreads : 1) +
         "  cp.async.ca.shared.global [%sm], [%in+32], 16;\n" + text + "  bar.sync 0;\n" +
         (counted ? "" : "  @%lead mbarrier.arrive.shared.b64 _, [%mbar];\n") +
         "AGAIN:\n  mbarrier.try_wait.parity.shared.b64 %w, [%mbar], 0; @%w bra DONE;\n"
         "  add.u32 %t3, %t3, 1; setp.lt.u32 %v, %t3, 1000; @%v bra AGAIN;\nDONE:\n" +
         show_shared + "  selp.b32 %t3, 1, 0, %w; st.global.b32 [%out+64], %t3;\n";
}

// Invalid, then a barrier of another count.
std::string invalid(const Row&, const std::string& text) {
  return "  @%lead mbarrier.init.shared.b64 [%mbar], 7; bar.sync 0;\n  @!%lead bra DONE;\n" + text +
         "  mbarrier.init.shared.b64 [%mbar], 1; mbarrier.arrive.shared.b64 _, [%mbar];\n"
         "  mbarrier.test_wait.parity.shared.b64 %w, [%mbar], 0; selp.b32 %t3, 1, 0, %w; st.global.b32 "
         "[%out], %t3;\nDONE:\n";
}

std::string pending(const Row&, const std::string& text) {
  return "  mov.u32 %t0, %ctaid.x; mad.lo.u32 %t0, %t0, 1000, %tid_x; add.u32 %t0, %t0, 2;\n"
         "  mad.lo.u32 %mbar, %tid_x, 8, %mbar; mbarrier.init.shared.b64 [%mbar], %t0;\n"
         "  mbarrier.arrive.shared.b64 %mbst, [%mbar];\n" +
         text + "  st.global.b32 [%out], %r0;\n";
}

// Half of the threads arrive, the others wait and read what those had written.
std::string arrival(const Row&, const std::string& arrive) {
  std::string text = arrive;
  if (const std::size_t at = text.find(", 64"); at != text.npos)
    text.replace(at, 4, fmt::format(", {}", kThreads));
  return own_shared + fmt::format("  setp.lt.u32 %w, %tid_x, {}; @!%w bra OTHERS;\n", kThreads / 2) + text +
         fmt::format("  bra DONE;\nOTHERS:\n  bar.sync 1, {}; sub.u32 %sm, %sm, {};\nDONE:\n", kThreads,
                     kThreads / 2 * kImage) +
         show_shared;
}

std::string jump(const Row& row, const std::string& text) {
  const bool table = row.opcode() == "brx";
  return image + (table ? "  TGTS: .branchtargets LBL, PAST;\n" : "") + text +
         "  st.global.b32 [%out], %one;\nPAST:\n  st.global.b32 [%out+4], %one;\nLBL:\n  st.global.b32 "
         "[%out+64], %one;\n";
}

std::string end(const Row&, const std::string& text) {
  return image + text + "  st.global.b32 [%out], %one;\n";
}

// `space` at `address` holds what the row is about.
std::string seen_through(std::string_view space, std::string_view address, unsigned bytes) {
  std::string text;
  for (unsigned at = 0; at < bytes; at += 4)
    text += fmt::format("  ld{}.b32 %t3, [{}+{}]; st.global.b32 [%out+{}], %t3;\n", space, address, at, at);
  return text;
}

std::string own_variables() {
  return "  ld.global.b64 %u0, [%in]; st.local.b32 [lvar], %t0; @%lead st.shared.b64 [svar], %u0; bar.sync "
         "0;\n";
}

// The address of a variable.
std::string symbol(const Row& row, const std::string& text) {
  static const std::map<char, std::pair<std::string, unsigned>> spaces = {{'g', {".global", 16}},
                                                                          {'s', {".shared", 4}},
                                                                          {'c', {".const", 4}},
                                                                          {'l', {".local", 4}},
                                                                          {'p', {".param", 16}}};
  const std::string_view name = row.operands.substr(row.operands.find('@') + 1);
  const auto& [space, bytes] = spaces.at(name[0]);
  const bool wide = row.operands.starts_with("d.b64");
  if (wide) return own_variables() + text + seen_through(space, "%l0", bytes);
  return own_variables() + text +
         fmt::format(
             "  mov.u64 %u1, {}; cvt.u32.u64 %t3, %u1; xor.b32 %t3, %t3, %r0; st.global.b32 [%out], %t3;\n",
             name);
}

struct Space {
  std::string_view name, variable;
  bool writable;
};

constexpr Space kSpaces[] = {{"const", "carr", false},
                             {"global", "gvar", false},
                             {"local", "larr", true},
                             {"param", "pin", false},
                             {"shared", "sbuf", true}};

const Space& space_of(const Row& row) {
  for (const Space& space : kSpaces)
    if (named(row, "." + std::string(space.name))) return space;
  return kSpaces[1];
}

// From a space to generic addresses or back: the same bytes are read.
std::string converted(const Row& row, const std::string& text) {
  const Space& space = space_of(row);
  const bool back = named(row, ".to."), by_name = row.operands.find('@') != row.operands.npos &&
                                                  row.operands.find(".b64@") == row.operands.npos;
  std::string before = fmt::format("  mov.u64 %u1, {};\n", space.variable);
  if (space.name == "local") before += copy(".local", "larr", ".global", "%in");
  if (space.name == "shared") before += own_shared + "  bar.sync 0; cvt.u64.u32 %u1, %sm;\n";
  if (back)
    return before + fmt::format("  cvta.{}.u64 %mem, %u1;\n", space.name) + text +
           seen_through("." + std::string(space.name), "%l0", 16);
  return before +
         (by_name ? ""
                  : "  mov.b64 %memg, %u1; mov.b64 %smx, %u1; mov.b64 %cadr, %u1; mov.b64 %ladr, %u1; "
                    "mov.b64 %padr, %u1;\n") +
         text + seen_through("", "%l0", 16);
}

// Generic addresses of every space, by lane.
std::string asked(const Row&, const std::string& text) {
  std::string before = "  and.b32 %t0, %tid_x, 7; mov.b64 %mem, 0;\n";
  unsigned lane = 0;
  for (const Space& space : kSpaces)
    before += fmt::format("  cvta.{0}.u64 %u1, {1}; setp.eq.u32 %w, %t0, {2}; @%w mov.b64 %mem, %u1;\n",
                          space.name, space.variable, lane++);
  return before + text + "  selp.b32 %t3, 1, 0, %p0; st.global.b32 [%out], %t3;\n";
}

// Clusters of two: the other CTA's variables hold other numbers.
std::string in_cluster(const Row& row, const std::string& text) {
  const bool wide = row.operands.starts_with("d.b64"), generic = !named(row, "shared::cluster");
  std::string body =
      "  mov.u32 %t0, %ctaid.x; mad.lo.u32 %t0, %t0, 1000, %tid_x; st.shared.b32 [%sm], %t0;\n"
      "  @%lead st.shared.v2.b32 [svar], {%t0, %nt}; barrier.cluster.arrive; barrier.cluster.wait;\n" +
      text;
  if (row.opcode() == "getctarank") return body + "  st.global.b32 [%out], %r0;\n";
  // A variable's name is its address in shared memory, not a generic one: nothing lies there.
  if (wide && generic && row.operands.find("@svar") != row.operands.npos)
    return body + "  mov.u64 %u0, svar; sub.u64 %u0, %l0, %u0; st.global.b64 [%out], %u0;\n";
  if (wide || !generic) body += seen_through(generic ? "" : ".shared::cluster", wide ? "%l0" : "%r0", 4);
  return body + "  barrier.cluster.arrive; barrier.cluster.wait;\n";
}

// Memory of the stack can be written and read.
std::string stack(const Row& row, const std::string& text) {
  const bool wide = named(row, "u64");
  const std::string_view address = wide ? "%l0" : "%r0";
  return text + copy(".local", address, ".global", "%in", 32) +
         copy(".global", "%out", ".local", address, 32) +
         (row.operands.find("#16") == row.operands.npos ? ""
          : wide ? "  and.b64 %u0, %l0, 15; st.global.b64 [%out+64], %u0;\n"
                 : "  and.b32 %t3, %r0, 15; st.global.b32 [%out+64], %t3;\n");
}

// What is allocated after the stack was restored lies where it lay before.
std::string restored(const Row& row, const std::string& text) {
  const std::string type = named(row, "u64") ? "u64" : "u32";
  const bool wide = type == "u64", saves = row.opcode() == "stacksave";
  const std::string_view saved = saves  ? (wide ? "%l0" : "%r0")
                                 : wide ? "%stk64"
                                        : "%stk32",
                         a = wide ? "%u0" : "%t0", b = wide ? "%u1" : "%t1";
  return (saves ? text : fmt::format("  stacksave.{} {};\n", type, saved)) +
         fmt::format("  alloca.{} {}, 64;\n", type, a) +
         (saves ? fmt::format("  stackrestore.{} {};\n", type, saved) : text) +
         fmt::format("  alloca.{} {}, 64;\n", type, b) +
         fmt::format("  setp.eq.{} %w, {}, {}; selp.b32 %t3, 1, 0, %w; st.global.b32 [%out], %t3;\n", type, a,
                     b);
}

// Any bits as a map: a field of it changes.
std::string field(const Row& row, const std::string& text) {
  const std::string rank = "  and.b32 %rank, %tid_x, 7;\n";
  if (!named(row, "shared::cta")) return rank + copy(".global", "%out", ".global", "%in", kRecord) + text;
  return rank +
         "  mov.b32 %t3, 0; mov.u32 %t2, sbuf;\nTURN:\n  setp.eq.u32 %w, %t3, %tid_x; @!%w bra OTHERS;\n" +
         copy(".shared", "%t2", ".global", "%in", kRecord) + text +
         copy(".global", "%out", ".shared", "%t2", kRecord) +
         fmt::format("OTHERS:\n  bar.sync 0; add.u32 %t3, %t3, 1; setp.lt.u32 %w, %t3, {}; @%w bra TURN;\n",
                     kThreads);
}

std::string map_copied(const Row&, const std::string& text) {
  return "  mul.lo.u32 %t3, %tid_x, 128; cvt.u64.u32 %u0, %t3; sub.u64 %memg0, %out, %u0;\n  mov.u32 %t2, "
         "sbuf;\n  @!%lead bra OTHERS;\n" +
         copy(".shared", "%t2", ".global", "%in", kRecord) +
         "OTHERS:\n  bar.sync 0; setp.lt.u32 %w, %tid_x, 32; @!%w bra DONE;\n" + text + "DONE:\n";
}

// Any 128 bytes as a map, in constant or global memory.
std::string map_prefetched(const Row& row, const std::string& text) {
  return fmt::format("  mov.u64 %tmapp, {};\n", named(row, ".const") ? "cmap" : "%out") + unseen(row, text);
}

// No memory is touched: any address will do.
std::string policy(const Row&, const std::string& text) {
  return "  ld.global.b64 %mem, [%in]; shr.u64 %mem, %mem, 17; mov.b64 %memg, %mem; min.u32 %t0, %r0, %r1; "
         "max.u32 %r1, %r0, %r1; mov.b32 %r0, %t0;\n" +
         text + "  st.global.b64 [%out], %l0;\n";
}

using Body = std::string (*)(const Row&, const std::string&);

// The first one that fits. Left out: what suspends the kernel, tensor maps in parameters (as aligned as a
// map, they would lie elsewhere).
Body body_of(const Row& row) {
  static const std::array<std::pair<std::regex, Body>, 21> bodies = {{
      {std::regex(R"((fence|membar|nanosleep|pmevent|griddepcontrol|setmaxnreg\.(inc|dec)\S* #24).*)"),
       unseen},
      {std::regex(R"(wgmma\.(fence|commit_group|wait_group).*)"), unseen},
      {std::regex(
           R"((prefetch|prefetchu|applypriority)\.(?!.*tmapaddr).*|cp\.async\.bulk\.prefetch\.L2.*|trap.*)"),
       unseen},
      {std::regex(R"(prefetch\.(const\.)?tensormap.*)"), map_prefetched},
      {std::regex(R"(discard\..*)"), discarded},
      {std::regex(R"(cp\.async\.(bulk\.)?(commit_group|wait_group|wait_all).*)"), group},
      {std::regex(R"(cp\.async\.mbarrier\.arrive.*)"), copy_arrival},
      {std::regex(R"(mbarrier\.inval.*)"), invalid},
      {std::regex(R"(mbarrier\.pending_count.*)"), pending},
      {std::regex(R"((bar|barrier)\.(cta\.)?arrive.*)"), arrival},
      {std::regex(R"((bra|brx).*)"), jump},
      {std::regex(R"(ret|ret\.uni|exit)"), end},
      {std::regex(R"(mov\.\S+ d\.b(32|64), @(gvar|svar|cvar|lvar|pin).*)"), symbol},
      {std::regex(R"(cvta\..*)"), converted},
      {std::regex(R"(isspacep\..*)"), asked},
      {std::regex(R"((mapa|getctarank)\..*)"), in_cluster},
      {std::regex(R"(alloca\..*)"), stack},
      {std::regex(R"(stack(save|restore)\..*)"), restored},
      {std::regex(R"(tensormap\.replace.*)"), field},
      {std::regex(R"(tensormap\.cp_fenceproxy.*)"), map_copied},
      {std::regex(R"(createpolicy\..*)"), policy},
  }};
  if (reads_own_register(row)) return own_register_body;
  const std::string name = shape_of(row).name;
  for (const auto& [pattern, body] : bodies)
    if (std::regex_match(name, pattern)) return body;
  return nullptr;
}

constexpr std::string_view kDeclarations = R"(
  .reg .b16 %h<8>; .reg .b32 %r<8>, %t<8>, %tid_x, %nt, %sm, %mbar, %zero, %one, %sz, %c32, %rank, %stk32;
  .reg .b64 %l<8>, %in, %out, %mem, %mem0, %memg, %memg0, %smx, %gensm, %genmbar, %mbst, %pol, %szx, %cadr, %ladr, %padr, %tmapp, %stk64, %u<4>;
  .reg .pred %p<4>, %lead, %w, %v;
  .local .align 128 .b8 larr[64]; .local .align 4 .b32 lvar;
  .shared .align 128 .b8 sbuf[8192]; .shared .align 8 .b64 svar; .shared .align 8 .b64 phases[128];
)";

constexpr std::string_view kNames =
    R"(  mov.u32 %tid_x, %tid.x; mov.u32 %nt, %ntid.x; mov.u32 %t0, %ctaid.x; mad.lo.u32 %t0, %t0, %nt, %tid_x;
  setp.eq.u32 %lead, %tid_x, 0; mov.b32 %t3, 0; mov.b32 %zero, 0; mov.b32 %one, 1; mov.b32 %sz, 32; mov.b64 %szx, 32; mov.b32 %c32, 32;
  mov.u32 %t2, sbuf; mad.lo.u32 %sm, %tid_x, 64, %t2; cvt.u64.u32 %smx, %sm; cvta.shared.u64 %gensm, %smx;
  mov.u32 %mbar, phases; cvt.u64.u32 %genmbar, %mbar; cvta.shared.u64 %genmbar, %genmbar;
  mov.b64 %mem, %out; mov.b64 %memg, %out; mov.b64 %mem0, %out; mov.b64 %memg0, %out;
  createpolicy.fractional.L2::evict_last.b64 %pol, 1.0;
)";

}  // namespace

bool is_effect(const Row& row) {
  static const std::set<std::string_view> memory = {"ld", "ldu", "st", "atom", "red"};
  return memory.count(row.opcode()) == 0 && body_of(row) != nullptr;
}

void write_effect_kernel(const Row& row, const RowShape& shape, Case& result) {
  const bool cluster = row.opcode() == "mapa" || row.opcode() == "getctarank";
  std::string& ptx = result.ptx;
  ptx = fmt::format(
      ".visible .entry {}(.param .u64 inputs, .param .u64 results, .param .align 16 .b8 pin[64]){}\n{{{}",
      result.entry, cluster ? " .explicitcluster .reqnctapercluster 2, 1, 1" : "", kDeclarations);
  ptx += fmt::format(
      "  mov.u32 %t0, %ctaid.x; mov.u32 %t1, %tid.x; mad.lo.u32 %t0, %t0, {0}, %t1;\n  ld.param.u64 %u0, "
      "[inputs]; ld.param.u64 %u1, [results];\n"
      "  mad.wide.u32 %in, %t0, {1}, %u0; mad.wide.u32 %out, %t0, {1}, %u1; mov.b32 %t4, 0;\n",
      kThreads, kRecord);
  for (unsigned at = 0; at < kRecord; at += 16)
    ptx += fmt::format("  st.global.v4.b32 [%out+{}], {{%t4, %t4, %t4, %t4}};\n", at);
  ptx += kNames;
  unsigned at = kImage;
  for (const RowRegister& source : shape.sources) {
    const unsigned size = slot_bytes(source.type);
    at = (at + size - 1) / size * size;
    ptx += fmt::format("  ld.global.b{} {}, [%in+{}];\n", 8 * size, source.name, at);
    at += size;
  }
  const bool never = row.operands.find("!neverexec") != row.operands.npos;
  const std::string text = fmt::format("  {}{}\n", never ? "setp.ne.u32 %v, %nt, %nt; @%v " : "", row.text);
  ptx += body_of(row)(row, text) + "  ret;\n}\n";
}

}  // namespace wedjat::hardware_truth
