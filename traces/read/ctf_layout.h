// How events lie in the streams of a CTF trace: what the metadata of LTTng-UST declare.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wedjat::traces {

// All of it little endian and packed at whole bytes.
struct CtfField {
  enum class Kind { integer, real, text };
  enum class Extent { one, fixed, counted };

  std::string_view name;  // without LTTng's underscore in front; lives as long as the program
  Kind kind = Kind::integer;
  bool is_signed = false;
  std::uint8_t size = 0;  // bytes of an element: 1, 2, 4 or 8; 0 for a text, which ends with its NUL
  Extent extent = Extent::one;
  std::uint64_t count = 0;  // fixed: elements; counted: bytes of the unsigned integer before the elements
};

struct CtfEvent {
  std::string_view provider, name;  // "wedjat_cuda", "cuInit_entry"; both live as long as the program
  std::vector<CtfField> fields;
};

struct CtfStream {
  bool compact = false;  // events begin with 5 bits of id and 27 of time, not 16 and 32
  std::vector<CtfField> context;
  std::unordered_map<std::uint64_t, CtfEvent> events;  // by id
};

struct CtfLayout {
  std::vector<CtfField> packet_header, packet_context;
  std::unordered_map<std::uint64_t, CtfStream> streams;  // by id
};

}  // namespace wedjat::traces
