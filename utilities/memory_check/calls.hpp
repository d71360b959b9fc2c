// What calls pass and give back: registers and .param variables of functions, the latter byte by byte.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "call_graph.hpp"
#include "call_text.hpp"
#include "owners.hpp"

namespace memory_check {

/// Numbers of registers, or of bytes of a .param variable, which go on where the kernel's registers end.
using Cells = std::vector<std::uint32_t>;

/// An ld.param or st.param of a variable of a function or a call.
struct Passing {
  bool loads = false;
  std::vector<std::pair<std::uint32_t, Cells>> elements;  // register, bytes
};

struct Call {
  const wedjat_instruction* at = nullptr;
  std::vector<std::uint32_t> callees;  // functions it may run; none: the system's, or nobody follows it
  bool is_direct = false;
  std::vector<Cells> results, arguments;
  std::uint32_t inside = WEDJAT_NO_REGISTER;  // a cell that is marked in lanes that are in it
  const wedjat_instruction* next = nullptr;   // which runs first when it is done
};

struct Callee {
  std::vector<Cells> results, parameters;
  std::uint32_t idle = WEDJAT_NO_REGISTER;  // a cell that is marked in lanes that did not come to it
  const wedjat_instruction* first = nullptr;
};

/// Of one kernel. Functions that may call themselves are not followed: their registers are several.
class Calls {
 public:
  explicit Calls(const wedjat_kernel& kernel)
      : kernel_(kernel),
        next_(kernel.register_count),
        ways_to_(kernel.block_count),
        callees_(kernel.function_count) {
    find_names();
    find_functions();
    for (const auto& at : wedjat::instructions(kernel)) find_passing(at);
    for (const auto& at : wedjat::instructions(kernel))
      if ((at.what & WEDJAT_CALL) != 0) find_call(at, kernel.blocks[at.block]);
    const CallGraph graph(kernel);
    for (Call& call : calls_)
      std::erase_if(call.callees, [&](std::uint32_t f) { return graph.may_call_itself(f); });
  }

  const std::deque<Call>& all() const { return calls_; }
  const Callee& callee(std::uint32_t function) const { return callees_[function]; }
  std::uint32_t functions() const { return static_cast<std::uint32_t>(callees_.size()); }
  const Passing* passing(const wedjat_instruction& at) const {
    const auto found = passings_.find(at.id);
    return found == passings_.end() ? nullptr : &found->second;
  }
  const Call* call(const wedjat_instruction& at) const {
    const auto found = call_at_.find(at.id);
    return found == call_at_.end() ? nullptr : found->second;
  }
  std::uint32_t cells() const { return next_; }
  std::string name(std::uint32_t cell) const {
    if (cell < kernel_.register_count) return kernel_.registers[cell].name;
    const auto found = names_.find(cell);
    return found == names_.end() ? std::string() : found->second;
  }

 private:
  using Byte = std::tuple<std::uint32_t, std::string, std::uint32_t>;  // function, variable, which
  static constexpr std::uint64_t most_bytes = 4096;  // of a variable; what lies behind is not followed

  std::uint32_t mark() { return next_++; }
  // Of a register of that name, or of a variable that may have so many bytes.
  Cells named(std::uint32_t function, std::string_view name, std::uint64_t bytes) {
    if (const auto found = registers_.find({function, name}); found != registers_.end())
      return found->second.size() == 1 ? found->second : Cells{};  // one name in two scopes
    if (!is_name(name)) return {};                                 // a literal
    Cells all;
    for (std::uint64_t byte = 0; byte < std::min(bytes, most_bytes); ++byte) {
      const auto [known, fresh] =
          bytes_.try_emplace({function, std::string(name), static_cast<std::uint32_t>(byte)}, next_);
      if (fresh) {
        names_[next_] = "byte " + std::to_string(byte) + " of " + std::string(name);
        ++next_;
      }
      all.push_back(known->second);
    }
    return all;
  }

  void find_names() {
    for (std::uint32_t r = 0; r < kernel_.register_count; ++r)
      registers_[{kernel_.registers[r].function, kernel_.registers[r].name}].push_back(r);
    for (const auto& variable : wedjat::variables(kernel_))
      if (variable.space == WEDJAT_PARAM && variable.function == 0) of_entry_.insert(variable.name);
    for (const auto& block : wedjat::blocks(kernel_))
      for (const std::uint32_t next : wedjat::successors(block)) ++ways_to_[next];
  }

  // Formal results and parameters, as one list: how many of them are results a call tells.
  void find_functions() {
    formal_.resize(kernel_.function_count);
    for (const auto& variable : wedjat::variables(kernel_))
      if (variable.space == WEDJAT_PARAM && variable.function != 0)
        formal_[variable.function].push_back(&variable);
    for (std::uint32_t b = kernel_.block_count; b-- > 0;) {
      const wedjat_block& block = kernel_.blocks[b];
      callees_[block.function].first = block.count == 0 ? nullptr : &kernel_.instructions[block.first];
    }
  }

