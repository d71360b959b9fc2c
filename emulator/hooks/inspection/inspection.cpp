#include "emulator/hooks/inspection/inspection.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>
#include <utility>

#include "emulator/hooks/inspection/operand_text.h"
#include "emulator/hooks/session/definition.h"
#include "emulator/kernel/forms/accesses.h"
#include "emulator/kernel/forms/labels.h"
#include "emulator/kernel/forms/profile_rows.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/forms/work.h"

namespace wedjat::hooks {

using kernel::End;

std::uint8_t space_of(kernel::Space space) {
  switch (space) {
    case kernel::Space::None:
      return WEDJAT_SPACE_NONE;
    case kernel::Space::Generic:
      return WEDJAT_GENERIC;
    case kernel::Space::Global:
      return WEDJAT_GLOBAL;
    case kernel::Space::Shared:
      return WEDJAT_SHARED;
    case kernel::Space::SharedCluster:
      return WEDJAT_SHARED_CLUSTER;
    case kernel::Space::Local:
      return WEDJAT_LOCAL;
    case kernel::Space::Const:
      return WEDJAT_CONST;
    case kernel::Space::Param:
    case kernel::Space::ParamEntry:
    case kernel::Space::ParamFunc:
      return WEDJAT_PARAM;
  }
  return WEDJAT_SPACE_NONE;
}

namespace {

// A literal says its size here already.
std::uint32_t bytes_of(const kernel::FormAccess& access, const std::vector<wedjat_operand>& operands) {
  if (access.size < 0) return access.bytes;
  const wedjat_operand& size = operands[static_cast<std::size_t>(access.size)];
  return size.kind == WEDJAT_IMMEDIATE ? static_cast<std::uint32_t>(std::strtoul(size.text, nullptr, 0)) : 0;
}

std::uint32_t effects_of(const kernel::Form& form) {
  using namespace kernel::effect;
  std::uint32_t what = 0;
  if (form.effects & (reads_memory | updates_memory)) what |= WEDJAT_LOAD;
  if (form.effects & (writes_memory | updates_memory)) what |= WEDJAT_STORE;
  if (form.effects & updates_memory) what |= WEDJAT_ATOMIC;
  if (form.effects & barrier) what |= WEDJAT_BARRIER;
  if (form.effects & fence) what |= WEDJAT_FENCE;
  if (form.effects & warp_sync) what |= WEDJAT_WARP_SYNC;
  if (form.effects & reads_other_lanes) what |= WEDJAT_OTHER_LANES;
  return what;
}

std::uint32_t traits_in(const kernel::Traits& traits) {
  using namespace kernel::trait;
  constexpr std::pair<std::uint32_t, std::uint32_t> seen_as[] = {
      {same_object, WEDJAT_SAME_OBJECT}, {texels, WEDJAT_TEXELS},
      {arrives, WEDJAT_ARRIVES},         {waits, WEDJAT_WAITS},
      {relaxed, WEDJAT_RELAXED},         {cluster, WEDJAT_CLUSTER},
      {mbarrier, WEDJAT_MBARRIER},       {asynchronous, WEDJAT_ASYNCHRONOUS},
      {commits, WEDJAT_COMMITS},         {group_fence, WEDJAT_GROUP_FENCE},
      {proxy_fence, WEDJAT_PROXY_FENCE}, {read_only, WEDJAT_READ_ONLY},
      {approximate, WEDJAT_APPROXIMATE}};
  std::uint32_t what = 0;
  for (const auto& [trait, as] : seen_as) what |= traits.has(trait) ? as : 0;
  return what;
}

// Tools see the operations and groups of traits.h in their order.
static_assert(static_cast<int>(kernel::Operation::other) == WEDJAT_OTHER &&
              static_cast<int>(kernel::Operation::sum) == WEDJAT_SUM &&
              static_cast<int>(kernel::Operation::comparison) == WEDJAT_COMPARISON &&
              static_cast<int>(kernel::Operation::exchange) == WEDJAT_EXCHANGE &&
              static_cast<int>(kernel::Operation::right_shift) == WEDJAT_RIGHT_SHIFT &&
              static_cast<int>(kernel::Group::products) == WEDJAT_PRODUCTS);
// And scopes by their number (wedjat_access.scope).
static_assert(static_cast<int>(kernel::Scope::Cta) == 1 && static_cast<int>(kernel::Scope::Sys) == 4);

// Whether the tool chain may fuse it: it is in the profile's rows.
bool is_contracted(const kernel::Form& form) {
  return std::ranges::any_of(kernel::profile_rows<kernel::Contraction>(),
                             [&](const kernel::Contraction& row) {
                               return row.product->text == form.text || row.sum->text == form.text ||
                                      row.difference->text == form.text;
                             });
}

std::uint32_t pieces_of(kernel::Space space) {
  switch (space) {
    case kernel::Space::Generic:
      return WEDJAT_HAS_PIECES;
    case kernel::Space::Global:
      return WEDJAT_GLOBAL_PIECES;
    case kernel::Space::Shared:
    case kernel::Space::SharedCluster:
      return WEDJAT_SHARED_PIECES;
    default:
      return 0;
  }
}

std::uint32_t end_of(const kernel::Form& form) {
  using kernel::Control;
  switch (form.control) {
    case Control::Branch:
    case Control::BranchIndexed:
      return WEDJAT_BRANCH;
    case Control::Call:
      return WEDJAT_CALL;
    case Control::Return:
      return WEDJAT_RETURN;
    case Control::Exit:
      return WEDJAT_EXIT;
    case Control::Trap:
      return WEDJAT_TRAP;
    default:
      return 0;
  }
}

}  // namespace

BlockSteps::BlockSteps(const kernel::Kernel& kernel, const kernel::Function& function,
                       const kernel::Block& block)
    : first_id_(block.first_id), steps_(block.instructions) {
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    const kernel::Step& step = function.steps[i];
    if (step.id - first_id_ >= steps_.size()) continue;  // of another block, from where it was moved
    Found& found = steps_[step.id - first_id_];
    if (found.first == nullptr) found.first = &step;
    if (step.form == kernel.origins[step.id].form) found.main = &step;
  }
}

