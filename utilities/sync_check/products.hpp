// wgmma: registers it reads and writes on its own time, until its group is waited for.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <wedjat/tool.hpp>

namespace sync_check {

/// What an instruction does with registers that matter to wgmma.
struct Use {
  enum class Kind : std::uint8_t { other, move, product, fence, commit, wait } kind = Kind::other;
  const wedjat_instruction* at = nullptr;
  std::vector<std::uint32_t> reads, writes;  ///< of a product: factors, accumulators
  std::uint32_t left = 0;                    ///< wait: groups that may still run
};

inline Use::Kind kind_of(const wedjat_instruction& i) {
  if (i.group == WEDJAT_PRODUCTS) {
    if (i.what & WEDJAT_ASYNCHRONOUS) return Use::Kind::product;
    if (i.what & WEDJAT_GROUP_FENCE) return Use::Kind::fence;
    return i.what & WEDJAT_COMMITS ? Use::Kind::commit : Use::Kind::wait;
  }
  return i.operation == WEDJAT_COPY || i.operation == WEDJAT_PACKING ? Use::Kind::move : Use::Kind::other;
}

/// Those of a kernel that matter; none if it has no wgmma. Compilers move accumulators from register to
/// register between products, and their back end takes those moves away again: a copy is what it is a copy
/// of.
inline std::deque<Use> uses_of(const wedjat_kernel& kernel) {
  std::deque<Use> all;
  std::unordered_set<std::uint32_t> watched;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> copies;  // of a register, to and from
  std::vector<std::uint32_t> open;
  const auto watch = [&](std::uint32_t r) {
    if (watched.insert(r).second) open.push_back(r);
  };
  for (const auto& i : wedjat::instructions(kernel)) {
    Use& use = all.emplace_back(Use{kind_of(i), &i, {}, {}, 0});
    const bool is_product = use.kind == Use::Kind::product;
    if (use.kind == Use::Kind::wait && i.operand_count != 0)
      use.left = static_cast<std::uint32_t>(std::strtoul(i.operands[0].text, nullptr, 0));
    for (const auto& o : wedjat::operands(i)) {
      if (is_product && o.kind != WEDJAT_FRAGMENT) continue;
      for (std::uint32_t e = 0; e < o.count; ++e) {
        if (o.registers[e] == WEDJAT_NO_REGISTER) continue;
        if (o.out) use.writes.push_back(o.registers[e]);
        if (o.in && !(is_product && o.out)) use.reads.push_back(o.registers[e]);
        if (is_product) watch(o.registers[e]);
      }
    }
    if (use.kind != Use::Kind::move) continue;
    for (const std::uint32_t to : use.writes)
      for (const std::uint32_t from : use.reads) copies[to].push_back(from), copies[from].push_back(to);
  }
  for (; !open.empty();) {
    const std::uint32_t r = open.back();
    open.pop_back();
    for (const std::uint32_t other : copies[r]) watch(other);
  }
  const auto keep_watched = [&](std::vector<std::uint32_t>& registers) {
    std::erase_if(registers, [&](std::uint32_t r) { return !watched.contains(r); });
  };
  for (Use& use : all) keep_watched(use.reads), keep_watched(use.writes);
  std::erase_if(all, [&](const Use& use) {
    const bool waits =
        use.kind == Use::Kind::fence || use.kind == Use::Kind::commit || use.kind == Use::Kind::wait;
    return watched.empty() || (!waits && use.reads.empty() && use.writes.empty());
  });
  return all;
}

/// What the products of a warp are doing.
class Products {
 public:
  enum class Fault : std::uint8_t { none, not_waited, no_fence };

  /// The warp comes to this instruction.
  Fault step(const Use& use) {
    switch (use.kind) {
      case Use::Kind::fence:
        ++fences_;
        return Fault::none;
      case Use::Kind::commit:
        ++committed_;
        return Fault::none;
      case Use::Kind::wait:
        if (committed_ > use.left) done_ = std::max(done_, committed_ - use.left);
        return Fault::none;
      case Use::Kind::product:
        return product(use);
      case Use::Kind::move:
        move(use);
        return Fault::none;
      case Use::Kind::other:
        return other(use);
    }
    return Fault::none;
  }

 private:
  struct Register {
    std::uint32_t result_of = 0,
                  factor_of = 0;  ///< one more than the group whose products write it, or read it
    std::uint32_t written = 0;    ///< one more than the fences before it was written
  };

  bool runs(std::uint32_t group) const { return group > done_; }
  Fault product(const Use& use) {
    Fault fault = fences_ == 0 ? Fault::no_fence : Fault::none;
    const auto take = [&](std::uint32_t r) -> Register& {
      Register& here = registers_[r];
      if (here.written == fences_ + 1) fault = Fault::no_fence;
      here.written = 0;  // reported once
      return here;
    };
    for (const std::uint32_t r : use.reads) take(r).factor_of = committed_ + 1;
    for (const std::uint32_t r : use.writes) take(r).result_of = committed_ + 1;
    return fault;
  }
  void move(const Use& use) {
    Register from;
    if (use.reads.size() == 1) from = registers_[use.reads[0]];
    for (const std::uint32_t r : use.writes) registers_[r] = from;
  }
  Fault other(const Use& use) {
    Fault fault = Fault::none;
    for (const std::uint32_t r : use.reads)
      if (runs(registers_[r].result_of)) fault = Fault::not_waited;
    for (const std::uint32_t r : use.writes) {
      Register& here = registers_[r];
      if (runs(here.result_of) || runs(here.factor_of)) fault = Fault::not_waited;
      here = {0, 0, fences_ + 1};
    }
    return fault;
  }

  std::unordered_map<std::uint32_t, Register> registers_;
  std::uint32_t fences_ = 0, committed_ = 0, done_ = 0;
};

}  // namespace sync_check
