#include "traces/read/image.h"

#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <string_view>

#include "traces/format/error.h"
#include "traces/read/machine_code.h"

namespace wedjat::traces {
namespace {

constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
constexpr std::uint32_t kElfMagic = 0x464C457F;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000, kSpecific = 0x100000, kFamily = 0x200000;
// Neither zstd nor LZ4 shrinks PTX this much: a header that claims more is damaged, and not worth the memory
// it asks for.
constexpr std::uint64_t kMostExpansion = 1024;

// Bounds-checked little-endian reads.
class ImageCursor {
 public:
  ImageCursor(const std::string& name, const Bytes& bytes) : name_(name), bytes_(bytes) {}
  std::uint64_t size() const { return bytes_.size(); }

  const std::byte* at(std::uint64_t offset, std::uint64_t length, const char* what) const {
    if (offset > bytes_.size() || length > bytes_.size() - offset)
      fail(offset, std::string(what) + " of " + std::to_string(length) + " bytes lies beyond the end (" +
                       std::to_string(bytes_.size()) + " bytes)");
    return bytes_.data() + offset;
  }
  template <class T>
  T read(std::uint64_t offset, const char* what) const {
    T value;
    std::memcpy(&value, at(offset, sizeof value, what), sizeof value);
    return value;
  }
  [[noreturn]] void fail(std::uint64_t offset, const std::string& cause) const {
    throw FormatError(name_, offset, cause);
  }

 private:
  const std::string& name_;
  const Bytes& bytes_;
};

std::string unpack(const ImageCursor& cursor, std::uint64_t offset, std::uint64_t packed,
                   std::uint64_t unpacked, std::uint64_t flags) {
  const auto* from = reinterpret_cast<const char*>(cursor.at(offset, packed, "compressed payload"));
  if (unpacked / kMostExpansion > packed)
    cursor.fail(offset, "claims to unpack from " + std::to_string(packed) + " to " +
                            std::to_string(unpacked) + " bytes");
  std::string text(unpacked, '\0');
  if (flags & kZstd) {
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), from, packed);
    if (ZSTD_isError(got)) cursor.fail(offset, std::string("zstd: ") + ZSTD_getErrorName(got));
    text.resize(got);
  } else if (flags & kLz4) {
    if (packed > LZ4_MAX_INPUT_SIZE) cursor.fail(offset, "LZ4 payload too long");
    const int got =
        LZ4_decompress_safe(from, text.data(), static_cast<int>(packed), static_cast<int>(unpacked));
    if (got < 0) cursor.fail(offset, "LZ4: malformed block");
    text.resize(static_cast<std::size_t>(got));
  } else {
    cursor.fail(offset, "unknown compression, flags " + std::to_string(flags));
  }
  return text;
}