Inspection::Inspection(const kernel::Kernel& kernel, std::uint32_t id) : from_(kernel) {
  instructions_.resize(kernel.origins.size());
  for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
    const kernel::Function& function = kernel.functions[f];
    functions_.push_back(keep(function.name));
    add_registers(f);
    const auto first = static_cast<std::uint32_t>(blocks_.size());
    for (std::uint32_t b = 0; b < function.blocks.size(); ++b) add_block(function, f, b, first);
  }
  for (const kernel::NamedVariable& v : kernel.variables)
    variables_.push_back({keep(v.name), space_of(v.space), v.function, v.address, v.bytes});
  kernel_ = {.size = sizeof kernel_,
             .id = id,
             .name = keep(kernel.name),
             .ptx_file = keep(kernel.functions.front().ptx_file),
             .parameter_bytes = kernel.parameter_bytes,
             .static_shared_bytes = kernel.static_shared_bytes};
  show_in(kernel_);
}

void Inspection::add_registers(std::uint32_t function) {
  first_register_.push_back(static_cast<std::uint32_t>(registers_.size()));
  for (const kernel::RegisterRange& range : from_.functions[function].registers)
    for (std::uint32_t i = 0; i < range.count; ++i)
      for (unsigned e = 0; e < range.width; ++e) {
        std::string name = range.is_range ? range.name + std::to_string(i) : range.name;
        if (range.width > 1) name += {'.', "xyzw"[e]};
        registers_.push_back({keep(std::move(name)), function,
                              static_cast<std::uint8_t>(range.bytes == 0 ? 1 : 8 * range.bytes)});
      }
}

void Inspection::add_block(const kernel::Function& function, std::uint32_t function_index,
                           std::uint32_t block, std::uint32_t first_block) {
  const kernel::Block& from = function.blocks[block];
  const kernel::Terminator& end = from.end;
  std::vector<std::uint32_t>& next = successors_.emplace_back();
  std::unordered_set<std::uint32_t> added;
  const auto add = [&](std::uint32_t to) {
    if (added.insert(to).second) next.push_back(first_block + to);
  };
  if (end.kind == End::Fall || end.kind == End::Branch) add(end.target);
  for (std::uint32_t target : end.targets) add(target);
  if (end.kind == End::Call || (end.kind != End::Fall && end.guard != 0)) add(end.next);
  wedjat_block to{.function = function_index,
                  .first = from.first_id,
                  .count = from.instructions,
                  .successors = next.data(),
                  .successor_count = static_cast<std::uint32_t>(next.size()),
                  .callee = -1};
  if (end.kind == End::Call)
    to.callee = end.target == kernel::Terminator::indirect ? -2 : static_cast<std::int32_t>(end.target);
  blocks_.push_back(to);
  const BlockSteps steps(from_, function, from);
  for (std::uint32_t id = from.first_id; id < from.first_id + from.instructions; ++id) {
    if (instructions_[id].opcode == nullptr) add_instruction(id, first_block + block);
    // Of copies of the block not all may do it by itself.
    if (from_.origins[id].form->level != kernel::Level::Control && steps.main(id) != nullptr)
      instructions_[id].what |= WEDJAT_HAS_ROWS;
    if (from.unrolled) instructions_[id].what |= WEDJAT_UNROLLED;
  }
}

