// Arrays that a compiler laid into one variable, the frame of the kernel.
#pragma once
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

namespace memory_check {

/// nvcc and clang call the frame `__local_depot0`. Each of its arrays begins where a constant is added to the
/// frame's own address, `add.u64 %rd6, %SPL, 24`, and reaches as far as the next one; what is within an array
/// is counted from its beginning.
class FrameArrays {
 public:
  explicit FrameArrays(const wedjat_kernel& kernel) : frame_(frame_of(kernel)) {
    if (frame_ == nullptr) return;
    const std::vector<bool> holds_frame = registers_of_frame(kernel);
    std::set<std::uint64_t> begins;
    for (const auto& i : wedjat::instructions(kernel))
      if (const auto begin = begin_in(i, holds_frame); begin < frame_->bytes) {
        begins.insert(begin);
        begun_by_.emplace(i.id, begin);
      }
    for (auto begin = begins.begin(); begin != begins.end(); ++begin) {
      const auto next = std::next(begin);
      const std::string& name = names_.emplace_back(frame_->name + ("[" + std::to_string(*begin) + "]"));
      wedjat_variable& array = arrays_.emplace_back(*frame_);
      array.name = name.c_str();
      array.address += *begin;
      array.bytes = (next == begins.end() ? frame_->bytes : *next) - *begin;
    }
    for (auto& [instruction, array] : begun_by_)
      array = static_cast<std::uint64_t>(std::distance(begins.begin(), begins.find(array)));
  }

  std::size_t count() const { return arrays_.size(); }
  const wedjat_variable& operator[](std::size_t array) const { return arrays_[array]; }
  /// The array whose address the instruction makes.
  std::optional<std::size_t> begun_by(const wedjat_instruction& i) const {
    const auto found = begun_by_.find(i.id);
    return found == begun_by_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  static const wedjat_variable* frame_of(const wedjat_kernel& kernel) {
    for (std::uint32_t v = 0; v < kernel.variable_count; ++v) {
      const wedjat_variable& one = kernel.variables[v];
      if (one.space == WEDJAT_LOCAL && one.function == 0 &&
          std::string_view(one.name).starts_with("__local_depot"))
        return &one;
    }
    return nullptr;
  }

  // Those that never hold anything else.
  std::vector<bool> registers_of_frame(const wedjat_kernel& kernel) const {
    std::vector<bool> holds(kernel.register_count), is_other(kernel.register_count);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& i : wedjat::instructions(kernel)) {
        const bool is_frame = is_copy_of_frame(i, holds);
        for (const auto& o : wedjat::operands(i))
          for (std::uint32_t e = 0; o.out && e < o.count; ++e) {
            const std::uint32_t r = o.registers[e];
            if (r == WEDJAT_NO_REGISTER || (is_frame ? holds[r] : is_other[r])) continue;
            (is_frame ? holds : is_other)[r] = changed = true;
          }
      }
    }
    for (std::size_t r = 0; r < holds.size(); ++r) holds[r] = holds[r] && !is_other[r];
    return holds;
  }
  // mov of the frame's name, cvta of what a register holds.
  bool is_copy_of_frame(const wedjat_instruction& i, const std::vector<bool>& holds) const {
    if (i.access_count != 0 || !(i.operation == WEDJAT_COPY || (i.what & WEDJAT_SAME_OBJECT))) return false;
    unsigned inputs = 0;
    bool is_frame = false;
    for (const auto& o : wedjat::operands(i)) {
      if (!o.in || o.out) continue;
      ++inputs;
      is_frame =
          o.count == 1 && (o.registers[0] == WEDJAT_NO_REGISTER ? std::string_view(o.text) == frame_->name
                                                                : holds[o.registers[0]]);
    }
    return inputs == 1 && is_frame;
  }
  // The constant that the instruction adds to the frame's address.
  static std::uint64_t begin_in(const wedjat_instruction& i, const std::vector<bool>& holds_frame) {
    if (i.operation != WEDJAT_SUM || i.access_count != 0) return none;
    std::uint64_t begin = none;
    bool is_frame = false;
    for (const auto& o : wedjat::operands(i)) {
      if (!o.in || o.out || o.count != 1) continue;
      if (o.registers[0] != WEDJAT_NO_REGISTER) {
        is_frame = holds_frame[o.registers[0]];
      } else {
        char* end = nullptr;
        const std::uint64_t constant = std::strtoull(o.text, &end, 0);
        if (*end == '\0') begin = constant;
      }
    }
    return is_frame ? begin : none;
  }

  const wedjat_variable* frame_;
  std::deque<wedjat_variable> arrays_;               // in the order of their beginnings
  std::map<std::uint32_t, std::uint64_t> begun_by_;  // by instruction
  std::deque<std::string> names_;
};

}  // namespace memory_check
