// A tool that writes down all it is shown.
#pragma once
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::test {

/// What a watcher asks for.
enum class Wish {
  counts,      ///< all counters of all instructions
  addresses,   ///< of accesses, before them
  values,      ///< of all instructions, after them, with what they read and what memory held
  operands,    ///< of all instructions, before them
  edges,       ///< and blocks
  conditions,  ///< of all kinds, and each third event
  sleep,       ///< in odd warps, from time to time
  registers,   ///< any of them
  warps,       ///< counts of even ones, with their ends
};
inline constexpr Wish all_wishes[] = {Wish::counts,   Wish::addresses, Wish::values,
                                      Wish::operands, Wish::edges,     Wish::conditions,
                                      Wish::sleep,    Wish::registers, Wish::warps};

struct Seen {
  std::vector<std::uint64_t> counters;
  std::vector<std::string> events;
  bool operator==(const Seen&) const = default;
};

class Watcher : public Tool {
 public:
  // Of the one that is made next.
  static inline Wish wish = Wish::counts;
  static inline Seen* seen = nullptr;

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) ask(i);
    if (mine_ != Wish::edges) return;
    for (const auto& block : blocks(k)) {
      enter<&Watcher::on_event>(k, block);
      for (std::uint32_t s = 0; s < block.successor_count; ++s) edge<&Watcher::on_event>(k, block, s);
    }
  }
  void finish() override {
    for (std::uint32_t c = 0; c < asked_; ++c) to_->counters.push_back(value(c));
  }

  void on_event(const Event& event) {
    const wedjat_instruction* const at = event.instruction;
    std::vector<std::uint64_t> numbers = {
        at == nullptr ? ~0u : at->id, event.cta, event.warp, event.active, event.executed, event.paths};
    for (std::uint32_t o = 0; wants_values() && event.rows != nullptr && o < at->operand_count; ++o)
      if (mine_ != Wish::operands || at->operands[o].in) add_rows(event, at->operands[o], numbers);
    for (std::uint32_t a = 0; event.addresses != nullptr && a < at->access_count; ++a)
      each_lane(event.executed & at->accesses[a].lanes,
                [&](unsigned lane) { numbers.push_back(event.addresses[a][lane]); });
    if (event.old != nullptr && at->access_count != 0)
      for (std::uint32_t b = 0; b < 32 * at->accesses[0].bytes; ++b)
        numbers.push_back(static_cast<const std::uint8_t*>(event.old)[b]);
    for (const wedjat_piece& piece : pieces(event))
      numbers.insert(numbers.end(), {piece.address, piece.bytes, piece.lane, piece.part});
    write(at == nullptr ? "edge" : at->text, numbers);
    if (mine_ == Wish::sleep) sleep(event, event.warp % 2 == 1 && to_->events.size() % 5 != 0);
  }
  void on_registers(const Event& event) {
    std::vector<std::uint64_t> numbers = {event.cta, event.warp, event.executed};
    if (event.instruction->guard_register != WEDJAT_NO_REGISTER)
      if (const auto* guard = register_row<std::uint32_t>(event, event.instruction->guard_register))
        numbers.push_back(*guard & event.active);
    write(event.instruction->text, numbers);
  }

 protected:
  void write(const std::string& what, const std::vector<std::uint64_t>& numbers) {
    std::string line = what;
    for (const std::uint64_t number : numbers) line += " " + std::to_string(number);
    to_->events.push_back(std::move(line));
  }

 private:
  bool wants_values() const { return mine_ == Wish::values || mine_ == Wish::operands; }

  void ask(const wedjat_instruction& i) {
    const bool rows = (i.what & WEDJAT_HAS_ROWS) != 0;
    switch (mine_) {
      case Wish::counts:
      case Wish::warps:
        for (const auto source :
             {WEDJAT_WARPS, WEDJAT_THREADS, WEDJAT_EXECUTED, WEDJAT_ISSUED, WEDJAT_DIVERGED})
          for (const std::uint32_t buckets : {0u, 5u}) add_counter(i, source, buckets, 0);
        for (std::uint32_t a = 0; a < i.access_count; ++a)
          for (const auto source :
               {WEDJAT_BYTES, WEDJAT_LINES, WEDJAT_SECTORS, WEDJAT_BANK_WAYS, WEDJAT_BANK_IDEAL})
            for (const std::uint32_t buckets : {0u, 40u}) add_counter(i, source, buckets, a);
        break;
      case Wish::addresses:
        if (rows && i.access_count != 0) before<&Watcher::on_event>(i, WEDJAT_ADDRESSES);
        break;
      case Wish::values:
        after<&Watcher::on_event>(i, (rows ? WEDJAT_ROWS | WEDJAT_INPUTS | WEDJAT_OLD : 0) | WEDJAT_EMPTY |
                                         (i.what & WEDJAT_HAS_PIECES ? WEDJAT_PIECES : 0u));
        break;
      case Wish::operands:
        before<&Watcher::on_event>(i, rows ? WEDJAT_ROWS : WEDJAT_MASKS);
        break;
      case Wish::edges:
        break;
      case Wish::conditions:
        before<&Watcher::on_event>(i, 0, nullptr, {.condition = {WEDJAT_IF_PARTIAL, 0, 0, 0}});
        before<&Watcher::on_event>(i, 0, nullptr, {.every = 3});
        // What nothing was written to holds anything.
        for (const auto& o : operands(i))
          if (rows && o.in)
            before<&Watcher::on_event>(i, 0, nullptr, {.condition = {WEDJAT_IF_VALUE, o.first, 3, 99}});
        if (rows && i.access_count != 0)
          before<&Watcher::on_event>(i, 0, nullptr,
                                     {.condition = {WEDJAT_IF_ADDRESS, 0, 0x7f0000000010, 0x7f0000000123}});
        break;
      case Wish::sleep:
        before<&Watcher::on_event>(i, (rows && i.access_count != 0 ? WEDJAT_ADDRESSES : 0) |
                                          (i.id % 3 == 0 ? 0u : WEDJAT_UNLESS_ASLEEP));
        break;
      case Wish::registers:
        before<&Watcher::on_registers>(i, WEDJAT_REGISTERS);
        break;
    }
  }
  void add_counter(const wedjat_instruction& i, wedjat_source source, std::uint32_t buckets,
                   std::uint32_t access) {
    const std::uint32_t first = counters(buckets == 0 ? 1 : buckets);
    asked_ = first + (buckets == 0 ? 1 : buckets);
    count(i, source, first, buckets, access);
  }
  static void add_rows(const Event& event, const wedjat_operand& operand, std::vector<std::uint64_t>& to) {
    for (std::uint32_t e = 0; e < operand.count; ++e) {
      const auto* const row = static_cast<const std::byte*>(event.rows[operand.first + e]);
      if (row == nullptr) continue;
      if (operand.value == WEDJAT_PRED) {
        std::uint32_t mask;
        std::memcpy(&mask, row, sizeof mask);
        to.push_back(mask & event.executed);
        continue;
      }
      const std::size_t bytes = operand.kind == WEDJAT_ADDRESS ? 8 : operand.bits / 8u;
      each_lane(event.executed, [&](unsigned lane) {
        for (std::size_t at = 0; at < bytes; at += 8) {
          std::uint64_t number = 0;
          std::memcpy(&number, row + bytes * lane + at, std::min<std::size_t>(bytes - at, 8));
          to.push_back(number);
        }
      });
    }
  }

  const Wish mine_ = wish;
  Seen* const to_ = seen;
  std::uint32_t asked_ = 0;
};

/// Also sees warps come and go, and leaves out odd ones.
class WarpWatcher : public Watcher {
 public:
  bool warp_begin(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp,
                  std::uint32_t lanes) override {
    write("begins", {launch.index, cta, warp, lanes});
    return warp % 2 == 0;
  }
  void warp_end(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp) override {
    write("ends", {launch.index, cta, warp});
  }
};

}  // namespace wedjat::test