void strip_nuls(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

// One entry at `offset`; returns where the next begins.
std::uint64_t read_entry(const ImageCursor& cursor, std::uint64_t offset, std::uint64_t end,
                         std::vector<ImageEntry>& entries) {
  const auto kind = cursor.read<std::uint16_t>(offset, "entry header");
  const auto header = cursor.read<std::uint32_t>(offset + 4, "entry header");
  const auto payload = cursor.read<std::uint64_t>(offset + 8, "entry header");
  const auto packed = cursor.read<std::uint32_t>(offset + 16, "entry header");
  const auto options = cursor.read<std::uint32_t>(offset + 20, "entry header");
  const auto name = cursor.read<std::uint32_t>(offset + 32, "entry header");
  const auto name_size = cursor.read<std::uint32_t>(offset + 36, "entry header");
  const auto flags = cursor.read<std::uint64_t>(offset + 40, "entry header");
  const auto unpacked = cursor.read<std::uint64_t>(offset + 56, "entry header");
  if (header < 64)
    cursor.fail(offset + 4, "entry header of " + std::to_string(header) + " bytes, at least 64 expected");
  if (header > end - offset || payload > end - offset - header)
    cursor.fail(offset, "entry of " + std::to_string(header) + " + " + std::to_string(payload) +
                            " bytes reaches beyond its container");

  ImageEntry entry{};
  entry.kind = kind == 1   ? ImageEntry::Kind::ptx
               : kind == 2 ? ImageEntry::Kind::elf
               : kind == 8 ? ImageEntry::Kind::lto
                           : ImageEntry::Kind::other;
  entry.ptx_minor = cursor.read<std::uint16_t>(offset + 24, "entry header");
  entry.ptx_major = cursor.read<std::uint16_t>(offset + 26, "entry header");
  entry.architecture = cursor.read<std::uint32_t>(offset + 28, "entry header");
  entry.architecture_specific = (flags & kSpecific) != 0;
  entry.family_specific = (flags & kFamily) != 0;
  entry.payload_size = payload;
  if (name && name_size)
    entry.name.assign(reinterpret_cast<const char*>(cursor.at(offset + name, name_size, "source name")),
                      name_size);
  if (options) {
    const auto text = cursor.read<std::uint32_t>(offset + options, "options");
    const auto length = cursor.read<std::uint32_t>(offset + options + 4, "options");
    if (text && length)
      entry.options.assign(reinterpret_cast<const char*>(cursor.at(offset + text, length, "options text")),
                           length);
    strip_nuls(entry.options);
  }
  const bool readable_elf = entry.kind == ImageEntry::Kind::elf && (!unpacked || (flags & (kLz4 | kZstd)));
  if (entry.kind == ImageEntry::Kind::ptx || readable_elf) {
    const std::uint64_t start = offset + header;
    std::string contents =
        unpacked ? unpack(cursor, start, packed ? packed : payload, unpacked, flags)
                 : std::string(reinterpret_cast<const char*>(cursor.at(start, payload, "payload")), payload);
    if (entry.kind == ImageEntry::Kind::ptx) {
      entry.text = std::move(contents);
      strip_nuls(entry.text);
    } else {
      entry.assembler_options = assembler_options(std::as_bytes(std::span(contents)));
      entry.kernels = kernel_names(std::as_bytes(std::span(contents)));
    }
  }
  entries.push_back(std::move(entry));
  return offset + header + payload;
}

void read_fatbin(const ImageCursor& cursor, std::vector<ImageEntry>& entries) {
  std::uint64_t offset = 0;
  cursor.at(0, 16, "fatbin header");
  while (cursor.size() - offset >= 16) {  // containers back to back, 8-byte aligned
    if (cursor.read<std::uint32_t>(offset, "fatbin header") != kFatbinMagic) {
      if (offset) return;  // padding after the last container
      cursor.fail(offset, "not a fatbin container");
    }
    const auto header = cursor.read<std::uint16_t>(offset + 6, "fatbin header");
    const auto size = cursor.read<std::uint64_t>(offset + 8, "fatbin header");
    if (header < 16) cursor.fail(offset + 6, "fatbin header of " + std::to_string(header) + " bytes");
    cursor.at(offset + header, size, "fatbin contents");
    const std::uint64_t end = offset + header + size;
    for (std::uint64_t entry = offset + header; entry < end;) entry = read_entry(cursor, entry, end, entries);
    offset = (end + 7) / 8 * 8;
    if (offset > cursor.size()) return;
  }
}

}  // namespace

std::vector<ImageEntry> read_image(const std::string& name, const Bytes& image) {
  const ImageCursor cursor(name, image);
  std::vector<ImageEntry> entries;
  const auto magic = image.size() >= 4 ? cursor.read<std::uint32_t>(0, "image") : 0;
  if (magic == kFatbinMagic) {
    read_fatbin(cursor, entries);
  } else if (magic == kElfMagic) {
    entries.push_back({});
    entries.back().kind = ImageEntry::Kind::elf;
    entries.back().payload_size = image.size();
    if (image.size() >=
        52) {  // e_flags of a cubin: the SM number, in bits 8-15 of ABI 8 and later, else bits 0-7
      const auto flags = cursor.read<std::uint32_t>(48, "ELF header");
      entries.back().architecture = (flags >> 8 & 0xff) ? flags >> 8 & 0xff : flags & 0xff;
    }
    entries.back().assembler_options = assembler_options(image);
    entries.back().kernels = kernel_names(image);
  } else {
    std::string text(reinterpret_cast<const char*>(image.data()), image.size());
    strip_nuls(text);
    if (text.find(".version") == std::string::npos)
      throw FormatError(
          name, "neither a fatbin, a cubin nor PTX text (" + std::to_string(image.size()) + " bytes)");
    entries.push_back({});
    entries.back().kind = ImageEntry::Kind::ptx;
    entries.back().payload_size = image.size();
    entries.back().text = std::move(text);
  }
  return entries;
}

const ImageEntry* choose_ptx(const std::vector<ImageEntry>& entries, unsigned architecture) {
  const ImageEntry* best = nullptr;
  for (const auto& entry : entries) {
    if (entry.kind != ImageEntry::Kind::ptx || entry.architecture > architecture) continue;
    if (entry.architecture_specific && entry.architecture != architecture) continue;
    if (entry.family_specific && entry.architecture / 10 != architecture / 10) continue;
    const bool better = !best || entry.architecture > best->architecture ||
                        (entry.architecture == best->architecture && entry.architecture_specific);
    if (better) best = &entry;
  }
  return best;
}

const ImageEntry* choose_machine_code(const std::vector<ImageEntry>& entries, unsigned architecture) {
  const ImageEntry* best = nullptr;
  for (const auto& entry : entries) {
    // Machine code runs on devices of its generation that are not older.
    if (entry.kind != ImageEntry::Kind::elf || entry.architecture > architecture ||
        entry.architecture / 10 != architecture / 10)
      continue;
    if (!best || entry.architecture > best->architecture) best = &entry;
  }
  return best;
}

}  // namespace wedjat::traces
