#include "tests/emulator/hardware/cases/row_case.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <regex>

#include "tests/emulator/hardware/cases/effect_case.h"
#include "tests/emulator/hardware/cases/row_inputs.h"
#include "tests/emulator/hardware/cases/tensor_case.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wedjat::hardware_truth {
namespace {

class Writer {
 public:
  Writer(const fidelity::InventoryRow& row, const RowShape& shape, Case& result)
      : row_(row), shape_(shape), text_(row.text), case_(result), out_(std::back_inserter(result.ptx)) {}

  void write() {
    if (!row_.declarations.empty()) fmt::format_to(out_, "{}\n", row_.declarations);
    fmt::format_to(
        out_,
        ".visible .entry {}(.param .u64 inputs, .param .u64 results, .param .align 16 .b8 pin[64]){}\n{{\n",
        case_.entry, between_ctas() ? " .explicitcluster .reqnctapercluster 1, 1, 1" : "");
    declare();
    place_image();
    set_names();
    unsigned at = kImage;
    for (const RowRegister& source : shape_.sources) load(source, at);
    run();
    // Before a barrier: where eight small elements live across one, ptxas 13.0 does not end.
    if (reads_only()) show_destinations();
    if (!barrier() && (shared() || bulk())) line("bar.sync 0;");
    show_image();
    if (!reads_only()) show_destinations();
    fmt::format_to(out_, "  ret;\n}}\n");
  }

 private:
  void line(std::string_view text) { fmt::format_to(out_, "  {}\n", text); }
  bool named(std::string_view what) const { return text_.find(what) != text_.npos; }
  bool opcode(std::string_view what) const { return row_.opcode() == what; }
  bool reads_only() const { return opcode("ld") || opcode("ldu"); }
  bool barrier() const { return opcode("bar") || opcode("barrier"); }
  // Copied by an engine of its own, on behalf of one thread.
  bool bulk() const { return opcode("cp") && named(".bulk"); }
  // What may go to another CTA of the cluster: the hardware has it only in a launch with clusters.
  bool between_ctas() const {
    return named("shared::cluster.shared::cta") ||
           ((opcode("st") || opcode("red")) && named(".async") && shape_.barrier);
  }
  bool shared() const { return named("%sm") || named("%gensm") || named("sbuf") || barrier(); }

  void declare() {
    line(
        ".reg .b8 %b<16>; .reg .b16 %h<32>; .reg .b32 %r<32>; .reg .b64 %l<64>; .reg .b128 %q<8>; .reg .pred "
        "%p<16>;");
    line(".reg .b32 %tid_x, %nt, %t<8>, %sm, %mbar, %mask, %one, %zero, %sz, %four;");
    line(".reg .b64 %in, %out, %mem, %memg, %memg0, %smx, %gensm, %genmbar, %pol, %mbst, %op, %u<4>;");
    line(".reg .b16 %mask1, %bit; .reg .pred %lead, %w, %v;");
    if (named("larr")) line(".local .align 16 .b8 larr[64];");
    if (shared()) line(".shared .align 128 .b8 sbuf[8192];");
    if (shape_.barrier) line(".shared .align 8 .b64 phases;");
    line("mov.u32 %tid_x, %tid.x; mov.u32 %nt, %ntid.x; mov.u32 %t0, %ctaid.x; mul.lo.u32 %t1, %t0, %nt;");
    line("add.u32 %t0, %t1, %tid_x; setp.eq.u32 %lead, %tid_x, 0;");
    line("ld.param.u64 %u0, [inputs]; ld.param.u64 %u1, [results];");
    line(fmt::format("mad.wide.u32 %in, %t0, {0}, %u0; mad.wide.u32 %out, %t0, {0}, %u1;", kRecord));
    line(fmt::format("mad.wide.u32 %memg0, %t1, {}, {};", kRecord, shape_.space == "g0" ? "%u1" : "%u0"));
    line("mov.b32 %t4, 0;");
    for (unsigned at = 0; at < kRecord; at += 16)
      if (at >= kImage || reads_only())
        line(fmt::format("st.global.v4.b32 [%out+{}], {{%t4, %t4, %t4, %t4}};", at));
  }

  void copy(std::string_view to_space, std::string_view to, std::string_view from_space,
            std::string_view from) {
    for (unsigned at = 0; at < kImage; at += 16) {
      line(fmt::format("ld{}.v4.b32 {{%t4, %t5, %t6, %t7}}, [{}+{}];", from_space, from, at));
      line(fmt::format("st{}.v4.b32 [{}+{}], {{%t4, %t5, %t6, %t7}};", to_space, to, at));
    }
  }

