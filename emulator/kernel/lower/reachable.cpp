#include "emulator/kernel/lower/reachable.h"

#include <algorithm>

#include "emulator/kernel/forms/form_table.h"
#include "emulator/ptx/module/body.h"

namespace wedjat::kernel {
namespace {

using Kind = ptx::Operand::Kind;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

class Search {
 public:
  Search(const ptx::Program& program, const FormTable& table) : program_(program), table_(table) {}

  Reached run(ptx::SymbolId entry) {
    add(entry).called = true;
    std::size_t done = 0;
    for (; done < result_.functions.size(); ++done) scan(done);
    if (calls_unknown_) {
      initializers();
      for (std::size_t i = 0; i < taken_.size(); ++i) {
        add(taken_[i]).address_taken = true;
        for (; done < result_.functions.size(); ++done) scan(done);
      }
    }
    lay_out_shared();
    return std::move(result_);
  }

 private:
  ReachedFunction& add(ptx::SymbolId id) {
    for (ReachedFunction& reached : result_.functions) {
      if (reached.id == id) return reached;
    }
    result_.functions.push_back(
        {id, &program_.module(id.module).functions[id.index], false, false, {}, false});
    return result_.functions.back();
  }

  // A body that cannot be read refuses the kernel only if it is called directly; lowering meets the same
  // error again.
  void scan(std::size_t at) {
    const ptx::Function& function = *result_.functions[at].function;
    if (!function.has_body) return;
    const ptx::Body* body = nullptr;
    try {
      body = &function.body();
    } catch (const ptx::Error&) {
      if (result_.functions[at].called) throw;
      return;
    }
    for (const ptx::Variable& variable : body->variables)
      if (variable.space == ptx::Space::param)
        result_.variadic_bytes = std::max(result_.variadic_bytes, variable.size());
    const std::uint32_t module = result_.functions[at].id.module;
    const std::vector<bool> calls = calls_among(body->mnemonics);
    for (const ptx::Instruction& instruction : body->instructions) {
      const bool is_call = calls[instruction.mnemonic];
      const auto operands = body->operands_of(instruction);
      if (is_call && operands[1].kind == Kind::function) {
        const ptx::SymbolId callee = program_.function(module, operands[1].index);
        if (!program_.module(callee.module).functions[callee.index].has_body) continue;
        const bool called = result_.functions[at].called;
        add(callee).called |= called;
        const auto index = static_cast<std::uint32_t>(
            std::ranges::find(result_.functions, callee, &ReachedFunction::id) - result_.functions.begin());
        result_.functions[at].callees.push_back(index);
      } else if (is_call) {
        result_.functions[at].calls_unknown = calls_unknown_ = true;
      }
      // The target of a direct call is no pointer to it.
      for (const ptx::Operand& operand : operands) {
        if (!(is_call && &operand == &operands[1])) visit(*body, module, operand);
      }
    }
  }

  // Which of the mnemonics are calls.
  std::vector<bool> calls_among(const std::vector<ptx::Mnemonic>& mnemonics) const {
    std::vector<bool> calls;
    for (const ptx::Mnemonic& mnemonic : mnemonics) {
      const auto forms = table_.of_opcode(mnemonic.opcode);
      calls.push_back(!forms.empty() && forms.front().control == Control::Call);
    }
    return calls;
  }

  void visit(const ptx::Body& body, std::uint32_t module, const ptx::Operand& operand) {
    if (operand.is_compound()) {
      for (const ptx::Operand& part : body.parts_of(operand)) visit(body, module, part);
      return;
    }
    const Kind kind = operand.named();
    if (kind == Kind::function) take(program_.function(module, operand.index));
    if (kind == Kind::call_targets) {
      for (std::uint32_t target : body.call_targets[operand.index].functions)
        take(program_.function(module, target));
    }
    if (kind == Kind::variable) {
      const ptx::SymbolId id = program_.variable(module, operand.index);
      use(program_.module(id.module), program_.module(id.module).variables[id.index]);
    }
    if (kind == Kind::local_variable) use(program_.module(module), body.variables[operand.index]);
  }

