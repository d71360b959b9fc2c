// Recordings whose events say something else: every field that is a length, a count, an index, an address, a
// handle, an offset, a name or an enumerator.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "traces/read/trace.h"

namespace mutate {

using namespace wedjat::traces;
using Random = std::mt19937_64;

inline std::uint64_t any_number(const Trace& trace, Random& random) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Event& event = trace.events[random() % trace.events.size()];
    if (event.fields.empty()) continue;
    const Value& value = event.fields[random() % event.fields.size()].value;
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
    if (const auto* list = std::get_if<std::vector<std::uint64_t>>(&value); list && !list->empty())
      return list->front();
  }
  return 0;
}

inline std::uint64_t other_number(std::uint64_t value, const Trace& trace, Random& random) {
  switch (random() % 8) {
    case 0:
      return random() % 4;
    case 1:
      return ~std::uint64_t{0} - random() % 3;
    case 2:
      return std::uint64_t{1} << random() % 64;
    case 3:
      return (std::uint64_t{1} << (8 + random() % 56)) - 1;
    case 4:
      return value + 1 - 2 * (random() % 2);
    case 5:
      return value ^ std::uint64_t{1} << random() % 64;
    case 6:
      return value * (2 + random() % 1000);
    default:
      return any_number(trace, random);
  }
}

inline void change(Bytes& bytes, const Trace& trace, Random& random) {
  if (bytes.empty() || random() % 8 == 0) return bytes.resize(random() % 200);
  if (random() % 12 == 0) return bytes.resize(random() % bytes.size());
  const std::size_t size = std::min<std::size_t>(bytes.size(), std::size_t{1} << random() % 4);
  const std::size_t at = random() % (bytes.size() / size) * size;
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[at], size);
  word = other_number(word, trace, random);
  std::memcpy(&bytes[at], &word, size);
}

inline void change(Value& value, const Trace& trace, Random& random) {
  if (auto* number = std::get_if<std::uint64_t>(&value)) *number = other_number(*number, trace, random);
  if (auto* number = std::get_if<std::int64_t>(&value))
    *number = static_cast<std::int64_t>(other_number(static_cast<std::uint64_t>(*number), trace, random));
  if (auto* real = std::get_if<double>(&value))
    *real = random() % 2 ? 1e300 : -std::numeric_limits<double>::infinity();
  if (auto* text = std::get_if<std::string>(&value))
    *text = random() % 2 ? text->substr(0, text->size() / 2) : *text + *text;
  if (auto* bytes = std::get_if<Bytes>(&value)) change(*bytes, trace, random);
  if (auto* list = std::get_if<std::vector<std::uint64_t>>(&value)) {
    if (list->empty() || random() % 6 == 0)
      list->resize(random() % 20);
    else
      for (std::uint64_t& one : *list) one = random() % list->size() ? one : other_number(one, trace, random);
  }
}

// Of the thousand calls with which a runtime begins, few matter to a replay.
inline std::size_t any_place(const Trace& trace, Random& random) {
  std::size_t place = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    place = random() % trace.events.size();
    const std::string_view name = trace.events[place].name;
    if (!name.starts_with("cuGetProcAddress") && !name.starts_with("cuDeviceGet") &&
        !name.starts_with("cuGetExportTable"))
      break;
  }
  return place;
}

// Changes one to three things; tells what.
inline std::string change(Trace& trace, Random& random) {
  std::string told;
  for (std::uint64_t changes = 1 + random() % 3; changes; --changes) {
    const std::size_t place = any_place(trace, random);
    Event& event = trace.events[place];
    told += std::string(event.name) + " (seq " + std::to_string(event.sequence) + ")";
    if (event.fields.empty() || random() % 40 == 0) {
      told += " is gone; ";
      trace.events.erase(trace.events.begin() + static_cast<std::ptrdiff_t>(place));
      continue;
    }
    if (random() % 40 == 0) {
      event.name = trace.events[random() % trace.events.size()].name;
      told += " is " + std::string(event.name) + "; ";
      continue;
    }
    Field& field = event.fields[random() % event.fields.size()];
    change(field.value, trace, random);
    told += " " + std::string(field.name) + "; ";
  }
  return told;
}

}  // namespace mutate
