#include "emulator/exec/warp/device_printf.h"

#include <cstdio>
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

// One conversion, cut out of the format: flags, width and precision kept, lengths read and dropped.
struct Conversion {
  std::string flags;
  bool wide = false;
  char kind = 0;
};

Conversion parse(std::string_view format, std::size_t& at, Arguments& arguments) {
  Conversion conversion;
  while (at < format.size() &&
         std::string_view("-+ #0123456789.*").find(format[at]) != std::string_view::npos) {
    if (format[at] == '*')
      conversion.flags += std::to_string(arguments.next<std::int32_t>());
    else
      conversion.flags += format[at];
    ++at;
  }
  for (; at < format.size() && std::string_view("hlLqjzt").find(format[at]) != std::string_view::npos; ++at)
    conversion.wide |= format[at] != 'h';
  if (at < format.size()) conversion.kind = format[at++];
  return conversion;
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

std::string convert(const Conversion& c, const DeviceReader& reader, Arguments& arguments) {
  const std::string head = "%" + c.flags;
  switch (c.kind) {
    case 'd':
    case 'i':
      return c.wide ? print(head + "lld", arguments.next<long long>())
                    : print(head + "d", arguments.next<std::int32_t>());
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return c.wide ? print(head + "ll" + c.kind, arguments.next<unsigned long long>())
                    : print(head + c.kind, arguments.next<std::uint32_t>());
    case 'c':
      return print(head + 'c', arguments.next<std::int32_t>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return print(head + c.kind, arguments.next<double>());
    case 'p':
      return print(head + 'p', reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
    case 's': {
      const std::uint64_t at = arguments.next<std::uint64_t>();
      return print(head + 's', at == 0 ? "(null)" : reader.string(at).c_str());
    }
    case '%':
      return "%";
    default:  // printed as it stands, as CUDA does with what it does not know
      return head + (c.kind != 0 ? std::string(1, c.kind) : "");
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
    if (text[at] != '%') {
      result.text += text[at++];
      continue;
    }
    ++at;
    const Conversion conversion = parse(text, at, values);
    result.text += convert(conversion, reader, values);
  }
  result.arguments = values.count();
  return result;
}

}  // namespace wedjat::exec
