#include "interposer/shim/calls/images.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "interposer/images/image_parts.h"
#include "interposer/shim/calls/made_of.h"
#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/export.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/payload.h"

namespace wedjat::interposer {
namespace {

using traces::ImageKind;

ImageKind kind_of(std::span<const std::byte> image) {
  if (image.size() >= 4 && std::memcmp(image.data(), &fatbin_magic, sizeof fatbin_magic) == 0)
    return ImageKind::fatbin;
  if (image.size() >= SELFMAG && is_elf(image.data())) return ImageKind::elf;
  if (image.size() >= 8 && std::memcmp(image.data(), "!<arch>\n", 8) == 0) return ImageKind::archive;
  // PTX is text: nothing below a tab anywhere near its beginning.
  const auto text = image.first(std::min<std::size_t>(image.size(), 64));
  const bool printable = std::all_of(text.begin(), text.end(),
                                     [](std::byte b) { return b == std::byte{0} || b >= std::byte{9}; });
  return printable && !image.empty() ? ImageKind::ptx : ImageKind::other;
}

void tell(const Call& call, std::uint32_t index, const void* address, std::span<const std::byte> bytes,
          const char* origin) {
  const traces::Hash hash = blobs().put(bytes);
  wj_image event{};
  event.seq = next_sequence();
  event.call = call.sequence;
  event.index = index;
  event.kind = static_cast<std::uint8_t>(kind_of(bytes));
  event.address = reinterpret_cast<std::uint64_t>(address);
  event.size = bytes.size();
  event.hash_high = hash.high;
  event.hash_low = hash.low;
  event.origin = text_or_empty(origin);
  wj_emit_image(&event);
}

// As the recorder measures an image that the application loads without a size.
std::span<const std::byte> measured(const void* image, std::size_t size) {
  const bool elf = size >= sizeof(Elf64_Ehdr) && is_elf(image);
  return bytes_at(image, elf ? std::min(size, elf_size(image)) : size);
}

void tell_part(const traces::Hash& made, std::uint32_t index, const wedjat_part& part) {
  const std::span<const std::byte> bytes = measured(part.data, part.size);
  const traces::Hash hash = blobs().put(bytes);
  wj_made_of event{};
  event.seq = next_sequence();
  event.made_high = made.high;
  event.made_low = made.low;
  event.index = index;
  event.kind = static_cast<std::uint8_t>(kind_of(bytes));
  event.size = bytes.size();
  event.hash_high = hash.high;
  event.hash_low = hash.low;
  event.origin = text_or_empty(part.origin);
  wj_emit_made_of(&event);
}

}  // namespace

void image_data(const Call& call, const void* image) {
  if (image == nullptr) return;
  std::uint32_t index = 0;
  for (const std::span<const std::byte> part : image_parts(image))
    tell(call, index++, part.data(), bytes_at(part.data(), part.size()), "");
}

void image_bytes(const Call& call, const void* data, std::size_t size, const char* origin) {
  if (data != nullptr) tell(call, 0, data, bytes_at(data, size), origin);
}

void image_file(const Call& call, const char* path) {
  if (path == nullptr) return;
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || bytes.empty()) return;  // the driver refuses it too
  tell(call, 0, nullptr, bytes_at(bytes.data(), bytes.size()), path);
}

}  // namespace wedjat::interposer

extern "C" WEDJAT_EXPORT void wedjat_made_of(const void* code, std::size_t size, const wedjat_part* parts,
                                             std::size_t count, int most_registers) {
  using namespace wedjat::interposer;
  if (code == nullptr) return;
  // The driver of `wedjat live` runs what the machine code was made of.
  if (auto* const told = reinterpret_cast<decltype(&wedjat_made_of)>(driver_function("wedjat_made_of")))
    told(code, size, parts, count, most_registers);
  if (!recording()) return;
  try {
    const wedjat::traces::Hash made = wedjat::traces::hash_bytes(measured(code, size));
    for (std::uint32_t i = 0; i < count; ++i) tell_part(made, i, parts[i]);
  } catch (const std::exception& error) {
    trouble(0, error.what());
  }
}
