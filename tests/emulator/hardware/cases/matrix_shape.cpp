#include "tests/emulator/hardware/cases/matrix_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/emulator/hardware/forms/form.h"

namespace wedjat::hardware_truth {
namespace {

struct Element {
  Format format;
  unsigned bits;
};

const std::map<std::string, Element>& elements() {
  static const std::map<std::string, Element> known{
      {"f16", {Format::f16, 16}},  {"bf16", {Format::bf16, 16}}, {"tf32", {Format::tf32, 32}},
      {"f32", {Format::f32, 32}},  {"f64", {Format::f64, 64}},   {"e4m3", {Format::e4m3, 8}},
      {"e5m2", {Format::e5m2, 8}}, {"s8", {Format::bits, 8}},    {"u8", {Format::bits, 8}},
      {"s4", {Format::bits, 4}},   {"u4", {Format::bits, 4}},    {"b1", {Format::bits, 1}},
      {"s32", {Format::bits, 32}}, {"b16", {Format::bits, 16}}};
  return known;
}

class Parser {
 public:
  explicit Parser(const std::string& form) : form_(form) {
    std::istringstream words(form);
    words >> result_.mnemonic;
    for (std::string word; words >> word;) options_.push_back(word);
    std::istringstream parts(result_.mnemonic);
    for (std::string part; std::getline(parts, part, '.');) {
      parts_.push_back(part);
      if (elements().count(part)) types_.push_back(part);
      unsigned m = 0, n = 0, k = 0;
      if (std::sscanf(part.c_str(), "m%un%uk%u", &m, &n, &k) >= 2) m_ = m, n_ = n, k_ = k;
    }
  }

  MatrixForm run() {
    const std::string& opcode = parts_.front();
    if (opcode == "ldmatrix" || opcode == "stmatrix")
      rows_of_eight(opcode == "stmatrix");
    else if (opcode == "movmatrix")
      movmatrix();
    else if (opcode == "mma")
      mma();
    else if (opcode == "wmma" && parts_[1] == "mma")
      wmma();
    else if (opcode == "wmma")
      wmma_memory(parts_[1] == "store");
    else if (opcode == "wgmma")
      wgmma();
    else
      throw InputError(form_ + ": no matrix instruction");
    return std::move(result_);
  }

 private:
  bool has(const std::string& word) const {
    return std::find(parts_.begin(), parts_.end(), word) != parts_.end();
  }
  bool option(const std::string& word) const {
    return std::find(options_.begin(), options_.end(), word) != options_.end();
  }

  void add(Role role, const std::string& type, unsigned count, bool braces = true) {
    const Element element = elements().at(type);
    result_.operands.push_back({"", role, element.format, element.bits == 64 ? 64u : 32u, count, 0, braces});
  }
  void literal(const std::string& text) { result_.operands.push_back({text, Role::literal}); }
  // Registers of a warp that hold so many elements.
  static unsigned registers(unsigned count, const std::string& type) {
    const unsigned bits = elements().at(type).bits;
    return bits == 64 ? count / 32 : std::max(count * bits / 1024, 1u);
  }
  std::string space() const {
    for (const char* word : {"shared::cta", "shared", "global"})
      if (has(word)) return word == std::string("shared::cta") ? "shared" : word;
    return "generic";
  }
  void memory(Format format) {
    MatrixOperand address{"", Role::address, format};
    address.space = space();
    result_.operands.push_back(address);
    result_.uses_memory = true;
  }

  void rows_of_eight(bool stores) {
    const unsigned count = has("x4") ? 4 : has("x2") ? 2 : 1;
    if (stores) memory(Format::row_addresses);
    add(stores ? Role::in : Role::out, "b16", count);
    if (!stores) memory(Format::row_addresses);
    result_.writes_memory = stores;
  }

  void movmatrix() {
    add(Role::out, "b16", 1, false);
    add(Role::in, "b16", 1, false);
  }

