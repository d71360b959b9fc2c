#include "traces/format/blob_writer.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <vector>

namespace wedjat::traces {
namespace {

// Hashing and copying is bound by memory: more threads than this gain nothing.
constexpr unsigned kMostThreads = 8;
// Where a program waits for copies that follow each other so closely. Not for the waking alone: a device
// reads what lies in the caches of processors that sleep at half its speed.
constexpr std::chrono::microseconds kAwake{2000};

unsigned thread_count() { return std::min(usable_processors(), kMostThreads); }

// Where as many processors are left for the program.
std::chrono::microseconds awake() {
  return usable_processors() >= 2 * thread_count() ? kAwake : std::chrono::microseconds{0};
}

KnownKeys* own_keys() {
  void* memory = ::mmap(nullptr, sizeof(KnownKeys), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<KnownKeys*>(memory);
}

}  // namespace

BlobWriter::BlobWriter(const std::filesystem::path& blobs, const std::string& pack_name, Staging* staging)
    : pack_(blobs, pack_name),
      staging_(staging),
      known_(staging ? &staging->known() : own_keys()),
      workers_(thread_count(), awake()) {}

BlobWriter::~BlobWriter() {
  if (staging_ == nullptr) ::munmap(known_, sizeof(KnownKeys));
}

void BlobWriter::populate() {
  if (staging_ != nullptr) staging_->populate();
}

Hash BlobWriter::put_piece(std::span<const std::byte> raw) {
  const Hash key = hash_bytes(raw);
  if (!known_->contains(key)) keep(key, BlobEncoding::stored, raw.size(), raw);
  return key;
}

Hash BlobWriter::put_pieces(std::span<const Hash> pieces, std::uint64_t raw_size) {
  if (pieces.size() == 1) return pieces.front();
  const Hash key = key_of_pieces(pieces, raw_size);
  if (!known_->contains(key)) keep(key, BlobEncoding::pieces, raw_size, std::as_bytes(pieces));
  return key;
}

Hash BlobWriter::put(std::span<const std::byte> raw) {
  if (raw.size() <= kPiece) return put_piece(raw);
  std::vector<Hash> pieces((raw.size() + kPiece - 1) / kPiece);
  workers_.each(pieces.size(), [&](std::size_t i) {
    const std::uint64_t at = i * kPiece;
    pieces[i] = put_piece(raw.subspan(at, std::min(kPiece, raw.size() - at)));
  });
  return put_pieces(pieces, raw.size());
}

void BlobWriter::keep(const Hash& key, BlobEncoding encoding, std::uint64_t raw_size,
                      std::span<const std::byte> bytes) {
  const BlobHeader header = make_blob_header(key, encoding, raw_size, bytes.size());
  // Known only when it is safe: another thread's event may not name what this one has yet to store.
  if (staging_ == nullptr || bytes.size() > kPiece || !staging_->stage(header, bytes)) {
    take_over();
    write(header, bytes);
  }
  known_->add(key);
}

void BlobWriter::write(const BlobHeader& header, std::span<const std::byte> bytes) {
  if (header.encoding == static_cast<std::uint32_t>(BlobEncoding::stored)) {
    Compressor compressor;
    const std::span<const std::byte> packed = compressor.pack(bytes);
    if (!packed.empty()) {
      const Hash key{header.hash_high, header.hash_low};
      return pack_.append(make_blob_header(key, BlobEncoding::zstd, header.raw_size, packed.size()), packed);
    }
  }
  pack_.append(header, bytes);
}

void BlobWriter::take_over() {
  if (staging_ == nullptr || staging_->taker_is_alive()) return;
  Compressor compressor;
  while (staging_->take(pack_, compressor)) {
  }
}

}  // namespace wedjat::traces
