#include "tests/emulator/hardware/forms/inputs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "tests/emulator/hardware/forms/domain.h"
#include "tests/emulator/hardware/forms/warp_inputs.h"

namespace wedjat::hardware_truth {
namespace {

using Kind = Domain::Kind;

unsigned bits_of(Type type) {
  switch (type) {
    case Type::b8:
      return 8;
    case Type::b16:
      return 16;
    case Type::b32:
      return 32;
    case Type::pred:
      return 1;
    case Type::b64:
    case Type::b128:
      return 64;
  }
  return 64;
}

std::optional<Domain> domain_of_type(std::string_view name) {
  if (name == "f16") return Domain{Kind::floating, 16, {5, 10}};
  if (name == "bf16") return Domain{Kind::floating, 16, {8, 7}};
  if (name == "f16x2") return Domain{Kind::floating, 32, {5, 10}, true};
  if (name == "bf16x2") return Domain{Kind::floating, 32, {8, 7}, true};
  if (name == "f32") return Domain{Kind::floating, 32, {8, 23}};
  if (name == "f64") return Domain{Kind::floating, 64, {11, 52}};
  if (name == "u16x2" || name == "s16x2") return Domain{Kind::integer, 32, {}, true};
  if (name == "e4m3x2" || name == "e5m2x2") return Domain{Kind::byte_pair, 16};
  return std::nullopt;
}

// Operands that are no plain number, by opcode and position among the sources.
std::optional<Domain> domain_of_position(const Form& form, std::size_t position, unsigned bits) {
  const std::string_view opcode = form.opcode();
  const bool counts = ((opcode == "shl" || opcode == "shr") && position == 1) ||
                      (opcode == "shf" && position == 2) || (opcode == "bfe" && position >= 1) ||
                      (opcode == "bfi" && position >= 2) || opcode == "bmsk" ||
                      (opcode == "szext" && position == 1) || (opcode == "fns" && position == 2);
  if (counts) return Domain{Kind::count, bits};
  // What PTX leaves open is left to other seeds: there it is what the hardware does.
  if (input_seed != 0) return std::nullopt;
  if (opcode == "fns" && position == 1) return Domain{Kind::lane, bits};
  const bool floating =
      form.mnemonic.find(".f32") != form.mnemonic.npos || form.mnemonic.find(".f64") != form.mnemonic.npos;
  if ((opcode == "div" || opcode == "rem") && position == 1 && !floating) return Domain{Kind::nonzero, bits};
  return std::nullopt;
}

// The type of the sources is the last one of the mnemonic; slct has another one for what it selects among.
Domain domain_of(const Form& form, std::size_t position, Type type) {
  if (type == Type::pred) return Domain{Kind::predicate, 1};
  const unsigned bits = bits_of(type);
  if (const auto domain = domain_of_position(form, position, bits)) return *domain;
  std::vector<std::string_view> words = form.modifiers();
  if (form.opcode() == "slct" && position < 2) words.pop_back();
  if (!words.empty()) {
    if (const auto domain = domain_of_type(words.back()); domain && domain->bits == bits) return *domain;
  }
  return Domain{Kind::integer, bits};
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t position) {
  return Random(lane * 0x100 + position).bits() >> 20;
}

// Lanes 0..255: the 16 chief corners of the first two operands with each other. 256..511: all corners in
// turn. 512..1023: random, every fourth lane with operands close to the first, every fourth with some
// corners. A single operand goes through its corners twice, not through the same 16 again and again.
// Another seed has other chief corners, and results at the ends of the exponents' range in every fourth lane.
void fill_lanes(const std::vector<Domain>& domains, Random& random, std::vector<Values>& values) {
  std::vector<std::vector<std::uint64_t>> corners;
  for (const Domain& domain : domains) {
    corners.push_back(domain.corners());
    if (input_seed != 0) random.shuffle(corners.back());
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = 0; i < domains.size(); ++i) {
      const std::size_t count = corners[i].size(), chief = std::min<std::size_t>(count, 16);
      std::uint64_t value;
      if (lane < 512 && (lane >= 256 || domains.size() == 1)) {
        value = corners[i][(lane * (2 * i + 1) + lane / count * i + i * i * 5) % count];
      } else if (lane < 256) {
        const std::size_t index = i == 0 ? lane % 16 : i == 1 ? lane / 16 : mixed(lane, i);
        value = corners[i][index % chief];
      } else if (i > 0 && lane % 4 == 1 && domains[i].bits == domains[0].bits) {
        value = domains[i].near(values[random.below(i)].low[lane], random);
      } else if (input_seed != 0 && lane % 4 == 3 && domains[i].bits == domains[0].bits) {
        value = domains[i].at_the_ends(i == 0 ? domains[0].random(random) : values[0].low[lane], random);
      } else if (lane % 4 == 2 && random.below(2) == 0) {
        value = corners[i][random.below(count)];
      } else {
        value = domains[i].random(random);
      }
      values[i].low[lane] = value;
    }
  }
}

}  // namespace

namespace {

// The many forms of a video instruction share their inputs: their results are then alike, and small as a
// file.
std::string_view seed_of(const Form& form) {
  static const std::regex video("v(add|sub|absdiff|min|max|avrg|set|shl|shr|mad)[24]?");
  const std::string_view opcode = form.opcode();
  return std::regex_match(opcode.begin(), opcode.end(), video) ? opcode : std::string_view(form.text);
}

}  // namespace

std::vector<Values> make_inputs(const Form& form) {
  const std::string_view seed = seed_of(form);
  Random random(XXH3_64bits(seed.data(), seed.size()));
  std::vector<Values> values;
  std::vector<Domain> domains;
  std::size_t position = 0;  // among the sources, immediates too
  for (const Operand& operand : form.operands) {
    if (operand.role == Operand::Role::destination) continue;
    if (operand.role == Operand::Role::literal) {
      ++position;
      continue;
    }
    for (unsigned element = 0; element < std::max(operand.elements, 1u); ++element, ++position) {
      domains.push_back(domain_of(form, position, operand.type));
      values.push_back({operand.type, std::vector<std::uint64_t>(kLanes), {}});
    }
  }
  if (form.carry_in) {
    domains.push_back(Domain{Kind::predicate, 1});
    values.push_back({Type::b32, std::vector<std::uint64_t>(kLanes), {}});
  }
  if (is_warp_wide(form)) {
    fill_warps(form, random, values);
  } else {
    fill_lanes(domains, random, values);
  }
  for (Values& one : values) {
    if (one.type != Type::b128) continue;
    one.high.resize(kLanes);
    for (std::uint64_t& word : one.high) word = random.bits();
  }
  return values;
}

}  // namespace wedjat::hardware_truth