void Inspection::add_instruction(std::uint32_t id, std::uint32_t block) {
  const kernel::Origin& origin = from_.origins[id];
  const kernel::Form& form = *origin.form;
  const kernel::Traits& traits = kernel::traits_of(form);
  const std::vector<WrittenOperand> written = operands_in(origin.text);
  std::size_t next = 0;  // of them
  Parts& parts = parts_.emplace_back();
  std::uint16_t row = 0;
  const std::uint32_t first_register = first_register_[origin.function];
  const auto numbered = [&](std::uint32_t element) {
    return element == kernel::no_register ? WEDJAT_NO_REGISTER : first_register + element;
  };
  for (std::uint32_t element : origin.registers) parts.registers.push_back(numbered(element));
  std::size_t elements = 0;
  for (unsigned i = 0; i < form.operands; ++i)
    elements += form.operand[i].kind == kernel::OperandKind::Address ? 1 : form.operand[i].count;
  parts.registers.resize(elements, WEDJAT_NO_REGISTER);
  for (unsigned i = 0; i < form.operands; ++i) {
    const kernel::OperandSpec& spec = form.operand[i];
    wedjat_operand operand{};
    operand.name = keep(std::string(spec.name));
    // A pair may be one alone; what an operand's spelling attaches is no text of its own.
    const bool has_text = spec.attached.what == kernel::Attach::None && next < written.size() &&
                          written[next].paired == spec.paired;
    operand.text = keep(has_text ? written[next++].text : "");
    operand.format = keep(std::string(spec.format));
    operand.kind = static_cast<std::uint8_t>(spec.kind);
    operand.value = static_cast<std::uint8_t>(spec.value);
    operand.space = space_of(spec.space);
    operand.in = spec.in || !spec.out;
    operand.out = spec.out;
    operand.bits = spec.bits;
    operand.parts = spec.parts;
    operand.count = spec.kind == kernel::OperandKind::Address ? 1 : spec.count;
    operand.first = row;
    operand.registers = parts.registers.data() + row;
    row = static_cast<std::uint16_t>(row + operand.count);
    parts.operands.push_back(operand);
  }
  std::uint32_t pieces = 0;
  if (form.level != kernel::Level::Control && !Definition::is_one(form)) {
    for (const kernel::FormAccess& access : kernel::accesses_of(form)) {
      pieces |= pieces_of(access.space);
      if (access.operand == kernel::FormAccess::computed) continue;
      parts.accesses.push_back({.operand = access.operand,
                                .bytes = bytes_of(access, parts.operands),
                                .size = access.size >= 0 ? static_cast<std::uint32_t>(access.size) : 0,
                                .lanes = access.lanes == 32 ? ~0u : (1u << access.lanes) - 1,
                                .space = parts.operands[access.operand].space,
                                .reads = access.reads || access.updates,
                                .writes = access.writes || access.updates,
                                .atomic = access.updates,
                                .strong = kernel::is_strong(form),
                                .scope = static_cast<std::uint8_t>(form.scope),
                                .acquires = kernel::acquires(form),
                                .releases = kernel::releases(form)});
    }
  }
  if (!Definition::is_one(form))
    for (const kernel::FormWork& work : kernel::work_of(form))
      parts.work.push_back({work.format, work.operations, work.of_warp});
  const char* const guard = origin.guard_register == kernel::no_register
                                ? nullptr
                                : registers_[numbered(origin.guard_register)].name;
  instructions_[id] = {.id = id,
                       .function = origin.function,
                       .block = block,
                       .what = effects_of(form) | traits_in(traits) | end_of(form) | pieces |
                               (is_contracted(form) ? WEDJAT_CONTRACTED : 0),
                       .opcode = keep(std::string(form.opcode)),
                       .form = keep(std::string(form.text)),
                       .text = keep(guard == nullptr ? origin.text
                                                     : std::string(origin.guard_negated ? "@!" : "@") +
                                                           guard + " " + origin.text),
                       .guard = guard,
                       .guard_register = numbered(origin.guard_register),
                       .guard_negated = origin.guard_negated,
                       .operation = static_cast<std::uint8_t>(traits.operation),
                       .update = static_cast<std::uint8_t>(traits.update),
                       .group = static_cast<std::uint8_t>(traits.group),
                       .operands = parts.operands.data(),
                       .operand_count = static_cast<std::uint32_t>(parts.operands.size()),
                       .accesses = parts.accesses.data(),
                       .access_count = static_cast<std::uint32_t>(parts.accesses.size()),
                       .ptx_line = origin.ptx_line,
                       .source_file = origin.source_line ? keep(from_.source_files[origin.source_file]) : "",
                       .source_line = origin.source_line,
                       .work = parts.work.data(),
                       .work_count = static_cast<std::uint32_t>(parts.work.size())};
}

}  // namespace wedjat::hooks