  // Of functions of the system, which end no block, nobody says how large a result is: all that is read of
  // it.
  Cells named(std::uint32_t function, const std::string& name, const wedjat_variable* formal) {
    std::uint32_t bytes = 0;
    while (formal == nullptr && bytes_.contains({function, name, bytes})) ++bytes;
    return named(function, name, formal != nullptr ? formal->bytes : bytes);
  }

  void find_call(const wedjat_instruction& at, const wedjat_block& block) {
    const bool ends_block = at.id + 1 == block.first + block.count;
    const std::int32_t target = ends_block ? block.callee : -1;
    Call& call = calls_.emplace_back();
    call.at = &at;
    call_at_[at.id] = &call;
    call.is_direct = target >= 0;
    const CallText text(at.text);
    if (target >= 0) call.callees.push_back(static_cast<std::uint32_t>(target));
    if (target == -2)
      for (std::uint32_t f = 1; f < functions(); ++f)
        if (formal_[f].size() == text.results.size() + text.arguments.size()) call.callees.push_back(f);
    std::erase_if(call.callees, [&](std::uint32_t f) {
      return formal_[f].size() != text.results.size() + text.arguments.size();
    });
    const std::vector<const wedjat_variable*> none;
    const auto& formal = call.callees.empty() ? none : formal_[call.callees.front()];
    const auto at_place = [&](std::size_t place) { return place < formal.size() ? formal[place] : nullptr; };
    for (std::size_t i = 0; i < text.results.size(); ++i)
      call.results.push_back(named(at.function, text.results[i], at_place(i)));
    for (std::size_t i = 0; i < text.arguments.size(); ++i)
      call.arguments.push_back(named(at.function, text.arguments[i], at_place(text.results.size() + i)));
    if (call.callees.empty()) return;
    for (const std::uint32_t f : call.callees) {
      Callee& callee = callees_[f];
      if (!callee.results.empty() || !callee.parameters.empty()) continue;
      for (std::size_t i = 0; i < formal_[f].size(); ++i)
        (i < text.results.size() ? callee.results : callee.parameters)
            .push_back(named(f, formal_[f][i]->name, formal_[f][i]->bytes));
    }
    // Lanes that come to what follows in another way are told from those that come back.
    const auto next = std::ranges::find_if(wedjat::successors(block),
                                           [&](std::uint32_t b) { return kernel_.blocks[b].count != 0; });
    if (next == wedjat::successors(block).end()) return;
    call.next = &kernel_.instructions[kernel_.blocks[*next].first];
    if (at.guard != nullptr || ways_to_[*next] > 1) call.inside = mark();
    if (!call.is_direct)
      for (const std::uint32_t f : call.callees)
        if (callees_[f].idle == WEDJAT_NO_REGISTER) callees_[f].idle = mark();
  }

  void find_passing(const wedjat_instruction& at) {
    if (at.access_count != 1 || at.accesses[0].space != WEDJAT_PARAM || is_parameter_of_entry(at)) return;
    const wedjat_operand& address = at.operands[at.accesses[0].operand];
    if (address.registers[0] != WEDJAT_NO_REGISTER) return;
    std::string_view name = address.text;
    if (name.starts_with('[')) name.remove_prefix(1);
    name = name.substr(0, name.find_first_of(" +-],"));
    const std::uint64_t first = Owners::displacement(address.text);
    const auto value = std::ranges::find_if(wedjat::operands(at),
                                            [](const wedjat_operand& o) { return o.kind != WEDJAT_ADDRESS; });
    if (value == wedjat::operands(at).end() || value->count == 0) return;
    const std::uint64_t bytes = at.accesses[0].bytes / value->count;
    const Cells whole = named(at.function, name, first + at.accesses[0].bytes);
    if (whole.size() < first + at.accesses[0].bytes) return;
    Passing& passing = passings_[at.id];
    passing.loads = at.accesses[0].reads != 0;
    for (std::uint64_t e = 0; e < value->count; ++e) {
      const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first + e * bytes);
      passing.elements.emplace_back(value->registers[e],
                                    Cells(begin, begin + static_cast<std::ptrdiff_t>(bytes)));
    }
  }
  bool is_parameter_of_entry(const wedjat_instruction& at) const {
    std::string_view text = at.operands[at.accesses[0].operand].text;
    if (at.function != 0 || !text.starts_with('[')) return false;
    text.remove_prefix(1);
    return of_entry_.contains(text.substr(0, text.find_first_of(" +-]")));
  }

  const wedjat_kernel& kernel_;
  std::uint32_t next_;                                                     // the first number that is free
  std::map<std::pair<std::uint32_t, std::string_view>, Cells> registers_;  // by function and name
  std::set<std::string_view> of_entry_;                                    // names of its parameters
  std::vector<std::uint32_t> ways_to_;                                     // by block
  std::map<Byte, std::uint32_t> bytes_;
  std::map<std::uint32_t, std::string> names_;               // of cells that are no registers
  std::vector<std::vector<const wedjat_variable*>> formal_;  // by function
  std::vector<Callee> callees_;
  std::deque<Call> calls_;
  std::unordered_map<std::uint32_t, const Call*> call_at_;  // by instruction
  std::map<std::uint32_t, Passing> passings_;               // by instruction
};

}  // namespace memory_check
