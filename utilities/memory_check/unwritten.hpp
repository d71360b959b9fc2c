// Registers, and bytes of .param variables, that some path reads before it writes them.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "registers.hpp"

namespace memory_check {

struct Unwritten {
  std::uint32_t cell;
  const wedjat_instruction* reader;  // the first in the text
  bool given_back = false;           // a result of the function
  std::uint32_t function = 0;

  std::string text(const Calls& calls, const wedjat_kernel& kernel) const {
    return (given_back ? "gives back " : "reads ") + calls.name(cell) +
           (function != 0 ? std::string(" of ") + kernel.functions[function] : "") +
           ", to which nothing was written";
  }
};

struct Functions {  // of a kernel
  Calls calls;
  std::vector<std::vector<Unwritten>> unwritten = {};  // by function; 0 is the kernel itself
};

/// What a handler is told of a call, or of a function where it begins.
struct Called {
  const Functions* functions;
  const Call* call;
  const Callee* callee = nullptr;
};

/// What has no value when the kernel, or a function of it, begins.
class ReadBeforeWritten {
 public:
  /// `infos`: of all instructions of the kernel, from `first` on.
  ReadBeforeWritten(const wedjat_kernel& kernel, const std::deque<Info>& infos, std::size_t first,
                    const Calls& calls)
      : kernel_(kernel),
        infos_(infos),
        first_(first),
        calls_(calls),
        live_(kernel.block_count, Set(words())) {
    find_readers();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = kernel.block_count; b-- > 0;) {
        Set now = live_before(b);
        changed = changed || now != live_[b];
        live_[b] = std::move(now);
      }
    }
  }

  /// Of the function, 0 for the kernel. What a call passes to it has a value, or is undefined there.
  std::vector<Unwritten> of(std::uint32_t function) const {
    Set live(words());
    if (const auto entry = entries_.find(function); entry != entries_.end())
      live = live_[entry->second];
    else
      give_back(function, live);  // an empty function
    for (const Cells& cells : calls_.callee(function).parameters)
      for (const std::uint32_t cell : cells) take(live, cell);
    std::vector<Unwritten> all;
    for (std::uint32_t w = 0; w < live.size(); ++w)
      for (std::uint64_t rest = live[w]; rest != 0; rest &= rest - 1) {
        const std::uint32_t cell = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
        const wedjat_instruction* const reader = first_reader(function, cell);
        if (reader != nullptr && !is_named_by_call(cell))
          all.push_back({cell, reader, gives_back(function, cell), function});
      }
    return all;
  }

 private:
  using Set = std::vector<std::uint64_t>;  // of cells
  std::size_t words() const { return calls_.cells() / 64 + 1; }
  static void put(Set& set, std::uint32_t cell) { set[cell / 64] |= std::uint64_t{1} << cell % 64; }
  static void take(Set& set, std::uint32_t cell) { set[cell / 64] &= ~(std::uint64_t{1} << cell % 64); }

  template <class Visit>
  void each_written(const Info& info, Visit visit) const {
    std::ranges::for_each(info.outputs, visit);
    if (const Call* const call = calls_.call(*info.at))
      for (const Cells& cells : call->results) std::ranges::for_each(cells, visit);
    if (const Passing* const passing = calls_.passing(*info.at); passing != nullptr && !passing->loads)
      for (const auto& [reg, cells] : passing->elements) std::ranges::for_each(cells, visit);
  }
  template <class Visit>
  void each_read(const Info& info, Visit visit) const {
    std::ranges::for_each(info.inputs, visit);
    std::ranges::for_each(info.bases, visit);
    if (info.at->guard_register != WEDJAT_NO_REGISTER) visit(info.at->guard_register);
    if (const Call* const call = calls_.call(*info.at))
      for (const Cells& cells : call->arguments) std::ranges::for_each(cells, visit);
    if (const Passing* const passing = calls_.passing(*info.at); passing != nullptr && passing->loads)
      for (const auto& [reg, cells] : passing->elements) std::ranges::for_each(cells, visit);
    if (info.at->what & WEDJAT_RETURN)
      for (const Cells& cells : calls_.callee(info.at->function).results) std::ranges::for_each(cells, visit);
  }

  void give_back(std::uint32_t function, Set& live) const {
    for (const Cells& cells : calls_.callee(function).results)
      for (const std::uint32_t cell : cells) put(live, cell);
  }
  bool gives_back(std::uint32_t function, std::uint32_t cell) const {
    return std::ranges::any_of(calls_.callee(function).results, [&](const Cells& cells) {
      return std::ranges::find(cells, cell) != cells.end();
    });
  }

  Set live_before(std::uint32_t b) const {
    const wedjat_block& block = kernel_.blocks[b];
    Set now(words());
    if (block.successor_count == 0) give_back(block.function, now);  // also at a closing brace
    for (const std::uint32_t next : wedjat::successors(block))
      for (std::size_t w = 0; w < now.size(); ++w) now[w] |= live_[next][w];
    for (std::uint32_t i = block.count; i-- > 0;) {
      const Info& info = infos_[first_ + block.first + i];
      if (info.at->guard == nullptr) each_written(info, [&](std::uint32_t cell) { take(now, cell); });
      each_read(info, [&](std::uint32_t cell) { put(now, cell); });
    }
    return now;
  }
  const wedjat_instruction* first_reader(std::uint32_t function, std::uint32_t cell) const {
    if (const auto found = readers_.find({function, cell}); found != readers_.end()) return found->second;
    // Given back at the closing brace: told where it is called.
    const auto call = callers_.find(function);
    return call == callers_.end() ? nullptr : call->second;
  }
  void find_readers() {
    for (const auto& at : wedjat::instructions(kernel_))
      each_read(infos_[first_ + at.id], [&](std::uint32_t cell) {
        readers_.try_emplace({at.function, cell}, &at);
      });
    for (const Call& call : calls_.all()) {
      for (const std::uint32_t callee : call.callees) callers_.try_emplace(callee, call.at);
      if (std::ranges::any_of(call.results, [](const Cells& cells) { return cells.empty(); }))
        nameless_.push_back(call.at);
    }
    for (std::uint32_t b = 0; b < kernel_.block_count; ++b)
      entries_.try_emplace(kernel_.blocks[b].function, b);
  }
  // What a call gives back where its names say too little: `call (%r1), f, (%r2);`.
  bool is_named_by_call(std::uint32_t cell) const {
    if (cell >= kernel_.register_count) return false;
    const wedjat_register& named = kernel_.registers[cell];
    return std::ranges::any_of(nameless_, [&](const wedjat_instruction* call) {
      return call->function == named.function &&
             std::string_view(call->text).find(named.name) != std::string_view::npos;
    });
  }

  const wedjat_kernel& kernel_;
  const std::deque<Info>& infos_;
  std::size_t first_;
  const Calls& calls_;
  std::vector<Set> live_;  // by block, where it begins
  std::map<std::pair<std::uint32_t, std::uint32_t>, const wedjat_instruction*>
      readers_;                                                 // the first one, by function and cell
  std::map<std::uint32_t, const wedjat_instruction*> callers_;  // the first call, by function
  std::map<std::uint32_t, std::uint32_t> entries_;              // the first block, by function
  std::vector<const wedjat_instruction*> nameless_;             // calls some of whose results have no cells
};

}  // namespace memory_check