  void place_image() {
    if (!reads_only()) copy(".global", "%out", ".global", "%in");
    if (shared()) {
      line("mov.u32 %t2, sbuf; mad.lo.u32 %sm, %tid_x, 64, %t2;");
      // What a copy brings must differ from what was there.
      line(fmt::format("xor.b32 %t3, %t0, {}; mad.wide.u32 %u2, %t3, {}, %u0;", opcode("cp") ? 1 : 0,
                       kRecord));
      copy(".shared", "%sm", ".global", "%u2");
    }
    if (named("larr")) copy(".local", "larr", ".global", "%in");
    if (bulk() || named(".async")) line("fence.proxy.async;");
    if (shared() && !barrier()) line("bar.sync 0;");
  }

  void set_names() {
    line(reads_only() ? "mov.b64 %mem, %in; mov.b64 %memg, %in;"
                      : "mov.b64 %mem, %out; mov.b64 %memg, %out;");
    if (opcode("cp")) line("mov.b64 %memg, %in;");
    line("mov.b64 %op, %out; mov.b32 %one, 1; mov.b32 %zero, 0; mov.b32 %sz, 32; mov.b32 %four, 4;");
    line("mov.b32 %mask, -1; mov.b16 %mask1, 1;");
    if (named("%smx")) line("cvt.u64.u32 %smx, %sm;");
    if (named("%gensm")) line("cvt.u64.u32 %gensm, %sm; cvta.shared.u64 %gensm, %gensm;");
    if (named("%pol")) line("createpolicy.fractional.L2::evict_last.b64 %pol, 1.0;");
    if (!shape_.barrier) return;
    line("mov.u32 %mbar, phases; cvt.u64.u32 %genmbar, %mbar; cvta.shared.u64 %genmbar, %genmbar;");
    const bool fresh = row_.operands.find("!fresh") != std::string_view::npos;
    if (!fresh) {
      // One more than there are threads: the phase stays open until the end, unless the row waits for it.
      const bool open = shape_.barrier_result && !named("%mbst");
      line(open ? "add.u32 %t2, %nt, 1;" : shape_.barrier_result ? "mov.b32 %t2, %nt;" : "mov.b32 %t2, 1;");
      line("@%lead mbarrier.init.shared.b64 [%mbar], %t2;");
    }
    line("bar.sync 0;");
    if (named("%mbst")) line("mbarrier.arrive.shared.b64 %mbst, [%mbar]; bar.sync 0;");
    if (shape_.barrier_result) return;
    line(fmt::format("@%lead mbarrier.arrive.expect_tx.shared.b64 _, [%mbar], {};",
                     bulk() ? 32 : expected_bytes()));
  }

  // That all threads together write asynchronously.
  unsigned expected_bytes() const {
    unsigned bytes = 0;
    for (const RowRegister& source : shape_.sources) bytes += slot_bytes(source.type);
    return bytes * kThreads;
  }

