#include "emulator/exec/warp/device_printf.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

namespace wedjat::exec {

namespace {

class Arguments {
 public:
  Arguments(const DeviceReader& reader, std::uint64_t at) : reader_(reader), at_(at) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    reader_.bytes(at_, &value, sizeof value);
    at_ += sizeof value;
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const DeviceReader& reader_;
  std::uint64_t at_;
  int count_ = 0;
};

// %[flags][width][.precision][size]type, as the CUDA C++ programming guide has it. `shape`: all before the
// size.
struct Conversion {
  std::string_view shape, size;
  char type = 0;
};

// At a '%'. Nothing where it is no conversion of CUDA's, as %zu, %Lf, %hhd and %.*f: those take no argument.
std::optional<Conversion> parse(std::string_view from) {
  std::size_t at = 1;
  const auto skip = [&](std::string_view any) {
    at = std::min(from.find_first_not_of(any, at), from.size());
  };
  const auto skip_one = [&](char c) { return from.substr(at).starts_with(c) && ++at != 0; };
  if (skip_one('%')) return Conversion{from.substr(0, 1), {}, '%'};
  skip("-+ #0");
  if (!skip_one('*')) skip("0123456789");
  if (skip_one('.')) skip("0123456789");
  Conversion found{from.substr(0, at), {}, 0};
  for (const std::string_view size : {"ll", "l", "h"})
    if (found.size.empty() && from.substr(at).starts_with(size)) found.size = size;
  at += found.size.size();
  if (at == from.size()) return std::nullopt;
  found.type = from[at];
  constexpr std::string_view types = "cdiouxXpeEfFgGaAsS";
  const bool known = types.find(found.type) != std::string_view::npos;
  return known && !(found.size == "h" && found.type == 'c') ? std::optional(found) : std::nullopt;
}

// With what stands for each '*'.
std::string filled(std::string_view shape, Arguments& arguments) {
  std::string text;
  for (const char c : shape)
    text += c == '*' ? std::to_string(arguments.next<std::int32_t>()) : std::string(1, c);
  return text;
}

template <class T>
std::string print(const std::string& spec, T value) {
  const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (size < 0) return spec;
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), spec.c_str(), value);
  text.pop_back();
  return text;
}

// Of 32 bits, or of 64 with a size of 'l' or 'll'; of 'h' the lower 16 bits.
template <class Word, class Wide, class Half>
std::string print_integer(const std::string& head, const Conversion& c, Arguments& arguments) {
  if (c.size.starts_with('l')) return print(head + "ll" + c.type, arguments.next<Wide>());
  const Word value = arguments.next<Word>();
  return c.size == "h" ? print(head + "h" + c.type, static_cast<Half>(value)) : print(head + c.type, value);
}

std::string wide_string(const DeviceReader& reader, std::uint64_t address) {
  std::string text;
  for (std::uint32_t c = 0;; text += static_cast<char>(c), address += sizeof c) {
    reader.bytes(address, &c, sizeof c);
    if (c == 0) return text;
  }
}

std::string convert(const Conversion& c, const DeviceReader& reader, Arguments& arguments) {
  const std::string head = filled(c.shape, arguments);
  switch (c.type) {
    case 'd':
    case 'i':
      return print_integer<std::int32_t, long long, short>(head, c, arguments);
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return print_integer<std::uint32_t, unsigned long long, unsigned short>(head, c, arguments);
    case 'c':
      return print(head + 'c', arguments.next<std::int32_t>());
    case 'p':
      return print(head + 'p', reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
    case 's':
    case 'S': {
      const std::uint64_t at = arguments.next<std::uint64_t>();
      if (at == 0) return print(head + 's', static_cast<const char*>(nullptr));
      return print(head + 's', (c.type == 's' ? reader.string(at) : wide_string(reader, at)).c_str());
    }
    case '%':
      return "%";
    default:
      return print(head + c.type, arguments.next<double>());
  }
}

}  // namespace

std::string DeviceReader::string(std::uint64_t address) const {
  std::string text;
  for (char c;; text += c) {
    bytes(address++, &c, 1);
    if (c == 0) return text;
  }
}

Formatted format_device(const DeviceReader& reader, std::uint64_t format, std::uint64_t arguments) {
  const std::string text = reader.string(format);
  Arguments values(reader, arguments);
  Formatted result;
  for (std::size_t at = 0; at < text.size();) {
    const auto conversion =
        text[at] == '%' ? parse(std::string_view(text).substr(at)) : std::optional<Conversion>();
    if (!conversion) {
      result.text += text[at++];
      continue;
    }
    at += conversion->shape.size() + conversion->size.size() + 1;
    result.text += convert(*conversion, reader, values);
  }
  result.arguments = values.count();
  return result;
}

}  // namespace wedjat::exec
