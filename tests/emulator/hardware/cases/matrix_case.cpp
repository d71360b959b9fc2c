#include "tests/emulator/hardware/cases/matrix_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/emulator/hardware/cases/matrix_shape.h"
#include "tests/emulator/hardware/forms/random.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wedjat::hardware_truth {
namespace {

constexpr std::size_t pool_words = 4096, image_bytes = 49152, scratch_bytes = 4096;

// What it is without .aligned, a wgmma has the inputs of the form with it.
std::uint64_t seed_of(std::string form) {
  static constexpr std::string_view group = "wgmma.mma_async.", word = ".aligned";
  const std::size_t sync = form.find(".sync.");
  if (form.starts_with(group) && form.find(word) == form.npos) form.insert(sync + 5, word);
  return XXH3_64bits(form.data(), form.size());
}

class Writer {
 public:
  Writer(const MatrixForm& form, Case& result)
      : form_(form), case_(result), out_(std::back_inserter(result.ptx)), random_(seed_of(result.form)) {}

  void write() {
    fmt::format_to(out_, ".visible .entry {}(.param .u64 pin, .param .u64 pout)\n{{\n", case_.entry);
    const std::size_t body = case_.ptx.size();
    prepare();
    if (form_.uses_memory) fill_image();
    std::string instruction = form_.mnemonic + " ";
    std::string after;
    for (std::size_t i = 0; i < form_.operands.size(); ++i) {
      instruction += (i == 0 ? "" : ", ") + operand(form_.operands[i], i);
    }
    const bool group = form_.mnemonic.starts_with("wgmma");
    if (group) line("wgmma.fence.sync.aligned;");
    line(instruction + ";");
    if (group) {
      line("wgmma.commit_group.sync.aligned;");
      line("wgmma.wait_group.sync.aligned 0;");
    }
    store_results();
    fmt::format_to(out_, "  ret;\n}}\n");
    std::string declarations = "  .reg .pred %p<4>;\n  .reg .b16 %h<2>;\n";
    declarations += fmt::format("  .reg .b32 %r<{}>;\n  .reg .b64 %w<{}>;\n", words_ + 8, doubles_ + 8);
    if (form_.uses_memory) declarations += fmt::format("  .shared .align 1024 .b8 image[{}];\n", image_bytes);
    case_.ptx.insert(body, declarations);
  }

 private:
  void line(std::string_view text) { fmt::format_to(out_, "  {}\n", text); }
  std::string word() { return fmt::format("%r{}", 8 + words_++); }
  std::string wide() { return fmt::format("%w{}", 8 + doubles_++); }

  // %r0 thread, %r1 CTA, %r2 lane, %r3 warp of the grid, %r4 where the CTA begins in pools, %w0 pin, %w1 pout
  void prepare() {
    line("ld.param.u64 %w0, [pin];");
    line("ld.param.u64 %w1, [pout];");
    line("mov.u32 %r0, %tid.x;");
    line("mov.u32 %r1, %ctaid.x;");
    line("and.b32 %r2, %r0, 31;");
    line("mad.lo.u32 %r3, %r1, 128, %r0;");
    line("mad.lo.u32 %r4, %r1, 517, 0;");
    line("mad.lo.u32 %r4, %r0, 5, %r4;");
    line("shl.b32 %r5, %r3, 2;");
  }

  // Shared memory is the image, 16 bytes at a time; its place in the input is remembered for global loads.
  void fill_image() {
    image_at_ = case_.input.size();
    std::vector<std::byte> image(image_bytes);
    const MatrixOperand memory{"", Role::in, form_.memory_format, 32, 0, 0};
    for (std::size_t at = 0; at < image_bytes; at += 4) {
      const std::uint32_t value = any_register(memory.format, random_, static_cast<unsigned>(at / 6144));
      std::memcpy(image.data() + at, &value, 4);
    }
    case_.input.insert(case_.input.end(), image.begin(), image.end());
    line("mov.u32 %r6, image;");
    line("mul.wide.u32 %w2, %r0, 16;");
    line("add.u64 %w2, %w2, %w0;");
    line("mad.lo.u32 %r7, %r0, 16, %r6;");
    const std::string a = word(), b = word(), c = word(), d = word();
    for (std::size_t at = 0; at < image_bytes; at += 2048) {
      line(fmt::format("ld.global.v4.b32 {{{}, {}, {}, {}}}, [%w2+{}];", a, b, c, d, image_at_ + at));
      line(fmt::format("st.shared.v4.b32 [%r7+{}], {{{}, {}, {}, {}}};", at, a, b, c, d));
    }
    line("fence.proxy.async;");
    line("bar.sync 0;");
  }

