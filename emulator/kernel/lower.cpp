#include "emulator/kernel/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/forms/labels.h"
#include "emulator/kernel/lower/lowering.h"
#include "emulator/kernel/lower/reachable.h"
#include "emulator/kernel/lower/variable_names.h"
#include "emulator/kernel/lowered/number.h"
#include "emulator/kernel/ptxas/contraction.h"
#include "emulator/kernel/ptxas/literal_fields.h"
#include "emulator/kernel/ptxas/operand_order.h"
#include "emulator/kernel/ptxas/unused_results.h"
#include "emulator/kernel/rows/emit.h"
#include "emulator/kernel/rows/unreachable.h"

namespace wedjat::kernel {
namespace {

// See step_flag::ordered: once one step is ordered, writers that others may wait for must be too.
void order_writers(Kernel& kernel) {
  const auto each_step = [&](auto visit) {
    for (Function& function : kernel.functions) {
      for (Step& step : function.steps) visit(step);
    }
  };
  each_step([&](Step& step) { kernel.ordered |= (step.flags & step_flag::ordered) != 0; });
  if (!kernel.ordered) return;
  each_step([](Step& step) {
    if (step.form == nullptr || !reaches_all_ctas(*step.form)) return;
    const bool writes = (step.form->effects & effect::writes_memory) != 0 && is_strong(*step.form);
    if (writes || (step.form->effects & effect::updates_memory)) step.flags |= step_flag::ordered;
  });
}

// Most local memory on any path of calls; 0 if that is not known.
class StackNeed {
 public:
  StackNeed(const Reached& reached, const Kernel& kernel)
      : reached_(reached), kernel_(kernel), state_(kernel.functions.size()) {}

  std::uint64_t of(std::uint32_t index) {
    if (state_[index] == visiting || reached_.functions[index].calls_unknown) known_ = false;
    if (!known_ || state_[index] == done) return need_[index];
    state_[index] = visiting;
    std::uint64_t most = 0;
    for (std::uint32_t callee : reached_.functions[index].callees) most = std::max(most, of(callee));
    state_[index] = done;
    return need_[index] = most + kernel_.functions[index].local_bytes;
  }
  bool known() const { return known_; }

 private:
  enum State : std::uint8_t { fresh, visiting, done };
  const Reached& reached_;
  const Kernel& kernel_;
  std::vector<State> state_;
  std::vector<std::uint64_t> need_ = std::vector<std::uint64_t>(state_.size());
  bool known_ = true;
};

}  // namespace

std::shared_ptr<const Kernel> lower(const ptx::Program& program, ptx::SymbolId entry,
                                    const Addresses& addresses, std::span<const Contract> contracts,
                                    const FormTable& table, Registers registers) {
  const Reached reached = reach(program, entry, table);
  auto kernel = std::make_shared<Kernel>();
  const ptx::Function& first = *reached.functions.front().function;
  kernel->number = new_number();
  kernel->name = first.name;
  kernel->static_shared_bytes = reached.shared_bytes;
  std::uint64_t bytes = 0;
  parameter_offsets(first, bytes);
  kernel->parameter_bytes = static_cast<std::uint32_t>(bytes);
  kernel->functions.resize(reached.functions.size());
  KernelContext context{program, addresses, table, reached, registers, *kernel};
  bool has_alloca = false;
  for (std::uint32_t i = 0; i < kernel->functions.size(); ++i) {
    const ReachedFunction& from = reached.functions[i];
    Function& to = kernel->functions[i];
    to.name = from.function->name;
    to.ptx_file = from.function->module().name();
    if (from.address_taken) to.address = addresses.function(from.id);
    try {
      if (!from.function->has_body)
        throw ptx::Error(from.function->module().name(), from.function->where,
                         fmt::format("{} has no body", to.name));
      Lowering lowering(context, i);
      Draft draft = lowering.run();
      if (!contracts.empty() && contracts[from.id.module] != Contract::none) {
        contract(draft, contracts[from.id.module], ContractionRules::generated(), table);
        order_operands(draft, table);
        correct_literal_fields(draft, table);
      }
      // Who watches may look at what nobody else reads.
      if (registers == Registers::shared) release_unused_results(draft);
      emit(std::move(draft), to);
      has_alloca |= lowering.has_alloca();
    } catch (const ptx::Error& error) {
      if (from.called) throw;
      to.refused = error.what();
    }
  }
  drop_unreachable(*kernel);
  if (registers != Registers::shared) name_variables(program, reached, addresses, *kernel);
  order_writers(*kernel);
  StackNeed need(reached, *kernel);
  const std::uint64_t local = need.of(0);
  if (need.known() && !has_alloca)
    kernel->local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(local, UINT32_MAX));
  return kernel;
}

}  // namespace wedjat::kernel
