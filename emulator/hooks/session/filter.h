// What of a program a tool watches, by the options every tool takes: kernel=NAME (may end in *),
// launches=A-B, ctas=A-B, warps=A-B (of a CTA), sample=N (every N-th of the CTAs left). All count from 0.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace wedjat::hooks {

struct Range {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  bool holds(std::uint64_t number) const { return number >= first && number <= last; }
};

class Filter {
 public:
  /// Whether this is one of its options; then it is noted. Throws ToolError naming `spec`.
  bool take(const std::string& key, const std::string& value, const std::string& spec);

  bool holds_kernel(const std::string& name) const;
  bool holds_launch(std::uint64_t index) const { return launches_.holds(index); }
  bool holds_cta(std::uint64_t index) const {
    return ctas_.holds(index) && (index - ctas_.first) % sample_ == 0;
  }
  bool holds_warp(std::uint32_t index) const { return warps_.holds(index); }

  /// A launch of the program, whether it is watched or not.
  void saw(const std::string& kernel, std::uint64_t launch, std::uint64_t ctas, std::uint64_t warps_of_cta);
  /// Why nothing of what it saw is watched; empty: something is, or nothing was asked for.
  std::string chose_nothing() const;

 private:
  std::string kernel_ = "*";
  Range launches_, ctas_, warps_;
  std::uint64_t sample_ = 1;
  std::string kernel_asked_, launches_asked_, ctas_asked_, warps_asked_;  ///< as they were written
  std::set<std::string> taken_;
  // Of what it saw: how far a launch got through it, and how large what it holds was.
  enum class Passed : std::uint8_t { nothing, kernel, launch, cta, warp } passed_ = Passed::nothing;
  std::uint64_t seen_launches_ = 0, most_ctas_ = 0, most_warps_ = 0;
  std::set<std::string> seen_kernels_;
};

}  // namespace wedjat::hooks