  void mma() {
    const bool sparse = parts_[1].starts_with("sp");
    const std::string &d = types_[0], &a = types_[1], &b = types_[2], &c = types_[3];
    if (m_ == 8 && k_ == 4 && a == "f16") {  // four products of eight by eight
      add(Role::out, d, d == "f32" ? 8 : 4);
      add(Role::in, a, 2);
      add(Role::in, b, 2);
      add(Role::in, c, c == "f32" ? 8 : 4);
      return;
    }
    add(Role::out, d, registers(m_ * n_, d));
    add(Role::in, a, registers(m_ * k_ / (sparse ? 2 : 1), a));
    add(Role::in, b, registers(k_ * n_, b));
    add(Role::in, c, registers(m_ * n_, c));
    if (sparse) metadata(a);
  }

  void metadata(const std::string& a) {
    result_.operands.push_back({"", Role::metadata, a == "tf32" ? Format::tf32_metadata : Format::metadata});
    std::string selector = "0";
    for (const std::string& word : options_)
      if (word.starts_with("select")) selector = word.substr(6);
    literal(selector);
  }

  void wmma() {
    const bool pair = types_.size() == 2;
    const std::string d = types_.front(), c = types_.back(), a = pair ? "f16" : types_[1],
                      b = pair ? "f16" : types_[2];
    // Wide products of f64 leave the results as they were: these must be something.
    add(d == "f64" && m_ == 16 ? Role::inout : Role::out, d, registers(m_ * n_, d));
    add(Role::in, a, a == "f16" ? 8 : registers(m_ * k_, a));
    add(Role::in, b, b == "f16" ? 8 : registers(n_ * k_, b));
    add(Role::in, c, registers(m_ * n_, c));
  }

  void wmma_memory(bool stores) {
    const std::string which = stores ? "d" : parts_[2], type = types_.back();
    const unsigned lines = which == "a" ? m_ * k_ : which == "b" ? n_ * k_ : m_ * n_;
    const unsigned count = type == "f16" && (which == "a" || which == "b") ? 8 : registers(lines, type);
    if (stores) memory(Format::bits);
    add(stores ? Role::in : Role::out, type, count);
    if (!stores) memory(Format::bits);
    if (option("ldm")) {
      const unsigned widest = std::max({m_, n_, k_});
      result_.operands.push_back({"", Role::stride, Format::bits, 32,
                                  type == "b1" ? 256u
                                  : type == "s4" || type == "u4"
                                      ? 64u
                                      : widest + (stores && widest > 16 ? 0 : 16)});
    }
    result_.writes_memory = stores;
  }

  void wgmma() {
    const bool sparse = has("sp");
    const std::string &d = types_[0], &a = types_[1], &b = types_[2];
    add(Role::inout, d, registers(16 * n_, d));
    const bool transposable = a == "f16" || a == "bf16";
    if (option("rows")) {
      add(Role::in, a, 4);
    } else {
      MatrixOperand left{"", Role::descriptor, Format::bits, 64, 64, 32};
      left.across = option("t10") || option("t11");
      result_.operands.push_back(left);
    }
    MatrixOperand right{"", Role::descriptor, Format::bits, 64, n_, sparse ? 64u : 32u};
    right.across = option("t01") || option("t11");
    result_.operands.push_back(right);
    if (sparse) metadata(a);
    result_.operands.push_back({"", Role::scale});
    if (elements().at(a).format != Format::bits) {
      literal(option("minus") ? "-1" : "1");
      literal("1");
      if (transposable && !option("rows")) literal(option("t10") || option("t11") ? "1" : "0");
      if (transposable) literal(option("t01") || option("t11") ? "1" : "0");
    }
    result_.uses_memory = true;
    result_.memory_format = elements().at(b).format;
  }

