#include "cli/options/arguments.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "cli/options/argument_error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

std::uint64_t parse_size(const std::string& text, const std::string& number) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size())
    wrong(text, "'" + number + "' is not a number of bytes");
  if (value == 0 || value > most) wrong(text, "a buffer has between 1 byte and 1 TiB");
  return value;
}

std::vector<std::byte> file_bytes(const std::string& path) {
  const std::string contents = traces::read_file(path);
  const auto* begin = reinterpret_cast<const std::byte*>(contents.data());
  return {begin, begin + contents.size()};
}

std::vector<std::byte> little_endian(std::uint64_t bits, unsigned bytes) {
  std::vector<std::byte> result(bytes);
  std::memcpy(result.data(), &bits, bytes);
  return result;
}

// Decimal or 0x hexadecimal, in the range of `bits` bits, signed or not.
std::uint64_t parse_integer(const std::string& text, const std::string& number, unsigned bits,
                            bool is_signed) {
  std::string_view digits = number;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (hexadecimal) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size())
    wrong(text, "'" + number + "' is not a number that fits");
  const std::uint64_t largest = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t limit = negative                    ? (largest >> 1) + 1
                              : is_signed && !hexadecimal ? largest >> 1
                                                          : largest;
  if (value > limit || (negative && !is_signed)) wrong(text, fmt::format("{} is out of range", number));
  return negative ? 0 - value : value;
}

std::uint64_t parse_float(const std::string& text, const std::string& number, unsigned bits) {
  if (number.rfind("0x", 0) == 0) return parse_integer(text, number, bits, false);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || std::isspace(static_cast<unsigned char>(number[0])) != 0 || *end)
    wrong(text, "'" + number + "' is not a number");
  const float narrow = std::strtof(number.c_str(), nullptr);
  const bool infinite = bits == 64 ? std::isinf(value) : std::isinf(narrow);
  if (infinite && number.find_first_of("iI") == number.npos)
    wrong(text, fmt::format("{} is out of range; infinity is written inf", number));
  if (bits == 64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(narrow);
}

}  // namespace

Argument parse_argument(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == text.npos) wrong(text, "expected KIND:VALUE, such as in:x.bin or u32:5");
  const std::string kind = text.substr(0, colon), rest = text.substr(colon + 1);
  Argument argument;
  argument.text = text;
  if (kind == "in" || kind == "inout") {
    argument.kind = Argument::Kind::buffer;
    argument.bytes = file_bytes(rest);
    if (argument.bytes.empty()) wrong(text, "the file is empty");
    argument.size = argument.bytes.size();
    if (kind == "inout") argument.write_back = rest;
  } else if (kind == "out") {
    const auto last = rest.rfind(':');
    if (last == rest.npos || last == 0) wrong(text, "expected out:FILE:BYTES");
    argument.kind = Argument::Kind::buffer;
    argument.size = parse_size(text, rest.substr(last + 1));
    argument.write_back = rest.substr(0, last);
  } else if (kind == "zeros") {
    argument.kind = Argument::Kind::buffer;
    argument.size = parse_size(text, rest);
  } else if (is_texel_argument(text)) {
    argument.kind = Argument::Kind::texels;
    argument.texels = parse_texel_argument(text);
  } else if (kind == "bytes") {
    argument.bytes = file_bytes(rest);
    if (argument.bytes.empty()) wrong(text, "the file is empty");
  } else {
    const std::string digits = kind.size() > 1 ? kind.substr(1) : "";
    const unsigned bits = digits == "8"    ? 8
                          : digits == "16" ? 16
                          : digits == "32" ? 32
                          : digits == "64" ? 64
                                           : 0;
    const bool is_float = kind[0] == 'f' && bits >= 32;
    if (!bits || (kind[0] != 'u' && kind[0] != 's' && kind[0] != 'b' && !is_float))
      wrong(text, "unknown kind '" + kind +
                      "': in, inout, out, zeros, bytes, texture, surface, surface-out, u8…u64, s8…s64, "
                      "b8…b64, f32 or f64");
    argument.bytes = little_endian(
        is_float ? parse_float(text, rest, bits) : parse_integer(text, rest, bits, kind[0] == 's'), bits / 8);
  }
  return argument;
}

void parse_shape(const std::string& text, std::uint32_t (&shape)[3]) {
  shape[0] = shape[1] = shape[2] = 1;
  std::string_view rest = text;
  for (int dimension = 0;; ++dimension) {
    if (dimension == 3) wrong(text, "a shape has at most three numbers");
    const auto comma = rest.find(',');
    const std::string_view number = rest.substr(0, comma);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), shape[dimension]);
    if (error != std::errc() || end != number.data() + number.size() || shape[dimension] == 0)
      wrong(text, "expected X, X,Y or X,Y,Z, each at least 1 and at most 4294967295");
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace wedjat::cli
