#include "traces/read/ctf_stream.h"

#include <cstring>

#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::traces {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// An integer of 1, 2, 4 or 8 bytes, widened.
std::uint64_t integer_at(const std::byte* from, unsigned size, bool is_signed) {
  const auto widened = [&]<class T>(T value) {
    return is_signed ? static_cast<std::uint64_t>(
                           static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(value)))
                     : std::uint64_t{value};
  };
  switch (size) {
    case 1:
      return widened(load<std::uint8_t>(from));
    case 2:
      return widened(load<std::uint16_t>(from));
    case 4:
      return widened(load<std::uint32_t>(from));
    default:
      return load<std::uint64_t>(from);
  }
}

// What is left of a packet.
class Cursor {
 public:
  Cursor(const std::string& file, const std::string& bytes, std::uint64_t offset, std::uint64_t end)
      : file_(file), bytes_(bytes), offset_(offset), end_(end) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return end_ - offset_; }
  [[noreturn]] void fail(const std::string& cause) const { throw FormatError(file_, offset_, cause); }

  const std::byte* take(std::uint64_t count, std::uint64_t size) {
    if (count > left() / size)
      fail(std::to_string(count) + " times " + std::to_string(size) + " bytes, where " +
           std::to_string(left()) + " are left of the packet");
    const auto* at = reinterpret_cast<const std::byte*>(bytes_.data()) + offset_;
    offset_ += count * size;
    return at;
  }
  std::uint8_t peek() {
    Cursor ahead = *this;
    return load<std::uint8_t>(ahead.take(1, 1));
  }
  std::uint64_t take_integer(unsigned size, bool is_signed) {
    return integer_at(take(1, size), size, is_signed);
  }
  std::string take_text() {
    const auto end = std::string_view(bytes_).substr(0, end_).find('\0', offset_);
    if (end == std::string::npos) fail("a text without end");
    std::string text = bytes_.substr(offset_, end - offset_);
    offset_ = end + 1;
    return text;
  }

 private:
  const std::string& file_;
  const std::string& bytes_;
  std::uint64_t offset_, end_;
};

Value take_sequence(const CtfField& field, Cursor& cursor) {
  const std::uint64_t count = field.extent == CtfField::Extent::fixed
                                  ? field.count
                                  : cursor.take_integer(static_cast<unsigned>(field.count), false);
  const std::byte* at = cursor.take(count, field.size);
  if (field.size == 1) return Bytes(at, at + count);
  std::vector<std::uint64_t> numbers(count);
  for (std::uint64_t i = 0; i < count; ++i)
    numbers[i] = integer_at(at + i * field.size, field.size, field.is_signed);
  return numbers;
}

Value take_value(const CtfField& field, Cursor& cursor) {
  if (field.extent != CtfField::Extent::one) return take_sequence(field, cursor);
  if (field.kind == CtfField::Kind::text) return cursor.take_text();
  if (field.kind == CtfField::Kind::real) {
    const std::byte* at = cursor.take(1, field.size);
    return field.size == 4 ? static_cast<double>(load<float>(at)) : load<double>(at);
  }
  const std::uint64_t value = cursor.take_integer(field.size, field.is_signed);
  if (field.is_signed) return static_cast<std::int64_t>(value);
  return value;
}

// The time is not used: events have sequence numbers.
std::uint64_t take_event_id(bool compact, Cursor& cursor) {
  constexpr unsigned kTime = 8;
  if (compact) {
    const std::uint64_t id = cursor.peek() & 31;
    if (id != 31) return cursor.take(1, 4), id;
    cursor.take(1, 1);
  } else {
    const std::uint64_t id = cursor.take_integer(2, false);
    if (id != 65535) return cursor.take(1, 4), id;
  }
  const std::uint64_t id = cursor.take_integer(4, false);
  cursor.take(1, kTime);
  return id;
}

Event take_event(const CtfStream& stream, Cursor& cursor) {
  const Cursor start = cursor;
  const std::uint64_t id = take_event_id(stream.compact, cursor);
  const auto layout = stream.events.find(id);
  if (layout == stream.events.end())
    start.fail("an event of kind " + std::to_string(id) + ", which is not declared");
  Event event;
  event.provider = layout->second.provider;
  event.name = layout->second.name;
  for (const CtfField& field : stream.context) {
    const Value value = take_value(field, cursor);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number && field.name == "vpid") event.process = static_cast<std::int32_t>(*number);
    if (number && field.name == "vtid") event.thread = static_cast<std::int32_t>(*number);
  }
  event.fields.reserve(layout->second.fields.size());
  for (const CtfField& field : layout->second.fields)
    event.fields.push_back({field.name, take_value(field, cursor)});
  const Value* sequence = event.find("seq");
  if (!sequence || !std::holds_alternative<std::uint64_t>(*sequence)) start.fail("an event without number");
  event.sequence = std::get<std::uint64_t>(*sequence);
  return event;
}

struct Packet {
  std::uint64_t magic = 0, stream = 0, content = 0, size = 0;  // sizes in bits
};

void take_packet_fields(const std::vector<CtfField>& fields, Cursor& cursor, Packet& packet) {
  const std::pair<std::string_view, std::uint64_t*> known[] = {{"magic", &packet.magic},
                                                               {"stream_id", &packet.stream},
                                                               {"content_size", &packet.content},
                                                               {"packet_size", &packet.size}};
  for (const CtfField& field : fields) {
    const Value value = take_value(field, cursor);
    for (const auto& [name, place] : known)
      if (const auto* number = std::get_if<std::uint64_t>(&value); number && name == field.name)
        *place = *number;
  }
}

}  // namespace

void read_ctf_stream(const std::filesystem::path& path, const CtfLayout& layout, std::vector<Event>& events) {
  constexpr std::uint64_t kMagic = 0xC1FC1FC1;
  const std::string file = path.string(), bytes = read_regular_file(path);
  for (std::uint64_t offset = 0; offset < bytes.size();) {
    const std::uint64_t left = bytes.size() - offset;
    const Cursor start(file, bytes, offset, bytes.size());
    Cursor header = start;
    Packet packet;
    take_packet_fields(layout.packet_header, header, packet);
    take_packet_fields(layout.packet_context, header, packet);
    if (packet.magic != kMagic) start.fail("no packet of events");
    const std::uint64_t content = packet.content / 8, size = packet.size / 8,
                        taken = header.offset() - offset;
    if (content < taken || size < content || size > left)
      start.fail("a packet with " + std::to_string(content) + " of " + std::to_string(size) +
                 " bytes used, where " + std::to_string(left) + " are left");
    const auto stream = layout.streams.find(packet.stream);
    if (stream == layout.streams.end())
      start.fail("a packet of stream " + std::to_string(packet.stream) + ", which is not declared");
    Cursor cursor(file, bytes, header.offset(), offset + content);
    while (cursor.left()) events.push_back(take_event(stream->second, cursor));
    offset += size;
  }
}

}  // namespace wedjat::traces
