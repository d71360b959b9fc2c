// One event of a trace with its fields as recorded. traces/FORMAT.md lists the events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wedjat::traces {

using Bytes = std::vector<std::byte>;
using Value =
    std::variant<std::uint64_t, std::int64_t, double, std::string, Bytes, std::vector<std::uint64_t>>;

struct Field {
  std::string_view name;  // interned: lives as long as the program
  Value value;
};

struct Event {
  std::string_view provider;  // "wedjat_cuda", "wedjat_meta"
  std::string_view name;      // "cuMemAlloc_v2_entry", "payload"
  std::uint64_t sequence = 0;
  std::int32_t process = 0, thread = 0;
  std::vector<Field> fields;

  const Value* find(std::string_view field) const;

  // All throw FormatError naming event, sequence number and field if it is absent or of another kind.
  std::uint64_t number(std::string_view field) const;  // integers; negative ones as two's complement
  const std::string& text(std::string_view field) const;
  const Bytes& bytes(std::string_view field) const;                  // u8 sequences
  std::vector<std::uint64_t> numbers(std::string_view field) const;  // integer sequences of any width

 private:
  [[noreturn]] void wrong(std::string_view field, const char* cause) const;
};

}  // namespace wedjat::traces
