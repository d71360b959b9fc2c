// A small CTF trace by hand, laid out as LTTng-UST does it (traces/read/ctf_layout.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace ctf {

inline const std::string preamble = R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
trace {
  byte_order = le;
  packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; };
};
env { tracer_name = "lttng-ust"; };
struct packet_context { unsigned long content_size; unsigned long packet_size; };
struct event_header_large { anything { at all } } align(8);
stream {
  id = 0;
  event.header := struct event_header_large;
  packet.context := struct packet_context;
  event.context := struct { integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _vpid; };
};
)";

inline std::string event(int id, const std::string& fields) {
  return "event { name = \"wedjat_meta:kind" + std::to_string(id) + "\"; id = " + std::to_string(id) +
         "; stream_id = 0; loglevel = 13; fields := struct { integer { size = 64; align = 8; signed = 0; } "
         "_seq; " +
         fields + "}; };\n";
}

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// One packet of metadata.
inline std::string metadata(const std::string& text) {
  const auto bits = static_cast<std::uint32_t>(8 * (37 + text.size()));
  return bytes_of(std::uint32_t{0x75D11D57}) + std::string(20, '\0') + bytes_of(bits) + bytes_of(bits) +
         std::string(5, '\0') + text;
}

// One packet of events, with `padding` bytes behind them.
inline std::string packet(const std::string& events, std::uint64_t padding = 0) {
  const std::uint64_t bytes = 24 + 16 + events.size();
  return bytes_of(std::uint32_t{0xC1FC1FC1}) + std::string(20, '\0') + bytes_of(8 * bytes) +
         bytes_of(8 * (bytes + padding)) + events + std::string(padding, '\0');
}

// Id, time, vpid 7, seq, fields.
inline std::string record(std::uint16_t id, std::uint64_t sequence, const std::string& fields) {
  return bytes_of(id) + std::string(4, '\0') + bytes_of(std::int32_t{7}) + bytes_of(sequence) + fields;
}

inline void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace ctf
