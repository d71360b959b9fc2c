#include "interposer/images/linked.h"

#include <cstring>
#include <string_view>

namespace wedjat::interposer {
namespace {

constexpr std::string_view magic = "WEDJATL2";

std::uint64_t number_at(const std::byte* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void append(std::vector<std::byte>& to, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

void append(std::vector<std::byte>& to, std::uint64_t number) { append(to, &number, sizeof number); }

}  // namespace

std::vector<std::byte> write_linked(const Linked& linked) {
  std::vector<std::byte> container;
  append(container, magic.data(), magic.size());
  append(container, 0);
  append(container, linked.options.size());
  for (const LinkedOption& one : linked.options) {
    append(container, one.option);
    append(container, one.value);
  }
  append(container, linked.parts.size());
  for (const LinkedPart& part : linked.parts) {
    append(container, part.name.size());
    append(container, part.bytes.size());
    append(container, part.name.data(), part.name.size());
    append(container, part.bytes.data(), part.bytes.size());
  }
  const std::uint64_t size = container.size();
  std::memcpy(container.data() + magic.size(), &size, sizeof size);
  return container;
}

bool is_linked(const void* image) {
  return std::strncmp(static_cast<const char*>(image), magic.data(), magic.size()) == 0;
}

std::size_t linked_size(const void* image) {
  return number_at(static_cast<const std::byte*>(image) + magic.size());
}

std::optional<Linked> read_linked(std::span<const std::byte> container) {
  std::size_t at = magic.size() + 8;
  const auto take = [&](std::uint64_t size) -> const std::byte* {
    if (size > container.size() - at) return nullptr;
    at += size;
    return container.data() + at - size;
  };
  if (container.size() < at || !is_linked(container.data()) ||
      linked_size(container.data()) != container.size())
    return std::nullopt;
  Linked linked;
  const std::byte* const options = take(8);
  if (options == nullptr) return std::nullopt;
  for (std::uint64_t left = number_at(options); left != 0; --left) {
    const std::byte* const one = take(16);
    if (one == nullptr) return std::nullopt;
    linked.options.push_back({number_at(one), number_at(one + 8)});
  }
  const std::byte* const parts = take(8);
  if (parts == nullptr) return std::nullopt;
  for (std::uint64_t left = number_at(parts); left != 0; --left) {
    const std::byte* const sizes = take(16);
    if (sizes == nullptr) return std::nullopt;
    const std::uint64_t name_size = number_at(sizes), part_size = number_at(sizes + 8);
    const std::byte* const name = take(name_size);
    const std::byte* const part = name ? take(part_size) : nullptr;
    if (part == nullptr) return std::nullopt;
    linked.parts.push_back(
        {std::string(reinterpret_cast<const char*>(name), name_size), {part, part + part_size}});
  }
  return linked;
}

}  // namespace wedjat::interposer