  // A pool of the operand's format, appended to the input; its offset.
  std::size_t pool(const MatrixOperand& operand) {
    const std::size_t at = case_.input.size(), bytes = operand.bits / 8;
    case_.input.resize(at + pool_words * bytes);
    // Other seeds let operands of different ranges meet.
    const auto mood = input_seed == 0 ? 0 : static_cast<unsigned>(random_.below(8));
    for (std::size_t i = 0; i < pool_words; ++i) {
      const std::uint64_t value =
          any_register(operand.format, random_, static_cast<unsigned>(i / 517) + mood);
      std::memcpy(case_.input.data() + at + i * bytes, &value, bytes);
    }
    return at;
  }

  std::string loaded(std::size_t pool_at, unsigned number, unsigned bits) {
    const std::string index = word(), address = wide(), value = bits == 64 ? wide() : word();
    line(fmt::format("add.u32 {}, %r4, {};", index, number * 37));
    line(fmt::format("and.b32 {0}, {0}, {1};", index, pool_words - 1));
    line(fmt::format("mad.wide.u32 {}, {}, {}, %w0;", address, index, bits / 8));
    line(fmt::format("ld.global.b{} {}, [{}+{}];", bits, value, address, pool_at));
    return value;
  }

  std::string operand(const MatrixOperand& o, std::size_t) {
    switch (o.role) {
      case Role::literal:
        return o.name;
      case Role::address:
        return address(o);
      case Role::stride: {
        const std::string value = word();
        line(fmt::format("mov.u32 {}, {};", value, o.count));
        return value;
      }
      case Role::descriptor:
        return descriptor(o);
      case Role::scale:  // off in every third CTA
        line("rem.u32 %r7, %r1, 3;");
        line("setp.ne.u32 %p0, %r7, 2;");
        return "%p0";
      case Role::metadata:
        return loaded(pool(o), 0, 32);
      default:
        break;
    }
    std::string list;
    const std::size_t at = o.role == Role::out ? 0 : pool(o);
    for (unsigned i = 0; i < o.count; ++i) {
      const std::string name = o.role == Role::out ? (o.bits == 64 ? wide() : word()) : loaded(at, i, o.bits);
      if (o.role != Role::in) results_.push_back({name, o.bits});
      list += (i == 0 ? "" : ", ") + name;
    }
    return o.braces ? "{" + list + "}" : list;
  }

  // Start, leading and stride offsets that keep the matrix in the image; the mode of swizzling is the CTA's.
  std::string descriptor(const MatrixOperand& o) {
    const std::size_t at = case_.input.size();
    case_.input.resize(at + 8 * kBlocks);
    for (unsigned cta = 0; cta < kBlocks; ++cta) {
      const std::uint64_t value = any_descriptor(o, cta, random_);
      std::memcpy(case_.input.data() + at + 8 * cta, &value, 8);
    }
    const std::string value = wide(), start = wide(), address = wide();
    line(fmt::format("mad.wide.u32 {}, %r1, 8, %w0;", address));
    line(fmt::format("ld.global.b64 {}, [{}+{}];", value, address, at));
    line(fmt::format("cvt.u64.u32 {}, %r6;", start));
    line(fmt::format("shr.u64 {0}, {0}, 4;", start));
    line(fmt::format("add.u64 {0}, {0}, {1};", value, start));
    return value;
  }

  // Rows of 16 bytes anywhere (ldmatrix), a tile of the warp's own (wmma), or the warp's scratch memory.
  std::string address(const MatrixOperand& o) {
    const std::string offset = word(), generic = wide();
    const bool writes = form_.writes_memory;
    if (o.format == Format::row_addresses && !writes) {
      const std::size_t at = case_.input.size();
      case_.input.resize(at + 4 * kLanes);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const auto row = static_cast<std::uint32_t>(16 * random_.below(image_bytes / 16));
        std::memcpy(case_.input.data() + at + 4 * lane, &row, 4);
      }
      line(fmt::format("mad.wide.u32 {}, %r3, 4, %w0;", generic));
      line(fmt::format("ld.global.b32 {}, [{}+{}];", offset, generic, at));
    } else if (writes) {
      line(fmt::format("shr.u32 {}, %r0, 5;", offset));
      line(fmt::format("mul.lo.u32 {0}, {0}, {1};", offset, scratch_bytes));
      if (o.format == Format::row_addresses) {
        line("xor.b32 %r7, %r2, 21;");
        line(fmt::format("mad.lo.u32 {0}, %r7, 16, {0};", offset));
      }
      clear_scratch(o);
    } else {
      line(fmt::format("shr.u32 {}, %r3, 5;", offset));
      line(fmt::format("mul.lo.u32 {0}, {0}, {1};", offset, 1024));
    }
    if (o.space == "global") {
      line(fmt::format("cvt.u64.u32 {}, {};", generic, offset));
      line(fmt::format("add.u64 {0}, {0}, {1};", generic, writes ? "%w7" : "%w0"));
      return fmt::format("[{}+{}]", generic, writes ? 0 : image_at_);
    }
    line(fmt::format("add.u32 {0}, {0}, %r6;", offset));
    if (o.space != "generic") return fmt::format("[{}]", offset);
    line(fmt::format("cvt.u64.u32 {}, {};", generic, offset));
    line(fmt::format("cvta.shared.u64 {0}, {0};", generic));
    return fmt::format("[{}]", generic);
  }

