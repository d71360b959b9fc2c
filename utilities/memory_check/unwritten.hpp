// Registers, and bytes of .param variables, that some path reads before it writes them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
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
    const auto entry = std::ranges::find(wedjat::blocks(kernel_), function, &wedjat_block::function);
    Set live(words());
    if (entry != wedjat::blocks(kernel_).end())
      live = live_[static_cast<std::size_t>(entry - wedjat::blocks(kernel_).begin())];
    else
      give_back(function, live);  // an empty function
    for (const Cells& cells : calls_.callee(function).parameters)
      for (const std::uint32_t cell : cells) take(live, cell);
    std::vector<Unwritten> all;
    for (std::uint32_t cell = 0; cell < calls_.cells(); ++cell)
      if (has(live, cell) && !is_named_by_call(cell))
        if (const wedjat_instruction* const reader = first_reader(function, cell))
          all.push_back({cell, reader, gives_back(function, cell), function});
    return all;
  }

 private:
  using Set = std::vector<std::uint64_t>;  // of cells
  std::size_t words() const { return calls_.cells() / 64 + 1; }
  static void put(Set& set, std::uint32_t cell) { set[cell / 64] |= std::uint64_t{1} << cell % 64; }
  static void take(Set& set, std::uint32_t cell) { set[cell / 64] &= ~(std::uint64_t{1} << cell % 64); }
  static bool has(const Set& set, std::uint32_t cell) { return (set[cell / 64] >> cell % 64 & 1) != 0; }

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
    for (std::uint32_t i = 0; i < kernel_.instruction_count; ++i) {
      const Info& info = infos_[first_ + i];
      bool reads = false;
      if (info.at->function == function)
        each_read(info, [&](std::uint32_t c) { reads = reads || c == cell; });
      if (reads) return info.at;
    }
    // Given back at the closing brace: told where it is called.
    const auto call = std::ranges::find_if(calls_.all(), [&](const Call& one) {
      return std::ranges::find(one.callees, function) != one.callees.end();
    });
    return call == calls_.all().end() ? nullptr : call->at;
  }
  // What a call gives back where its names say too little: `call (%r1), f, (%r2);`.
  bool is_named_by_call(std::uint32_t cell) const {
    if (cell >= kernel_.register_count) return false;
    const wedjat_register& named = kernel_.registers[cell];
    return std::ranges::any_of(calls_.all(), [&](const Call& call) {
      return call.at->function == named.function &&
             std::ranges::any_of(call.results, [](const Cells& cells) { return cells.empty(); }) &&
             std::string_view(call.at->text).find(named.name) != std::string_view::npos;
    });
  }

  const wedjat_kernel& kernel_;
  const std::deque<Info>& infos_;
  std::size_t first_;
  const Calls& calls_;
  std::vector<Set> live_;  // by block, where it begins
};

}  // namespace memory_check
