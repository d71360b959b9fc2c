#include "traces/compare/marks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

using Kind = wedjat::Location::Kind;

bool moves(const wedjat_instruction& at) {
  switch (at.operation) {
    case WEDJAT_COPY:
    case WEDJAT_PACKING:
    case WEDJAT_LOADED:
    case WEDJAT_STORED:
    case WEDJAT_SELECTION:
    case WEDJAT_EXCHANGE:
      return true;
    default:
      return false;
  }
}

bool is_float(const wedjat_operand& operand) { return operand.value == WEDJAT_FLOAT; }

class Watcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& at : instructions(kernel)) {
      const bool floats = std::ranges::any_of(operands(at), is_float);
      if ((at.what & WEDJAT_HAS_PIECES) != 0 && (at.what & WEDJAT_TEXELS) == 0)
        marks_.not_followed.insert(at.form);
      if ((at.what & WEDJAT_HAS_ROWS) == 0 || !(floats || moves(at))) continue;
      const bool memory = at.access_count != 0;
      if (memory && at.update == WEDJAT_SUM && floats)
        after<&Watcher::update>(at, WEDJAT_ROWS | WEDJAT_INPUTS | WEDJAT_ADDRESSES | WEDJAT_OLD);
      else
        after<&Watcher::executed>(at, WEDJAT_ROWS | WEDJAT_INPUTS | (memory ? WEDJAT_ADDRESSES : 0));
    }
  }
  void warp_end(const wedjat_launch&, std::uint64_t cta, std::uint32_t warp) override {
    marks_.warps.erase(key(cta, warp));
  }

 private:
  struct Value {
    Parts parts;
    std::uint64_t bits = 0;
    unsigned bytes = 0;
    bool exact = true;  // each part is what its bits say
  };

  static std::uint64_t key(std::uint64_t cta, std::uint32_t warp) { return cta * 64 + warp; }

  Part plain(FloatFormat format, std::uint64_t bits) const {
    return {format, marks_.ring.of(format, bits), bits};
  }

  Parts plain_parts(const wedjat_operand& operand, std::uint64_t bits) const {
    Parts parts;
    FloatFormat format{};
    if (!is_float(operand) || !format_of(operand.format, format)) return parts;
    const unsigned width = 8 * bytes_of(format);
    for (unsigned at = 0; at < operand.bits; at += width)
      parts.push_back(plain(format, width == 64 ? bits : bits >> at & ((std::uint64_t{1} << width) - 1)));
    return parts;
  }

  static unsigned bytes_of(const wedjat_operand& operand) { return std::max(1, operand.bits / 8); }
  static unsigned bytes_of(FloatFormat format) { return traces::bytes_of(format); }

  static std::uint64_t bits_of(const wedjat::Event& event, const wedjat_operand& operand, unsigned element,
                               unsigned lane) {
    std::uint64_t bits = 0;
    const auto* const row = static_cast<const std::byte*>(event.rows[operand.first + element]);
    if (row == nullptr) return 0;
    if (operand.bits < 8) {
      std::uint32_t mask = 0;
      std::memcpy(&mask, row, sizeof mask);
      return mask >> lane & 1;
    }
    const std::size_t bytes = bytes_of(operand);
    std::memcpy(&bits, row + bytes * lane, std::min(bytes, sizeof bits));
    return bits;
  }

  static std::uint64_t together(const Parts& parts) {
    std::uint64_t bits = 0;
    unsigned at = 0;
    for (const Part& part : parts) {
      bits |= part.bits << at;
      at += 8 * bytes_of(part.format);
    }
    return bits;
  }

  Value value(const wedjat::Event& event, const wedjat_operand& operand, unsigned element, unsigned lane) {
    Value value{.parts = {}, .bits = bits_of(event, operand, element, lane), .bytes = bytes_of(operand)};
    if (const Parts* const kept = kept_in(event, operand.registers[element], lane))
      if (together(*kept) == value.bits) {
        value.parts = *kept;
        value.exact = false;
        return value;
      }
    value.parts = plain_parts(operand, value.bits);
    return value;
  }

  const Parts* kept_in(const wedjat::Event& event, std::uint32_t reg, unsigned lane) {
    const auto warp = marks_.warps.find(key(event.cta, event.warp));
    if (warp == marks_.warps.end()) return nullptr;
    const auto lanes = warp->second.find(reg);
    if (lanes == warp->second.end()) return nullptr;
    const auto parts = lanes->second.find(lane);
    return parts == lanes->second.end() ? nullptr : &parts->second;
  }

  bool is_plain(const Part& part) const { return part.mark == marks_.ring.of(part.format, part.bits); }

  // The register holds it from now on.
  void keep(const wedjat::Event& event, const wedjat_operand& operand, unsigned element, unsigned lane,
            const Parts& parts) {
    const std::uint32_t reg = operand.registers[element];
    if (reg == WEDJAT_NO_REGISTER) return;
    Marks::Registers& registers = marks_.warps[key(event.cta, event.warp)];
    if (parts.empty() || std::ranges::all_of(parts, [&](const Part& part) { return is_plain(part); })) {
      if (const auto lanes = registers.find(reg); lanes != registers.end()) lanes->second.erase(lane);
      return;
    }
    registers[reg][lane] = parts;
  }

  void executed(const wedjat::Event& event) {
    const wedjat_instruction& at = *event.instruction;
    if (at.operation == WEDJAT_EXCHANGE) return exchange(event);
    each_lane(event.executed, [&](unsigned lane) {
      if (at.operation == WEDJAT_LOADED)
        load(event, lane);
      else if (at.operation == WEDJAT_STORED)
        store(event, lane);
      else
        compute(event, lane);
    });
  }

  Marks::Place place(const wedjat::Event& event, unsigned lane, std::uint64_t offset) const {
    const wedjat::Location at =
        locate(event, event.instruction->accesses[0], event.addresses[0][lane] + offset);
    return {at.kind, at.kind == Kind::local ? 2048 * event.cta + 32 * event.warp + lane : at.cta, at.address};
  }

  const wedjat_operand* value_operand(const wedjat_instruction& at, bool out) const {
    for (const wedjat_operand& operand : operands(at))
      if (operand.kind != WEDJAT_ADDRESS && (out ? operand.out : operand.in) != 0) return &operand;
    return nullptr;
  }

  void load(const wedjat::Event& event, unsigned lane) {
    const wedjat_operand* const to = value_operand(*event.instruction, true);
    if (to == nullptr || event.addresses == nullptr) return;
    for (unsigned e = 0; e < to->count; ++e) {
      const std::uint64_t bits = bits_of(event, *to, e, lane), bytes = bytes_of(*to);
      Parts parts;
      bool found = false;
      for (std::uint64_t at = 0; at < bytes;) {
        const auto held = marks_.memory.find(place(event, lane, e * bytes + at));
        const FloatFormat format = held != marks_.memory.end() ? held->second.part.format
                                   : parts.empty()             ? FloatFormat::f32
                                                               : parts.front().format;
        const unsigned width = bytes_of(format);
        if (width > bytes - at || at % width != 0) break;
        const std::uint64_t here = width == 8 ? bits : bits >> 8 * at & ((std::uint64_t{1} << 8 * width) - 1);
        Part part = plain(format, here);
        if (held != marks_.memory.end() && (held->second.any_bits || held->second.part.bits == here)) {
          part.mark = held->second.part.mark;
          found = true;
        }
        parts.push_back(part);
        at += width;
      }
      keep(event, *to, e, lane, found && together(parts) == bits ? parts : Parts{});
    }
  }

  void store(const wedjat::Event& event, unsigned lane) {
    const wedjat_operand* const from = value_operand(*event.instruction, false);
    if (from == nullptr || event.addresses == nullptr) return;
    for (unsigned e = 0; e < from->count; ++e) {
      const Value stored = value(event, *from, e, lane);
      std::uint64_t offset = std::uint64_t{e} * stored.bytes;
      if (stored.exact) {
        for (unsigned at = 0; at < stored.bytes; at += 2)
          marks_.memory.erase(place(event, lane, offset + at));
        continue;
      }
      for (const Part& part : stored.parts) {
        marks_.memory[place(event, lane, offset)] = {part};
        offset += bytes_of(part.format);
      }
    }
  }

  // Atomic additions: their order is free, the exact sum is not.
  void update(const wedjat::Event& event) {
    const wedjat_instruction& at = *event.instruction;
    const wedjat_access& access = at.accesses[0];
    const std::size_t operand = access.operand + std::size_t{1};
    if (event.addresses == nullptr || event.old == nullptr || operand >= at.operand_count ||
        access.bytes > 8) {
      marks_.not_followed.insert(at.form);
      return;
    }
    each_lane(event.executed, [&](unsigned lane) {
      std::uint64_t offset = 0;
      for (unsigned e = 0; e < at.operands[operand].count; ++e)
        for (const Part& addend : value(event, at.operands[operand], e, lane).parts) {
          const Marks::Place where = place(event, lane, offset);
          auto held = marks_.memory.find(where);
          if (held == marks_.memory.end()) {
            std::uint64_t old = 0;
            std::memcpy(&old,
                        static_cast<const std::byte*>(event.old) + std::size_t{lane} * access.bytes + offset,
                        bytes_of(addend.format));
            held = marks_.memory.emplace(where, Marks::Held{plain(addend.format, old)}).first;
          }
          held->second.part.mark = marks_.ring.sum(held->second.part.mark, addend.mark);
          held->second.any_bits = true;
          offset += bytes_of(addend.format);
        }
    });
  }

  void exchange(const wedjat::Event& event) {
    const auto lanes = lanes_read(event);
    const wedjat_operand* const to = value_operand(*event.instruction, true);
    const wedjat_operand* const from = value_operand(*event.instruction, false);
    if (!lanes || to == nullptr || from == nullptr) {
      marks_.not_followed.insert(event.instruction->form);
      return;
    }
    std::array<Parts, 32> all;
    each_lane(event.executed, [&](unsigned lane) {
      const Value taken = value(event, *from, 0, (*lanes)[lane] % 32);
      if (!taken.exact && together(taken.parts) == bits_of(event, *to, 0, lane)) all[lane] = taken.parts;
    });
    each_lane(event.executed, [&](unsigned lane) { keep(event, *to, 0, lane, all[lane]); });
  }

  void compute(const wedjat::Event& event, unsigned lane) {
    const wedjat_instruction& at = *event.instruction;
    std::vector<Value> inputs;
    bool exact = true;
    for (const wedjat_operand& operand : operands(at)) {
      if (operand.in == 0 || operand.kind == WEDJAT_ADDRESS) continue;
      for (unsigned e = 0; e < operand.count; ++e) {
        inputs.push_back(value(event, operand, e, lane));
        exact = exact && inputs.back().exact;
      }
    }
    if (at.operation == WEDJAT_PACKING) return pack(event, lane, inputs);
    const bool first = lane == static_cast<unsigned>(std::countr_zero(event.executed));
    const bool decides = !moves(at) && std::ranges::any_of(operands(at), [](const wedjat_operand& operand) {
      return operand.out != 0 && !is_float(operand);
    });
    if (!exact && decides && first) ++marks_.decisions;
    for (const wedjat_operand& operand : operands(at)) {
      if (operand.out == 0) continue;
      for (unsigned e = 0; e < operand.count; ++e) {
        const std::uint64_t bits = bits_of(event, operand, e, lane);
        if (!is_float(operand) && !moves(at)) {
          keep(event, operand, e, lane, {});
        } else if (operand.kind == WEDJAT_FRAGMENT || (at.what & WEDJAT_OTHER_LANES) != 0) {
          marks_.not_followed.insert(at.form);
          keep(event, operand, e, lane, {});
        } else {
          keep(event, operand, e, lane, result(at, operand, bits, inputs, exact));
        }
      }
    }
  }

  // The inputs side by side, or one input in pieces.
  void pack(const wedjat::Event& event, unsigned lane, const std::vector<Value>& inputs) {
    Parts all;
    for (const Value& input : inputs) {
      if (input.parts.empty()) break;
      all.insert(all.end(), input.parts.begin(), input.parts.end());
    }
    std::size_t next = 0;
    for (const wedjat_operand& operand : operands(*event.instruction)) {
      if (operand.out == 0) continue;
      for (unsigned e = 0; e < operand.count; ++e) {
        Parts parts;
        unsigned bytes = 0;
        for (; next < all.size() && bytes < bytes_of(operand); ++next) {
          parts.push_back(all[next]);
          bytes += bytes_of(all[next].format);
        }
        const bool fits = bytes == bytes_of(operand) && together(parts) == bits_of(event, operand, e, lane);
        keep(event, operand, e, lane, fits ? parts : Parts{});
      }
    }
  }

  Parts result(const wedjat_instruction& at, const wedjat_operand& operand, std::uint64_t bits,
               const std::vector<Value>& inputs, bool exact) const {
    if (moves(at)) {  // whichever input it is
      for (const Value& input : inputs)
        if (!input.exact && input.bits == bits && input.bytes == bytes_of(operand)) return input.parts;
      return {};
    }
    Parts parts = plain_parts(operand, bits);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<const Part*> from;
      for (const Value& input : inputs)
        if (!input.parts.empty()) from.push_back(&input.parts[std::min(i, input.parts.size() - 1)]);
      parts[i].mark = mark_of(at, parts[i], from, inputs, exact);
    }
    return parts;
  }

  // The exact result, if the rounded one is near it: it may also be limited to a range, for instance.
  Mark mark_of(const wedjat_instruction& at, const Part& rounded, const std::vector<const Part*>& from,
               const std::vector<Value>& inputs, bool exact) const {
    const Ring& ring = marks_.ring;
    const double is = number_of(rounded.format, rounded.bits);
    if (!std::isfinite(is)) return rounded.mark;
    std::vector<double> numbers;
    for (const Part* const part : from) numbers.push_back(number_of(part->format, part->bits));
    const auto near = [&](double wanted, double size) {
      return std::abs(is - wanted) <=
             std::ldexp(size, -6) + (rounded.format == FloatFormat::f16 ? 1e-7 : 1e-37);
    };
    const std::size_t count = from.size();
    switch (at.operation) {
      case WEDJAT_SUM:
        if (count == 2 && near(numbers[0] + numbers[1], std::abs(numbers[0]) + std::abs(numbers[1])))
          return ring.sum(from[0]->mark, from[1]->mark);
        break;
      case WEDJAT_DIFFERENCE:
        if (count == 2 && near(numbers[0] - numbers[1], std::abs(numbers[0]) + std::abs(numbers[1])))
          return ring.difference(from[0]->mark, from[1]->mark);
        break;
      case WEDJAT_PRODUCT:
        if (count == 2 && near(numbers[0] * numbers[1], std::abs(is)))
          return ring.product(from[0]->mark, from[1]->mark);
        break;
      case WEDJAT_PRODUCT_SUM:
        if (count == 3 && near(numbers[0] * numbers[1] + numbers[2],
                               std::abs(numbers[0] * numbers[1]) + std::abs(numbers[2])))
          return ring.sum(ring.product(from[0]->mark, from[1]->mark), from[2]->mark);
        break;
      case WEDJAT_NEGATION:
        if (count == 1 && is == -numbers[0]) return ring.difference({}, from[0]->mark);
        break;
      case WEDJAT_MAGNITUDE:
        if (count == 1 && is == std::abs(numbers[0]))
          return numbers[0] < 0 ? ring.difference({}, from[0]->mark) : from[0]->mark;
        break;
      case WEDJAT_MINIMUM:
      case WEDJAT_MAXIMUM:
        for (const Part* const part : from)
          if (part->format == rounded.format && part->bits == rounded.bits) return part->mark;
        break;
      default:
        break;
    }
    if (exact) return rounded.mark;
    std::vector<Mark> arguments;
    for (const Value& input : inputs) {
      for (const Part& part : input.parts) arguments.push_back(part.mark);
      if (input.parts.empty()) arguments.push_back({{input.bits, input.bits}});
    }
    return ring.of_function(at.form, arguments);
  }

  Marks& marks_ = *attaching<Marks>;
};

}  // namespace

void Marks::attach(hooks::Hooks& hooks) {
  attach_tool<Watcher>(hooks, *this, "exact_values", "numbers without rounding");
}

const Marks::Held* Marks::at(std::uint64_t address) const {
  const auto held = memory.find({Kind::global, 0, address});
  return held == memory.end() ? nullptr : &held->second;
}

}  // namespace wedjat::traces
