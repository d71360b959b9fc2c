#include "cli/expect/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace wedjat::expect {
namespace {

bool well(const Expectation& expectation, const Wanted& wanted, const Bits& got, Captured& captured) {
  switch (wanted.kind) {
    case Wanted::Kind::anything:
      return true;
    case Wanted::Kind::any_nan:
      return is_nan(expectation.type, got);
    case Wanted::Kind::captured:
      return captured.try_emplace(wanted.name, got).first->second == got;
    case Wanted::Kind::exactly:
      break;
  }
  if (wanted.bits == got) return true;
  if (expectation.ulps) {
    const auto ulps = ulps_between(expectation.type, wanted.bits, got);
    return ulps && *ulps <= *expectation.ulps;
  }
  if (expectation.distance)
    return std::fabs(as_number(expectation.type, wanted.bits) - as_number(expectation.type, got)) <=
           *expectation.distance;
  return false;
}

std::string shown(const Expectation& expectation, const Wanted& wanted, const Captured& captured) {
  if (wanted.kind == Wanted::Kind::any_nan) return "a NaN";
  if (wanted.kind == Wanted::Kind::captured)
    return fmt::format("${} = {}", wanted.name, shown(expectation.type, captured.at(wanted.name)));
  std::string text = shown(expectation.type, wanted.bits);
  if (expectation.ulps) text += fmt::format(" within {} ulp", *expectation.ulps);
  if (expectation.distance) text += fmt::format(" within {}", *expectation.distance);
  return text;
}

}  // namespace

Elements elements_of(const std::string& file, const Expectation& expectation, std::uint64_t bytes) {
  const std::uint64_t all = bytes / expectation.type.bytes;
  if (bytes % expectation.type.bytes != 0)
    wrong(file, expectation.line,
          fmt::format("{} has {} bytes, no whole number of {}", expectation.buffer, bytes,
                      expectation.type.name));
  if (expectation.first >= all || (expectation.last && *expectation.last >= all))
    wrong(file, expectation.line,
          fmt::format("{} has {} elements of type {}", expectation.buffer, all, expectation.type.name));
  const std::uint64_t last = expectation.last ? *expectation.last : all - 1;
  Elements elements{expectation.first, expectation.step, (last - expectation.first) / expectation.step + 1};
  const auto given = expectation.values ? expectation.values->count() : std::nullopt;
  if (given && *given != elements.count)
    wrong(file, expectation.line,
          fmt::format("{} elements of {} are compared with {} values", elements.count, expectation.buffer,
                      *given));
  return elements;
}

std::optional<Difference> compare(const Expectation& expectation, const Elements& elements,
                                  std::span<const std::byte> memory, Captured& captured) {
  std::optional<Difference> first;
  for (std::uint64_t i = 0; i < elements.count; ++i) {
    const std::uint64_t element = elements.first + i * elements.step;
    const Bits got = bits_at(expectation.type, memory.subspan(element * expectation.type.bytes));
    const Wanted wanted = expectation.values->at(i);
    if (well(expectation, wanted, got, captured)) continue;
    if (first)
      ++first->others;
    else
      first = Difference{element, got, shown(expectation, wanted, captured), 0};
  }
  return first;
}

void must_cover(const std::string& file, std::span<const Launch> launches) {
  std::map<std::string, std::pair<const Buffer*, std::vector<bool>>> all;
  const auto check = [&] {
    for (const auto& [name, entry] : all) {
      const auto& [buffer, compared] = entry;
      if (buffer->use != Buffer::Use::out && buffer->use != Buffer::Use::inout) continue;
      for (std::uint64_t byte = 0; byte < buffer->count * buffer->type.bytes; ++byte)
        if (compared.empty() || !compared[byte])
          wrong(file, buffer->line,
                fmt::format("element {} of {} is compared with nothing: expect it, or say ignore",
                            byte / buffer->type.bytes, name));
    }
  };
  for (const Launch& launch : launches) {
    for (const Buffer& buffer : launch.buffers) all[buffer.name] = {&buffer, {}};
    for (const Expectation& expectation : launch.expectations) {
      const auto found = all.find(expectation.buffer);
      if (found == all.end()) continue;  // a variable of the module
      auto& [buffer, compared] = found->second;
      const std::uint64_t bytes = buffer->count * buffer->type.bytes;
      const Elements elements = elements_of(file, expectation, bytes);
      compared.resize(bytes);
      for (std::uint64_t i = 0; i < elements.count; ++i)
        for (unsigned byte = 0; byte < expectation.type.bytes; ++byte)
          compared[(elements.first + i * elements.step) * expectation.type.bytes + byte] = true;
    }
    if (launch.fails) return;  // memory of a device that failed cannot be read
  }
  check();
}

}  // namespace wedjat::expect
