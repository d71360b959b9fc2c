// What tools call (wedjat_host): checks, then notes it in the tool's session.
#include <cstring>
#include <span>
#include <sstream>

#include "emulator/hooks/running/running.h"
#include "emulator/hooks/session/session.h"
#include "utilities/include/wedjat/expected.hpp"

namespace wedjat::hooks {
namespace {

Session& of(wedjat_session* session) { return *static_cast<Session*>(session); }

// What a caller filled in of a struct it knows as `size` bytes long; the rest is zero.
template <class T>
T known(const T* from) {
  T to{};
  std::memcpy(&to, from, from->size < sizeof to ? from->size : sizeof to);
  return to;
}

const wedjat_instruction* instruction(Session& session, std::uint32_t id) {
  if (session.subscribing == nullptr || id >= session.subscribing->instruction_count) return nullptr;
  return &session.subscribing->instructions[id];
}

const char* option(wedjat_session* session, const char* key) {
  const auto& options = of(session).options;
  const auto found = options.find(key);
  return found == options.end() ? nullptr : found->second.c_str();
}

std::uint32_t counters(wedjat_session* session, std::uint32_t count) {
  auto& all = of(session).counters;
  all.resize(all.size() + count);
  return static_cast<std::uint32_t>(all.size() - count);
}

std::uint64_t value(wedjat_session* session, std::uint32_t counter) {
  const auto& all = of(session).counters;
  return counter < all.size() ? all[counter] : 0;
}

int set(wedjat_session* session, std::uint32_t counter, std::uint64_t value) {
  auto& all = of(session).counters;
  if (counter >= all.size()) return -1;
  all[counter] = value;
  of(session).sets.emplace_back(counter, value);
  return 0;
}

constexpr std::uint32_t all_needs = WEDJAT_ROWS | WEDJAT_ADDRESSES | WEDJAT_INPUTS | WEDJAT_OLD |
                                    WEDJAT_EMPTY | WEDJAT_REGISTERS | WEDJAT_PIECES | WEDJAT_UNLESS_ASLEEP |
                                    WEDJAT_UNLESS_WITHIN | WEDJAT_UNLESS_EXPECTED;

// Whether the condition can be judged at this instruction.
bool makes_sense(const wedjat_probe& probe, const wedjat_instruction& at) {
  const wedjat_condition& condition = probe.condition;
  if (condition.test > WEDJAT_IF_VALUE || condition.low > condition.high) return false;
  if (condition.test < WEDJAT_IF_ADDRESS) return true;
  if (!(at.what & WEDJAT_HAS_ROWS)) return false;
  if (condition.test == WEDJAT_IF_ADDRESS) return at.access_count != 0 || (probe.needs & WEDJAT_PIECES) != 0;
  for (std::uint32_t o = 0; o < at.operand_count; ++o) {
    const wedjat_operand& operand = at.operands[o];
    if (condition.row >= operand.first && condition.row < std::uint32_t{operand.first} + operand.count)
      return operand.bits <= 64;
  }
  return false;
}

int probe(wedjat_session* session, const wedjat_probe* given) {
  wedjat_probe wanted = known(given);
  if (wanted.condition.test == WEDJAT_IF_ADDRESS && !(wanted.needs & WEDJAT_PIECES))
    wanted.needs |= WEDJAT_ADDRESSES;
  if (wanted.condition.test == WEDJAT_IF_VALUE) wanted.needs |= WEDJAT_ROWS;
  if (wanted.needs & (WEDJAT_UNLESS_WITHIN | WEDJAT_UNLESS_EXPECTED)) wanted.needs |= WEDJAT_ADDRESSES;
  const wedjat_instruction* at = instruction(of(session), wanted.instruction);
  if (at == nullptr || wanted.handler == nullptr || wanted.when > WEDJAT_AFTER ||
      (wanted.needs & ~all_needs) != 0 || !makes_sense(wanted, *at) ||
      (of(session).isolated && (wanted.needs & WEDJAT_REGISTERS)))
    return -1;
  constexpr std::uint32_t rows = WEDJAT_ROWS | WEDJAT_ADDRESSES | WEDJAT_INPUTS | WEDJAT_OLD | WEDJAT_PIECES;
  if ((wanted.needs & rows) && !(at->what & WEDJAT_HAS_ROWS)) return -1;
  if ((wanted.needs & WEDJAT_PIECES) && (wanted.when != WEDJAT_AFTER || !(at->what & WEDJAT_HAS_PIECES)))
    return -1;
  constexpr std::uint32_t ends = WEDJAT_BRANCH | WEDJAT_CALL | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP;
  if (wanted.when == WEDJAT_AFTER && (at->what & ends)) return -1;
  const bool has_size = at->access_count != 0 && at->accesses[0].bytes != 0;
  if ((wanted.needs & WEDJAT_UNLESS_WITHIN) && (wanted.when != WEDJAT_BEFORE || !has_size)) return -1;
  if (wanted.needs & WEDJAT_UNLESS_EXPECTED) {
    if (wanted.when != WEDJAT_BEFORE || wanted.condition.test != WEDJAT_IF_ANY || wanted.every > 1) return -1;
    if (of(session).parallel || of(session).isolated || !may_be_expected(*at))
      wanted.needs &= ~std::uint32_t{WEDJAT_UNLESS_EXPECTED};
  }
  Plan& plan = of(session).plan;
  plan.probes.push_back(wanted);
  plan.registers |= (wanted.needs & WEDJAT_REGISTERS) != 0;
  return 0;
}

int edge(wedjat_session* session, const wedjat_edge* given) {
  const wedjat_edge wanted = known(given);
  const wedjat_kernel* kernel = of(session).subscribing;
  if (kernel == nullptr || wanted.handler == nullptr || wanted.block >= kernel->block_count ||
      wanted.successor >= kernel->blocks[wanted.block].successor_count)
    return -1;
  of(session).plan.edges.push_back(wanted);
  return 0;
}

int count(wedjat_session* session, const wedjat_count* given) {
  const wedjat_count wanted = known(given);
  const wedjat_instruction* at = instruction(of(session), wanted.instruction);
  const std::uint64_t last = std::uint64_t{wanted.counter} + (wanted.buckets ? wanted.buckets : 1);
  if (at == nullptr || wanted.source > WEDJAT_DIVERGED || last > of(session).counters.size()) return -1;
  const bool memory = wanted.source >= WEDJAT_BYTES && wanted.source <= WEDJAT_BANK_IDEAL;
  if (memory && (wanted.access >= at->access_count || !(at->what & WEDJAT_HAS_ROWS))) return -1;
  const bool banks = wanted.source == WEDJAT_BANK_WAYS || wanted.source == WEDJAT_BANK_IDEAL;
  if (banks && at->accesses[wanted.access].bytes == 0) return -1;
  of(session).plan.counts.push_back(wanted);
  return 0;
}

int inlined(wedjat_session* session, const wedjat_inlined* given) {
  const wedjat_inlined wanted = known(given);
  const wedjat_instruction* at = instruction(of(session), wanted.instruction);
  if (at == nullptr || of(session).isolated || wanted.function == nullptr ||
      wanted.counter >= of(session).counters.size() || wanted.value_count > WEDJAT_MOST_VALUES)
    return -1;
  if (wanted.value_count != 0 && !(at->what & WEDJAT_HAS_ROWS)) return -1;
  for (const std::uint32_t value : std::span(wanted.values, wanted.value_count)) {
    bool found = false;
    for (std::uint32_t o = 0; o < at->operand_count; ++o) {
      const wedjat_operand& operand = at->operands[o];
      const bool here = value >= operand.first && value < std::uint32_t{operand.first} + operand.count;
      found = found || (here && (operand.kind == WEDJAT_ADDRESS || operand.bits <= 64));
    }
    if (!found) return -1;
  }
  of(session).plan.inlined.push_back(wanted);
  return 0;
}

int replace(wedjat_session* session, std::uint32_t id, std::uint32_t needs, wedjat_handler handler,
            void* user) {
  const wedjat_instruction* at = instruction(of(session), id);
  if (at == nullptr || !of(session).mutates || !(at->what & WEDJAT_HAS_ROWS) || (needs & ~all_needs) != 0)
    return -1;
  Plan& plan = of(session).plan;
  plan.replacements.push_back({id, needs, handler, user});
  plan.registers |= (needs & WEDJAT_REGISTERS) != 0;
  return 0;
}

int reset(wedjat_session* session, std::uint32_t kernel) {
  of(session).resets.insert(kernel);
  return 0;
}

int define(wedjat_session* session, const wedjat_definition* given) {
  Session& mine = of(session);
  if (!mine.creating || !mine.mutates) return -1;
  try {
    mine.definitions.emplace_back(known(given));
    return 0;
  } catch (const ToolError& error) {
    if (mine.refused.empty()) mine.refused = error.what();
    return -1;
  }
}

int allocation(wedjat_session* session, std::size_t index, wedjat_allocation* to) {
  const auto& ask = of(session).allocation;
  return ask && ask(index, *to) ? 0 : -1;
}

wedjat_table* table(wedjat_session* session, const char* title, const char* columns) {
  wedjat_table& made = of(session).tables.emplace_back();
  made.content.title = title;
  std::istringstream words(columns);
  for (std::string word; words >> word;) made.content.columns.push_back(word);
  return &made;
}

void cell_integer(wedjat_table* table, std::uint64_t value) { table->content.cells.emplace_back(value); }
void cell_real(wedjat_table* table, double value) { table->content.cells.emplace_back(value); }
void cell_text(wedjat_table* table, const char* text) {
  table->content.cells.emplace_back(std::string(text ? text : ""));
}

void one_at_a_time(wedjat_session* session) { of(session).one_at_a_time = true; }
std::uint32_t thread(wedjat_session*) { return current_thread(); }
void finding(wedjat_session* session, const wedjat_finding* given) { of(session).add(known(given)); }
void refuse(wedjat_session* session, const char* message) {
  if (of(session).refused.empty()) of(session).refused = message;
}

}  // namespace

const wedjat_host& host_functions() {
  static constexpr wedjat_host functions = {.size = sizeof(wedjat_host),
                                            .option = option,
                                            .counters = counters,
                                            .value = value,
                                            .set = set,
                                            .probe = probe,
                                            .count = count,
                                            .edge = edge,
                                            .replace = replace,
                                            .original = run_original,
                                            .read = read_memory,
                                            .write = write_memory,
                                            .register_row = register_row,
                                            .write_register = write_register,
                                            .allocation = allocation,
                                            .table = table,
                                            .cell_integer = cell_integer,
                                            .cell_real = cell_real,
                                            .cell_text = cell_text,
                                            .finding = finding,
                                            .refuse = refuse,
                                            .reset = reset,
                                            .define = define,
                                            .sleep = sleep_warp,
                                            .thread = thread,
                                            .lanes_read = lanes_read,
                                            .one_at_a_time = one_at_a_time,
                                            .inlined = inlined,
                                            .within = name_within};
  return functions;
}

}  // namespace wedjat::hooks
