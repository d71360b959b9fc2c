// Numbers one after the other, as files of code hold them and keys are made of them.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wedjat::compile {

/// Something is not as this program writes it.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ByteWriter {
 public:
  template <class Number>
  requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void put(Number number) {
    append(&number, sizeof number);
  }
  void put(std::span<const std::byte> all) {
    put(static_cast<std::uint64_t>(all.size()));
    append(all.data(), all.size());
  }
  void put(std::string_view text) { put(std::as_bytes(std::span(text))); }

  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// Throws Damaged behind the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class Number>
  requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) Number get() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::span<const std::byte> get_bytes() { return take(get<std::uint64_t>()); }
  std::string_view get_text() {
    const auto all = get_bytes();
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) throw Damaged("it ends too early");
    const auto taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(static_cast<std::size_t>(size));
    return taken;
  }

  std::span<const std::byte> rest_;
};

}  // namespace wedjat::compile