  const std::string& form_;
  MatrixForm result_;
  std::vector<std::string> parts_, types_, options_;
  unsigned m_ = 0, n_ = 0, k_ = 0;
};

std::uint32_t any_value(Format format, Random& random, unsigned mood) {
  struct Layout {
    unsigned bits, fraction, exponent;
  };
  static const std::map<Format, Layout> layouts{{Format::e4m3, {8, 3, 4}},   {Format::e5m2, {8, 2, 5}},
                                                {Format::f16, {16, 10, 5}},  {Format::bf16, {16, 7, 8}},
                                                {Format::tf32, {32, 23, 8}}, {Format::f32, {32, 23, 8}}};
  const Layout layout = layouts.at(format);
  const std::uint32_t top = (1u << layout.exponent) - 1, bias = top >> 1;
  const auto pattern = static_cast<std::uint32_t>(random.bits());
  const std::uint32_t rest = pattern & ~(top << layout.fraction);
  const auto with = [&](std::uint64_t exponent) {
    return rest | (static_cast<std::uint32_t>(exponent) & top) << layout.fraction;
  };
  switch (mood % 8) {
    case 0:
      return pattern;
    case 1:
      return with(bias - 3 + random.below(6));
    case 2:
      return with(random.below(2) == 0 ? bias : bias - std::min(bias - 1, 13u));
    case 3:
      return random.below(6) == 0 ? with(top) : with(bias);
    case 4:
      return with(random.below(3));
    case 5:
      return random.below(3) == 0 ? 0 : with(random.below(top));
    case 6:
      return with(top - 1 - random.below(3));
    default:
      return with(random.below(top));
  }
}

}  // namespace

MatrixForm parse_matrix_form(const std::string& form) { return Parser(form).run(); }

unsigned result_bits(const std::string& form) {
  for (const MatrixOperand& operand : parse_matrix_form(form).operands)
    if (operand.role == Role::out || operand.role == Role::inout) return operand.bits;
  return 32;
}

std::uint64_t any_register(Format format, Random& random, unsigned mood) {
  switch (format) {
    case Format::bits:
    case Format::row_addresses:
      return random.bits();
    case Format::f64: {
      const std::uint64_t bits = random.bits(), rest = bits & ~(0x7ffull << 52);
      const std::uint64_t exponents[] = {
          bits >> 52 & 0x7ff,      1020 + random.below(6),  random.below(8) == 0 ? 0x7ffull : 1023ull,
          random.below(3),         1023 + random.below(60), 0x7fe - random.below(600),
          300 + random.below(700), random.below(0x7ff)};
      return rest | exponents[mood % 8] << 52;
    }
    case Format::metadata:
    case Format::tf32_metadata: {
      static constexpr std::uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe}, ones[] = {0x4, 0xe};
      std::uint32_t word = 0;
      for (int nibble = 0; nibble < 8; ++nibble)
        word = word << 4 | (format == Format::metadata ? pairs[random.below(6)] : ones[random.below(2)]);
      return word;
    }
    default:
      break;
  }
  const unsigned bits = format == Format::e4m3 || format == Format::e5m2  ? 8
                        : format == Format::f16 || format == Format::bf16 ? 16
                                                                          : 32;
  std::uint32_t word = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const std::uint32_t value = any_value(format, random, mood);
    word |= (bits == 32 ? value : value & ((1u << bits) - 1)) << at;
  }
  return word;
}

std::uint64_t any_descriptor(const MatrixOperand& operand, unsigned cta, Random& random) {
  const unsigned mode = cta % 4, chunk_bits = mode == 0 ? 0 : 4 - mode, row = 16u << chunk_bits;
  const unsigned groups = operand.count / 8, chunks = operand.depth / 16;
  const bool left = operand.count == 64 && operand.depth == 32;
  // The two matrices may overlap: both are only read.
  std::uint64_t start = 1024 * random.below(2), leading = 0, stride = 0;
  if (!operand.across) {
    stride = 8ull * row;
    leading =
        mode == 0 ? stride * (left || groups < 32 ? groups : 1) + 128 * random.below(2) : stride * groups;
    if (mode == 0 && groups >= 32) leading = 128ull * groups;
    if (mode != 0 && chunks <= (1u << chunk_bits)) {
      leading = 16 * random.below(64);                                      // not used
      start += 16ull * chunks * random.below((1u << chunk_bits) / chunks);  // further along k in the pattern
    }
    if (mode == 0) start += 16 * random.below(8);
  } else {
    const unsigned k_groups = operand.depth / 16;
    if (mode == 0) {
      stride = 128;
      leading = 128ull * groups + 128 * random.below(2);
    } else {
      stride = 8ull * row;
      leading = stride * k_groups;
    }
  }
  return (start >> 4) | (leading >> 4) << 16 | (stride >> 4) << 32 | static_cast<std::uint64_t>(mode) << 62;
}

}  // namespace wedjat::hardware_truth
