#include "traces/read/event.h"

#include "traces/format/error.h"

namespace wedjat::traces {

const Value* Event::find(std::string_view field) const {
  for (const auto& f : fields)
    if (f.name == field) return &f.value;
  return nullptr;
}

void Event::wrong(std::string_view field, const char* cause) const {
  throw FormatError("event " + std::string(name) + " (seq " + std::to_string(sequence) + ")",
                    "field '" + std::string(field) + "' " + cause);
}

std::uint64_t Event::number(std::string_view field) const {
  const Value* value = find(field);
  if (!value) wrong(field, "is missing");
  if (const auto* u = std::get_if<std::uint64_t>(value)) return *u;
  if (const auto* s = std::get_if<std::int64_t>(value)) return static_cast<std::uint64_t>(*s);
  wrong(field, "is not an integer");
}

const std::string& Event::text(std::string_view field) const {
  const Value* value = find(field);
  if (!value) wrong(field, "is missing");
  if (const auto* s = std::get_if<std::string>(value)) return *s;
  wrong(field, "is not a string");
}

const Bytes& Event::bytes(std::string_view field) const {
  const Value* value = find(field);
  if (!value) wrong(field, "is missing");
  if (const auto* b = std::get_if<Bytes>(value)) return *b;
  wrong(field, "is not a sequence of bytes");
}

std::vector<std::uint64_t> Event::numbers(std::string_view field) const {
  const Value* value = find(field);
  if (!value) wrong(field, "is missing");
  if (const auto* n = std::get_if<std::vector<std::uint64_t>>(value)) return *n;
  if (const auto* b = std::get_if<Bytes>(value)) {
    std::vector<std::uint64_t> widened;
    widened.reserve(b->size());
    for (std::byte byte : *b) widened.push_back(std::to_integer<std::uint64_t>(byte));
    return widened;
  }
  wrong(field, "is not a sequence of integers");
}

}  // namespace wedjat::traces