  void run() {
    std::string text(text_);
    if (barrier())
      if (const std::size_t at = text.find(", 64"); at != text.npos)
        text.replace(at, 4, fmt::format(", {}", kThreads));
    if (row_.mnemonic.starts_with("barrier.cluster.wait")) line("barrier.cluster.arrive;");
    const bool alone = bulk() || row_.mnemonic.starts_with("mbarrier.init");
    if (named("fpar")) {
      line("{ .param .align 16 .b8 fpar[64]; .param .align 16 .b8 fq[64];");
      if (opcode("st")) {
        fill_parameter();
      } else if (named(".b128")) {
        line("ld.global.v2.b64 {%u2, %u3}, [%in]; mov.b128 %q7, {%u2, %u3}; st.param.b128 [fq], %q7;");
        line("call (fpar), pass_quad, (fq);");
      } else {
        copy(".param", "fq", ".global", "%in");
        line("call (fpar), pass_bytes, (fq);");
      }
    }
    if (gives_token())
      in_turns(text);
    else
      line((alone ? "@%lead " : "") + text);
    if (named("fpar")) {
      if (opcode("st")) {
        line("call (fq), pass_bytes, (fpar);");
        copy(".global", "%out", ".param", "fq");
      }
      line("}");
    }
    if (row_.mnemonic.starts_with("barrier.cluster.arrive")) line("barrier.cluster.wait;");
    if (opcode("cp") && !bulk()) line("cp.async.wait_all;");
    if (named("bulk_group")) line("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
    if (shape_.barrier && !shape_.barrier_result) wait_for_bytes();
    if (shape_.barrier_result) show_phases();
  }

  // The object's word from before the arrival: one warp arrives after the other.
  bool gives_token() const { return row_.mnemonic.starts_with("mbarrier.arrive"); }
  void in_turns(std::string_view text) {
    line("shr.u32 %t2, %tid_x, 5; mov.b32 %t3, 0;");
    line("TURN: setp.ne.u32 %w, %t2, %t3; @%w bra NEXT;");
    line(text);
    line(
        "NEXT: bar.sync 0; add.u32 %t3, %t3, 1; shl.b32 %t4, %t3, 5; setp.lt.u32 %w, %t4, %nt; @%w bra "
        "TURN;");
  }

  // Bytes of its elements where they are less than four, else 0.
  unsigned small() const {
    static const std::regex small(R"(.*\.[busf](8|16))");
    std::cmatch match;
    const bool is_small = std::regex_match(row_.mnemonic.begin(), row_.mnemonic.end(), match, small);
    return is_small ? static_cast<unsigned>(std::stoul(match[1])) / 8 : 0;
  }

  // What the row does not store, in elements of the row's size: what ptxas keeps in a register must not be
  // written whole and then in part. Of eight small elements the row stores the first only (see space.psem).
  void fill_parameter() {
    const unsigned bytes = small();
    if (bytes == 0) return copy(".param", "fpar", ".global", "%in");
    const unsigned stored = named(".v4.") ? 4 : named(".v2.") ? 2 : 1;
    for (unsigned at = stored * bytes; at < kImage; at += bytes)
      line(fmt::format("ld.global.b{0} %h31, [%in+{1}]; st.param.b{0} [fpar+{1}], %h31;", 8 * bytes, at));
  }

  // Not for ever: what does not arrive shall be a wrong result.
  void wait_for_bytes() {
    line("mov.b32 %t3, 0;");
    line("AGAIN: mbarrier.try_wait.parity.shared.b64 %w, [%mbar], 0; @%w bra DONE;");
    line("add.u32 %t3, %t3, 1; setp.lt.u32 %v, %t3, 1000; @%v bra AGAIN;");
    line("DONE:");
  }

  // Whether the phase is over; then after one more arrival; then whether the next one is after another.
  void show_phases() {
    for (unsigned i = 0; i < 3; ++i) {
      line("bar.sync 0;");
      if (i > 0) line("@%lead mbarrier.arrive.shared.b64 _, [%mbar]; bar.sync 0;");
      line(fmt::format("mbarrier.test_wait.parity.shared.b64 %w, [%mbar], {};", i / 2));
      line(fmt::format("selp.u16 %bit, 1, 0, %w; st.global.u8 [%out+{}], %bit;", kRecord - 4 + i));
    }
  }

  void show_image() {
    if (barrier()) {
      line(row_.mnemonic.starts_with("bar.warp.sync") ? "xor.b32 %t3, %tid_x, 5;"
                                                      : "add.u32 %t3, %tid_x, 37; and.b32 %t3, %t3, 127;");
      line("mov.u32 %t2, sbuf; mad.lo.u32 %sm, %t3, 64, %t2;");
    }
    if (shape_.space == "g0") return;
    if (shared()) copy(".global", "%out", ".shared", "%sm");
    if (named("larr")) copy(".global", "%out", ".local", "larr");
  }

  void show_destinations() {
    unsigned at = kImage;
    for (const RowRegister& result : shape_.destinations) {
      store(result, at);
      // The others are unspecified (see space.psem).
      if (reads_only() && small() != 0 && named(".v8.")) return;
    }
  }

  template <class Move>
  void at_offset(const RowRegister& reg, unsigned& at, Move move) {
    const unsigned size = slot_bytes(reg.type);
    at = (at + size - 1) / size * size;
    move(at);
    at += size;
  }

  void load(const RowRegister& reg, unsigned& at) {
    at_offset(reg, at, [&](unsigned offset) {
      if (reg.type == Type::pred)
        line(fmt::format("ld.global.u8 %bit, [%in+{}]; setp.ne.u16 {}, %bit, 0;", offset, reg.name));
      else if (reg.type == Type::b128)
        line(fmt::format("ld.global.v2.b64 {{%u2, %u3}}, [%in+{}]; mov.b128 {}, {{%u2, %u3}};", offset,
                         reg.name));
      else
        line(fmt::format("ld.global.b{} {}, [%in+{}];", 8 * slot_bytes(reg.type), reg.name, offset));
    });
  }

  void store(const RowRegister& reg, unsigned& at) {
    at_offset(reg, at, [&](unsigned offset) {
      if (gives_token() && reg.type == Type::b64)  // its lower half is unspecified
        line(fmt::format("and.b64 %u2, {}, 0xffffffff00000000; st.global.b64 [%out+{}], %u2;", reg.name,
                         offset));
      else if (reg.type == Type::pred)
        line(fmt::format("selp.u16 %bit, 1, 0, {}; st.global.u8 [%out+{}], %bit;", reg.name, offset));
      else if (reg.type == Type::b128)
        line(fmt::format("mov.b128 {{%u2, %u3}}, {}; st.global.v2.b64 [%out+{}], {{%u2, %u3}};", reg.name,
                         offset));
      else
        line(fmt::format("st.global.b{} [%out+{}], {};", 8 * slot_bytes(reg.type), offset, reg.name));
    });
  }

  const fidelity::InventoryRow& row_;
  const RowShape& shape_;
  std::string_view text_;
  Case& case_;
  std::back_insert_iterator<std::string> out_;
};

unsigned fixed_byte(unsigned i) { return (i * 73 + 41) % 256; }

// Constants to read, and the function that parameters go through.
std::string module_head() {
  std::string numbers;
  for (unsigned i = 0; i < kImage; ++i) numbers += fmt::format("{}{}", i == 0 ? "" : ", ", fixed_byte(i));
  std::string head = fmt::format(
      ".const .align 16 .b8 carr[64] = {{{0}}};\n.global .align 16 .b8 gvar[64] = {{{0}}};\n"
      ".const .align 128 .b8 cmap[128] = {{{0}}};\n",
      numbers);
  head +=
      ".const .align 4 .b32 cvar = 7;\n.func (.param .align 16 .b8 to[64]) pass_bytes(.param .align 16 .b8 "
      "from[64]) {\n  .reg .b32 "
      "%t<8>;\n";
  for (unsigned at = 0; at < kImage; at += 16)
    head += fmt::format(
        "  ld.param.v4.b32 {{%t4, %t5, %t6, %t7}}, [from+{0}]; st.param.v4.b32 [to+{0}], {{%t4, %t5, %t6, "
        "%t7}};\n",
        at);
  return head +
         "  ret;\n}\n.func (.param .align 16 .b8 to[64]) pass_quad(.param .align 16 .b8 from[64]) {\n  .reg "
         ".b128 %q;\n"
         "  ld.param.b128 %q, [from]; st.param.b128 [to], %q;\n  ret;\n}\n"
         ".visible .entry kself() { ret; }\n"
         ".func (.param .b32 sum) func(.param .b32 given) {\n  .reg .b32 %t;\n"
         "  ld.param.b32 %t, [given]; add.u32 %t, %t, 1; st.param.b32 [sum], %t;\n  ret;\n}\n";
}

}  // namespace

Case make_row_case(const fidelity::InventoryRow& row, std::string entry) {
  const RowShape shape = shape_of(row);
  if (is_tensor_copy(row)) return make_tensor_case(row, shape.name, std::move(entry), module_head());
  Case result(shape.name, std::move(entry));
  if (is_effect(row))
    write_effect_kernel(row, shape, result);
  else
    Writer(row, shape, result).write();
  result.input = row_input(row, shape);
  result.output_bytes = std::size_t{kRecord} * kLanes;
  result.head = module_head();
  for (unsigned i = 0; i < kImage; ++i) result.parameters.push_back(static_cast<std::byte>(fixed_byte(i)));
  return result;
}

std::vector<std::byte> record_hashes(std::span<const std::byte> output) {
  constexpr std::size_t warp_bytes = 32 * kRecord;
  std::vector<std::byte> hashes(output.size() / warp_bytes * 8);
  for (std::size_t warp = 0; warp * warp_bytes < output.size(); ++warp) {
    const std::uint64_t hash = XXH3_64bits(output.data() + warp * warp_bytes, warp_bytes);
    std::memcpy(hashes.data() + warp * 8, &hash, 8);
  }
  return hashes;
}

}  // namespace wedjat::hardware_truth