  // Each warp's scratch memory is zero before it is written to; %w7: the CTA's in global memory.
  void clear_scratch(const MatrixOperand& o) {
    scratch_global_ = o.space == "global";
    line("mul.wide.u32 %w7, %r1, 16384;");
    line("add.u64 %w7, %w7, %w1;");
    line("mul.wide.u32 %w6, %r0, 128;");
    if (scratch_global_) line("add.u64 %w6, %w6, %w7;");
    line("mad.lo.u32 %r7, %r0, 128, %r6;");
    for (unsigned at = 0; at < 128; at += 8)
      line(scratch_global_ ? fmt::format("st.global.b64 [%w6+{}], 0;", at)
                           : fmt::format("st.shared.b64 [%r7+{}], 0;", at));
    line("bar.sync 0;");
  }

  void store_results() {
    std::size_t at = 0;
    if (form_.writes_memory && scratch_global_) {
      case_.output_bytes = 16384 * kBlocks;
      return;
    }
    if (form_.writes_memory) {
      line("bar.sync 0;");
      line("mad.lo.u32 %r7, %r0, 128, %r6;");
      line("mul.wide.u32 %w6, %r3, 128;");
      line("add.u64 %w6, %w6, %w1;");
      const std::string value = wide();
      for (unsigned byte = 0; byte < 128; byte += 8) {
        line(fmt::format("ld.shared.b64 {}, [%r7+{}];", value, byte));
        line(fmt::format("st.global.b64 [%w6+{}], {};", byte, value));
      }
      case_.output_bytes = 128 * kLanes;
      return;
    }
    const std::string address = wide();
    for (const auto& [name, bits] : results_) {
      line(fmt::format("mad.wide.u32 {}, %r3, {}, %w1;", address, bits / 8));
      line(fmt::format("st.global.b{} [{}+{}], {};", bits, address, at, name));
      at += bits / 8 * kLanes;
    }
    case_.output_bytes = at;
  }

  struct Result {
    std::string name;
    unsigned bits;
  };

  const MatrixForm& form_;
  Case& case_;
  std::back_insert_iterator<std::string> out_;
  Random random_;
  unsigned words_ = 0, doubles_ = 0;
  std::size_t image_at_ = 0;
  bool scratch_global_ = false;
  std::vector<Result> results_;
};

}  // namespace

Case make_matrix_case(const std::string& form, std::string entry) {
  Case result(form, std::move(entry));
  const MatrixForm parsed = parse_matrix_form(form);
  Writer(parsed, result).write();
  return result;
}

std::vector<std::string> read_matrix_forms(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("{}: cannot be read", file.string()));
  std::vector<std::string> forms;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (std::string& form : expand_alternatives(line)) forms.push_back(std::move(form));
  }
  return forms;
}

std::vector<std::byte> warp_hashes(const Case& one, std::span<const std::byte> output) {
  constexpr std::size_t warps = kLanes / 32;
  std::vector<std::byte> result(warps * 8);
  const bool memory = parse_matrix_form(one.form).writes_memory;
  // Registers lie slot after slot, 8 or 4 bytes a lane; memory lies warp after warp.
  const std::size_t slot = memory ? output.size() : kLanes * result_bits(one.form) / 8;
  for (std::size_t warp = 0; warp < warps; ++warp) {
    XXH3_state_t* state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (std::size_t at = 0; at < output.size(); at += slot)
      XXH3_64bits_update(state, output.data() + at + warp * slot / warps, slot / warps);
    const std::uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    std::memcpy(result.data() + warp * 8, &hash, 8);
  }
  return result;
}

}  // namespace wedjat::hardware_truth