  void take(ptx::SymbolId id) {
    if (std::ranges::find(taken_, id) == taken_.end()) taken_.push_back(id);
  }

  // Tables of functions in memory: virtual functions, arrays of pointers.
  void initializers() {
    for (std::uint32_t m = 0; m < program_.module_count(); ++m) {
      const ptx::Module& module = program_.module(m);
      for (const ptx::Variable& variable : module.variables) {
        for (const ptx::Relocation& relocation : variable.relocations) {
          const std::uint32_t index = module.find_function(relocation.symbol);
          if (index != ptx::kNone) take(program_.function(m, index));
        }
      }
    }
  }

  void use(const ptx::Module& module, const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared) return;
    if (std::ranges::find(result_.shared, &variable, &SharedVariable::variable) == result_.shared.end()) {
      result_.shared.push_back({&variable, &module, 0});
    }
  }

  // Dynamic shared memory stands behind all static variables; every unsized array is that memory.
  void lay_out_shared() {
    std::uint64_t bytes = 0, dynamic_alignment = 16;
    bool has_dynamic = false;
    for (SharedVariable& shared : result_.shared) {
      const ptx::Variable& variable = *shared.variable;
      if (variable.is_unsized()) {
        dynamic_alignment = std::max<std::uint64_t>(dynamic_alignment, variable.alignment);
        has_dynamic = true;
        continue;
      }
      bytes = round_up(bytes, std::max<std::uint64_t>(variable.alignment, 1));
      shared.offset = static_cast<std::uint32_t>(bytes);
      bytes += variable.size();
      if (bytes > UINT32_MAX / 2) {
        throw ptx::Error(shared.module->name(), variable.where,
                         std::string(variable.name) + " is larger than any device's shared memory");
      }
    }
    result_.declared_shared_bytes = round_up(with_unused(bytes), has_dynamic ? dynamic_alignment : 1);
    result_.shared_bytes = static_cast<std::uint32_t>(bytes == 0 ? 0 : round_up(bytes, dynamic_alignment));
    for (SharedVariable& shared : result_.shared) {
      if (shared.variable->is_unsized()) shared.offset = result_.shared_bytes;
    }
    std::ranges::sort(result_.shared, {}, &SharedVariable::variable);
  }

  // Behind `bytes` of what is used. The layout of a kernel has no room for them: nobody can reach them.
  std::uint64_t with_unused(std::uint64_t bytes) const {
    for (const ReachedFunction& reached : result_.functions) {
      if (!reached.called || !reached.function->has_body) continue;
      for (const ptx::Variable& variable : reached.function->body().variables) {
        if (variable.space != ptx::Space::shared || variable.is_unsized() ||
            std::ranges::find(result_.shared, &variable, &SharedVariable::variable) != result_.shared.end())
          continue;
        bytes = round_up(bytes, std::max<std::uint64_t>(variable.alignment, 1)) + variable.size();
      }
    }
    return bytes;
  }

  const ptx::Program& program_;
  const FormTable& table_;
  Reached result_;
  std::vector<ptx::SymbolId> taken_;
  bool calls_unknown_ = false;
};

}  // namespace

const ReachedFunction* Reached::find(ptx::SymbolId id) const {
  const auto found = std::ranges::find(functions, id, &ReachedFunction::id);
  return found == functions.end() ? nullptr : &*found;
}

std::uint32_t Reached::shared_offset(const ptx::Variable& variable) const {
  return std::ranges::lower_bound(shared, &variable, {}, &SharedVariable::variable)->offset;
}

Reached reach(const ptx::Program& program, ptx::SymbolId entry, const FormTable& table) {
  return Search(program, table).run(entry);
}

}  // namespace wedjat::kernel
