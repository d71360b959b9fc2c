#include "emulator/compile/cache/key.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "emulator/compile/analysis/step_rows.h"
#include "emulator/compile/cache/build_id.h"
#include "emulator/compile/cache/bytes.h"
#include "emulator/compile/cache/processor.h"
#include "emulator/compile/cache/shape_bytes.h"
#include "emulator/exec/access/memory_port.h"

namespace wedjat::compile {

namespace {

// How far a function or table of the program lies from another one: the same in each process that runs it.
template <class Pointer>
void put_place(ByteWriter& to, Pointer place) {
  to.put(reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(&exec::note_range));
}

void put(ByteWriter& to, const std::vector<kernel::Place>& places) {
  to.put(places.size());
  for (const kernel::Place& place : places) {
    to.put(place.kind);
    to.put(place.offset);
    to.put(place.bytes);
  }
}

void put(ByteWriter& to, const kernel::Terminator& end) {
  to.put(end.kind);
  to.put(end.negated);
  for (const std::uint32_t number : {std::uint32_t{end.guard}, end.id, end.target, end.next, end.row})
    to.put(number);
  to.put(end.targets.size());
  for (const std::uint32_t target : end.targets) to.put(target);
  put(to, end.arguments);
  put(to, end.results);
}

// Some forms are made where they are needed, at another place each time.
void put(ByteWriter& to, const kernel::Form& form) {
  const auto table = kernel::all_forms();
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(table.data());
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(&form) - first;
  const bool is_in_table = distance < table.size_bytes();
  to.put(is_in_table);
  if (is_in_table) return to.put(distance);
  for (const std::string_view text : {form.opcode, form.text, form.key, form.source}) to.put(text);
  put_place(to, form.full);
  put_place(to, form.masked);
  to.put(form.control);
  to.put(form.level);
  to.put(form.effects);
  to.put(form.sync_operand);
  to.put(form.semantics);
  to.put(form.scope);
  to.put(form.operands);
  for (std::uint8_t i = 0; i < form.operands; ++i) {
    const kernel::OperandSpec& operand = form.operand[i];
    to.put(operand.kind);
    to.put(operand.value);
    to.put(operand.bits);
    to.put(operand.parts);
    to.put(operand.count);
    to.put(operand.space);
    for (const bool is : {operand.in, operand.out, operand.sink, operand.optional}) to.put(is);
  }
}

void put(ByteWriter& to, const kernel::Step& step, const std::vector<std::uint32_t>& rows) {
  put_place(to, step.full);
  put_place(to, step.masked);
  to.put(step.form != nullptr);
  if (step.form != nullptr) put(to, *step.form);
  to.put(step.id);
  to.put(step.guard);
  to.put(step.flags);
  const std::uint64_t first =
      reinterpret_cast<std::uintptr_t>(step.row) - reinterpret_cast<std::uintptr_t>(rows.data());
  const bool is_among = first < rows.size() * sizeof rows[0];
  to.put(is_among ? first : ~std::uint64_t{0});
  if (!is_among)
    for (const RowUse& use : rows_of(step)) to.put(use.offset);
}

void put(ByteWriter& to, const kernel::Function& function) {
  to.put(function.blocks.size());
  for (const kernel::Block& block : function.blocks) {
    for (const std::uint32_t number : {block.first, block.count, block.instructions}) to.put(number);
    put(to, block.end);
  }
  to.put(function.steps.size());
  for (const kernel::Step& step : function.steps) put(to, step, function.rows);
  to.put(function.rows.size());
  to.put(std::as_bytes(std::span(function.rows)));
  to.put(function.fills.size());
  for (const kernel::RowFill& fill : function.fills) {
    to.put(fill.row);
    to.put(fill.source);
    to.put(fill.element_bytes);
    to.put(fill.value);
    to.put(fill.high);
  }
  to.put(function.frame_bytes);
  to.put(function.local_bytes);
  put(to, function.parameters);
  put(to, function.results);
}

void put(ByteWriter& to, const exec::ProbeRow& row) {
  to.put(row.offset);
  to.put(row.bytes);
}

void put(ByteWriter& to, const exec::TalliedAccess& access) {
  to.put(access.address);
  to.put(access.bytes);
  to.put(access.generic);
}

template <class T>
void put_all(ByteWriter& to, const std::vector<T>& all, void (*put_one)(ByteWriter&, const T&)) {
  to.put(all.size());
  for (const T& each : all) put_one(to, each);
}

void put(ByteWriter& to, const exec::Tally& tally) {
  to.put(tally.what);
  to.put(tally.cell);
  to.put(tally.buckets);
}

void put(ByteWriter& to, const exec::ProbeCondition& condition) {
  to.put(condition.test);
  put(to, condition.row);
  to.put(condition.bytes);
  to.put(condition.low);
  to.put(condition.high);
}

void put(ByteWriter& to, const exec::InlinedFunction& function) {
  to.put(std::string_view(function.name));
  to.put(function.bitcode != nullptr);
  if (function.bitcode != nullptr) {
    const XXH128_hash_t hash = XXH3_128bits(function.bitcode->data(), function.bitcode->size());
    to.put(hash.low64);
    to.put(hash.high64);
  }
  to.put(function.cell);
  put_all(to, function.values, put);
}

// What is called lies elsewhere in each process, and is looked for where code is placed.
void put(ByteWriter& to, const exec::Probe& probe) {
  to.put(probe.guard);
  to.put(probe.guard_negated);
  to.put(probe.whole);
  put_all(to, probe.tallies, put);
  put_all(to, probe.access, put);
  put_all(to, probe.inlined, put);
  to.put(probe.call != nullptr);
  put_all(to, probe.rows, put);
  to.put(probe.tells);
  put_all(to, probe.only, put);
  to.put(probe.tools);
  to.put(probe.sleepers);
  to.put(probe.within);
  put(to, probe.within_access);
  to.put(probe.expected.tool);
  to.put(probe.expected.site);
  to.put(probe.expected.address);
  to.put(probe.skips_empty);
  to.put(std::string_view(probe.by_hand));
}

void put(ByteWriter& to, const std::map<std::uint64_t, Shape>& shapes) {
  to.put(shapes.size());
  for (const auto& [number, shape] : shapes) {
    to.put(number);
    put_shape(to, shape);
  }
}

}  // namespace

std::string Key::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Maker maker_of(const std::filesystem::path& compiler, const std::string& features, std::uint32_t leave) {
  return {.program = own_build_id(),
          .compiler = build_id_of(compiler),
          .processor = processor_identity(),
          .features = features,
          .leave = leave};
}

Key key_of(const Maker& maker, const kernel::Kernel& kernel, const Geometry& geometry,
           const exec::Probes* probes) {
  ByteWriter all;
  for (const std::string* text : {&maker.program, &maker.compiler, &maker.processor, &maker.features})
    all.put(std::string_view(*text));
  all.put(maker.leave);
  all.put(kernel.functions.size());
  for (const kernel::Function& function : kernel.functions) put(all, function);
  all.put(kernel.parameter_bytes);
  all.put(kernel.static_shared_bytes);
  all.put(kernel.local_bytes.value_or(0));
  all.put(kernel.local_bytes.has_value());
  all.put(kernel.ordered);
  all.put(geometry.width);
  all.put(geometry.lanes);
  all.put(geometry.rest);
  put(all, geometry.full);
  put(all, geometry.of_rest);
  put(all, geometry.any);
  all.put(probes != nullptr);
  if (probes != nullptr) put_all(all, probes->all, put);
  const XXH128_hash_t hash = XXH3_128bits(all.bytes.data(), all.bytes.size());
  return {hash.low64, hash.high64};
}

}  // namespace wedjat::compile
