// Which machine instructions each instruction of a kernel becomes.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include <wedjat/tool.hpp>

#include "dataflow.hpp"
#include "machine_code.hpp"
#include "steps.hpp"

namespace timing {

class Code {
 public:
  Code(const wedjat_kernel& kernel, const Dataflow& flow) : flow_(flow) {
    for (const wedjat_instruction& at : wedjat::instructions(kernel)) {
      const bool computes = is_plain(at) && !flow.is_free(at);
      parts_.push_back(computes && !reads_special_register(at)
                           ? MachineCode::of(flow.form(at), results_of(at))
                           : std::nullopt);
      if (computes && !parts_.back() && !flow.cost(at).measured) ++unmeasured_;
    }
  }

  /// What it writes is what it reads: it becomes part of others.
  [[nodiscard]] bool is_copy(const wedjat_instruction& at) const {
    return flow_.is_free(at) || (parts_[at.id] && parts_[at.id]->empty());
  }
  /// Null where that is not known, and the whole is known only.
  [[nodiscard]] const std::vector<MachineInstruction>* of(const wedjat_instruction& at) const {
    return parts_[at.id] ? &*parts_[at.id] : nullptr;
  }
  /// Instructions without a measured time.
  [[nodiscard]] std::uint32_t unmeasured() const { return unmeasured_; }

 private:
  using Parts = std::optional<std::vector<MachineInstruction>>;

  const Dataflow& flow_;
  std::vector<Parts> parts_;
  std::uint32_t unmeasured_ = 0;
};

}  // namespace timing
