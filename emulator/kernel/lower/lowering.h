// One function on its way from PTX to a draft. Internal to the room: lower.h is its door.
#pragma once
#include <map>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/legality/decode.h"
#include "emulator/kernel/lower/reachable.h"
#include "emulator/kernel/lower/request.h"

namespace wedjat::kernel {

/// Whether the form's memory operand may lie where other CTAs see it.
bool reaches_all_ctas(const Form& form);

/// What all functions of one kernel share while they are lowered.
struct KernelContext {
  const ptx::Program& program;
  const Addresses& addresses;
  const FormTable& table;
  const Reached& reached;
  Registers registers;
  Kernel& kernel;  ///< gets the origins
};

class Lowering {
 public:
  Lowering(KernelContext& context, std::uint32_t function_index);
  /// Throws ptx::Error.
  Draft run();
  bool has_alloca() const { return has_alloca_; }

 private:
  using Kind = ptx::Operand::Kind;

  /// A `.param` variable: of a device function (parameter, result) or declared for calls.
  struct Slot {
    bool in_memory = false;
    ValueId value = no_value;
    std::uint32_t offset = 0;            ///< in the local frame
    std::uint32_t bytes = 0, reach = 0;  ///< of the variable, and of what is read or written
    std::uint32_t alignment = 1;
    bool is_scalar = false;
  };

  // lower_function.cpp
  void decode_all();
  void find_blocks();
  void note_accesses(std::uint32_t index, const Form& form);
  void find_aliases();
  void lower_block(std::uint32_t block);
  void lower_instruction(std::uint32_t index);
  void lower_ordinary(const Form& form);
  bool is_aliased(const Form& form) const;
  std::uint32_t add_origin(const ptx::Instruction& instruction);

  // register_names.cpp
  void declare_registers();
  void name_registers();
  std::uint32_t element_of(const ptx::Operand& operand, unsigned element) const;
  [[noreturn]] void refuse_here(const std::string& message) const;

  // values.cpp: operand -> value
  ValueId register_value(std::uint32_t reg, unsigned component = 0) const {
    return resolve(register_base_[reg] + component);
  }
  ValueId register_value(const ptx::Operand& operand) const;
  ValueId resolve(ValueId value) const;
  ValueId read(const OperandSpec& spec, const ptx::Operand& operand);
  ValueId constant(const OperandSpec& spec, const ptx::Operand& operand);
  ValueId special(const OperandSpec& spec, const ptx::Operand& operand);
  bool changes(const ptx::Operand& special) const;
  ValueId symbol(unsigned bytes, Kind kind, std::uint32_t index, std::int64_t offset);
  ValueId displaced(ValueId value, std::int64_t by);
  ValueId converted(ValueId from, unsigned bytes, bool is_signed);
  ValueId negated(ValueId predicate);
  /// The value an executor writes; a wider register is filled from it by flush_widening() after the step.
  ValueId write(const OperandSpec& spec, const ptx::Operand* operand);
  void flush_widening();
  void touched(ValueId value) {
    if (value < versions_.size()) ++versions_[value];  // temporaries are written once
  }

  // addresses.cpp
  ValueId address(const OperandSpec& spec, const ptx::Operand& operand);
  ValueId symbol_address(const OperandSpec& spec, const ptx::Operand& operand);
  ValueId index(const ptx::Operand& operand);
  ValueId element(const OperandSpec& spec, const ptx::Operand& operand);
  ValueId sum(ValueId base, ValueId more);

  // opaque.cpp
  ptx::Type named_type(Kind kind, std::uint32_t index) const;
  /// Throws ptx::Error.
  void check_opaque() const;
  void check_sampler(std::size_t at) const;

  // parameters.cpp
  void make_slots();
  Slot make_slot(std::uint64_t size, std::uint32_t alignment, bool is_scalar);
  Slot* slot_of(Kind kind, std::uint32_t index);
  void note_slot_use(Kind kind, std::uint32_t index, std::int64_t offset, bool indexed,
                     const OperandSpec* element);
  void place_slots();
  bool lower_slot_access(const Form& form);
  bool is_parameter_load(const Form& form) const;
  ValueId parameter_element(const OperandSpec& spec, const ptx::Operand& address, unsigned element);
  void lower_parameter_load();
  DraftPlace place_of(const Slot& slot) const;

  // control.cpp
  void lower_control(const Form& form);
  std::uint32_t block_of_label(std::uint32_t label) const { return block_of_[body_.labels[label].position]; }
  DraftEnd& end_block(End kind);
  void lower_alloca();
  void lower_stack_pointer(bool saves);

  // calls.cpp
  void lower_call();
  bool is_system_call(const ptx::Operand& target) const;
  DraftPlace call_place(const ptx::Operand& operand, const ptx::Parameter* parameter);
  void check_counts(std::string_view callee, std::size_t results, std::size_t parameters, bool variadic);

  // system_calls.cpp
  void lower_system_call(std::string_view name);
  ValueId argument_value(const ptx::Operand& operand, unsigned bytes);
  void deliver_result(const ptx::Operand& operand, ValueId value);

  // steps.cpp
  void add_step(const Form& form, std::initializer_list<Use> uses, bool guarded = true);
  void begin_uses() { first_use_ = static_cast<std::uint32_t>(draft_.uses.size()); }
  void use(ValueId value, Role role) { draft_.uses.push_back({value, role}); }
  void finish_step(const Form* form, std::uint16_t flags, bool guarded);
  void add_system_step(SystemOp op, std::initializer_list<Use> uses, std::uint16_t flags = 0);

  KernelContext& context_;
  std::uint32_t function_index_;
  std::uint32_t module_index_;
  const ptx::Function& function_;
  const ptx::Module& module_;
  const ptx::Body& body_;
  Decoder decoder_;
  MicroForms micro_;
  Draft draft_;

  std::vector<const Form*> forms_;          // by instruction
  std::vector<ValueId> register_base_;      // by register: its first component
  std::vector<std::uint32_t> writes_;       // by value: instructions that write it
  std::vector<ValueId> alias_;              // by value: the value it always equals
  std::vector<std::uint32_t> block_of_;     // by instruction, and one more for the end
  std::vector<std::uint32_t> block_start_;  // by block
  std::vector<Slot> parameter_slots_, return_slots_;
  std::map<std::uint32_t, Slot> variable_slots_;         // by Body::variables
  std::map<std::uint32_t, std::uint32_t> local_offset_;  // .local ones

  // The instruction and block at hand.
  std::uint32_t index_ = 0, block_ = 0, id_ = 0, first_use_ = 0;
  const ptx::Instruction* instruction_ = nullptr;
  ValueId guard_ = no_value;
  std::vector<BoundOperand> bound_;
  struct Widening {
    ValueId from, to;
    bool is_signed;
  };
  std::vector<Widening> widenings_;
  std::vector<std::uint32_t> versions_;  // by register: how often it was written so far
  struct SumKey {
    ValueId base, more;
    std::uint32_t base_version, more_version;
    auto operator<=>(const SumKey&) const = default;
  };
  std::map<SumKey, ValueId> sums_;  // computed in this block
  bool has_alloca_ = false;
};

}  // namespace wedjat::kernel
