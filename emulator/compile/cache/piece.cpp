#include "emulator/compile/cache/piece.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <string_view>

#include "emulator/compile/cache/bytes.h"
#include "emulator/compile/cache/shape_bytes.h"

namespace wedjat::compile {

namespace {

// A hash of 128 bits, then this, the key, and the pieces.
constexpr std::string_view magic = "wedjat native code 1\n";
constexpr std::size_t hash_bytes = 16;

std::array<std::uint64_t, 2> hash_of(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

void put(ByteWriter& to, const Certificates::Place& place) {
  for (const std::uint32_t number : {place.function, place.block, place.step}) to.put(number);
}

Certificates::Place get_place(ByteReader& from) {
  const auto function = from.get<std::uint32_t>();
  const auto block = from.get<std::uint32_t>();
  return {function, block, from.get<std::uint32_t>()};
}

void put(ByteWriter& to, const Image::Certified& certified) {
  put(to, certified.place);
  put_shapes(to, certified.shapes);
}

Image::Certified get_certified(ByteReader& from) {
  const Certificates::Place place = get_place(from);
  return {place, get_shapes(from)};
}

void put(ByteWriter& to, const Image& image) {
  to.put(std::span<const std::byte>(image.bytes));
  for (const std::uint32_t at : {image.entry, image.table, image.frames}) to.put(at);
  to.put(static_cast<std::uint64_t>(image.links.size()));
  for (const Link& link : image.links) {
    to.put(link.kind);
    to.put(link.number);
    to.put(std::string_view(link.name));
  }
  to.put(static_cast<std::uint64_t>(image.offers.size()));
  for (const Image::Certified& offer : image.offers) put(to, offer);
  to.put(image.want.has_value());
  if (image.want) put(to, *image.want);
}

Image get_image(ByteReader& from) {
  Image image;
  const auto bytes = from.get_bytes();
  image.bytes.assign(bytes.begin(), bytes.end());
  for (std::uint32_t* at : {&image.entry, &image.table, &image.frames}) *at = from.get<std::uint32_t>();
  for (auto count = from.get<std::uint64_t>(); count != 0; --count) {
    const auto kind = from.get<Link::Kind>();
    const auto number = from.get<std::uint32_t>();
    image.links.push_back({kind, number, std::string(from.get_text())});
  }
  for (auto count = from.get<std::uint64_t>(); count != 0; --count)
    image.offers.push_back(get_certified(from));
  if (from.get<bool>()) image.want = get_certified(from);
  return image;
}

void put(ByteWriter& to, const Piece& piece) {
  put(to, Certificates::Place{piece.place.function, piece.place.block, piece.place.step});
  to.put(piece.paths);
  to.put(piece.sweep);
  to.put(piece.rival);
  put_shapes(to, piece.entry);
  put(to, piece.image);
}

Piece get_piece(ByteReader& from) {
  Piece piece;
  const Certificates::Place place = get_place(from);
  piece.place = {place.function, place.block, place.step};
  piece.paths = from.get<exec::PathKind>();
  piece.sweep = from.get<bool>();
  piece.rival = from.get<std::uint32_t>();
  piece.entry = get_shapes(from);
  piece.image = get_image(from);
  return piece;
}

}  // namespace

bool Piece::stands_for(const Piece& other) const {
  return place.function == other.place.function && place.block == other.place.block &&
         place.step == other.place.step && paths == other.paths && sweep == other.sweep;
}

std::vector<std::byte> encode(const Key& key, std::span<const Piece> pieces) {
  ByteWriter all;
  for (std::size_t i = 0; i < hash_bytes; ++i) all.put(std::byte{});
  all.put(magic);
  all.put(key.low);
  all.put(key.high);
  all.put(static_cast<std::uint64_t>(pieces.size()));
  for (const Piece& piece : pieces) put(all, piece);
  const auto hash = hash_of(std::span(all.bytes).subspan(hash_bytes));
  static_assert(sizeof hash == hash_bytes);
  std::memcpy(all.bytes.data(), hash.data(), hash_bytes);
  return std::move(all.bytes);
}

std::vector<Piece> decode(const Key& key, std::span<const std::byte> file) {
  if (file.size() < hash_bytes) throw Damaged("it is too short");
  const auto hash = hash_of(file.subspan(hash_bytes));
  if (std::memcmp(hash.data(), file.data(), hash_bytes) != 0) throw Damaged("its hash is wrong");
  ByteReader from(file.subspan(hash_bytes));
  if (from.get_text() != magic) throw Damaged("it is of another program");
  Key own;
  own.low = from.get<std::uint64_t>();
  own.high = from.get<std::uint64_t>();
  if (!(own == key)) throw Damaged("it is of other code");
  std::vector<Piece> pieces;
  for (auto count = from.get<std::uint64_t>(); count != 0; --count) pieces.push_back(get_piece(from));
  if (from.left() != 0) throw Damaged("something follows its end");
  return pieces;
}

}  // namespace wedjat::compile
