#include "traces/format/blob_writer.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "traces/format/compress.h"
#include "traces/format/error.h"

namespace wedjat::traces {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw FormatError(file.string(), std::string(what) + ": " + std::strerror(errno));
}

// Header, contents and padding, in as few system calls as the kernel allows.
bool write_record(int file, const BlobHeader& header, std::span<const std::byte> stored) {
  static constexpr char kZeros[8] = {};
  const std::size_t padding = padded(stored.size()) - stored.size();
  iovec parts[3] = {{const_cast<BlobHeader*>(&header), sizeof header},
                    {const_cast<std::byte*>(stored.data()), stored.size()},
                    {const_cast<char*>(kZeros), padding}};
  int first = 0;
  while (first < 3) {
    const ssize_t done = ::writev(file, parts + first, 3 - first);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    auto left = static_cast<std::size_t>(done);
    while (first < 3 && left >= parts[first].iov_len) left -= parts[first++].iov_len;
    if (first < 3) {
      parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + left;
      parts[first].iov_len -= left;
    }
  }
  return true;
}

}  // namespace

BlobWriter::BlobWriter(std::filesystem::path blobs, std::string pack_name)
    : blobs_(std::move(blobs)), pack_path_(blobs_ / "packs" / (std::move(pack_name) + ".pack")) {
  std::error_code error;
  std::filesystem::create_directories(blobs_ / "packs", error);
  std::filesystem::create_directories(blobs_ / "files", error);
  if (error) throw FormatError(blobs_.string(), "cannot make the blob store: " + error.message());
}

BlobWriter::~BlobWriter() {
  if (pack_ >= 0) ::close(pack_);
}

Hash BlobWriter::put(std::span<const std::byte> raw) {
  const Hash hash = hash_bytes(raw);
  if (!claim(hash)) return hash;
  try {
    const std::vector<std::byte> packed = compress_if_worth(raw);
    const BlobEncoding encoding = packed.empty() ? BlobEncoding::stored : BlobEncoding::zstd;
    const std::span<const std::byte> stored = packed.empty() ? raw : std::span<const std::byte>(packed);
    const BlobHeader header = make_blob_header(hash, encoding, raw.size(), stored.size());
    if (raw.size() >= kLargeBlob) {
      write_file(hash, header, stored);
    } else {
      append_to_pack(header, stored);
    }
  } catch (...) {
    forget(hash);
    throw;
  }
  return hash;
}

bool BlobWriter::claim(const Hash& hash) {
  const std::lock_guard lock(mutex_);
  return known_.insert(hash).second;
}

void BlobWriter::forget(const Hash& hash) {
  const std::lock_guard lock(mutex_);
  known_.erase(hash);
}

void BlobWriter::append_to_pack(const BlobHeader& header, std::span<const std::byte> stored) {
  const std::lock_guard lock(mutex_);
  if (pack_ < 0) {
    pack_ = ::open(pack_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (pack_ < 0) fail(pack_path_, "cannot open the pack");
  }
  const off_t end = ::lseek(pack_, 0, SEEK_END);
  if (write_record(pack_, header, stored)) return;
  const int cause = errno;
  // Half a record in the middle would hide those behind it.
  if (::ftruncate(pack_, end) != 0) pack_ = -1;
  errno = cause;
  fail(pack_path_, "cannot append a blob");
}

void BlobWriter::write_file(const Hash& hash, const BlobHeader& header, std::span<const std::byte> stored) {
  const std::string name = to_hex(hash);
  const std::filesystem::path folder = blobs_ / "files" / name.substr(0, 2);
  const std::filesystem::path final_path = folder / name;
  if (::access(final_path.c_str(), F_OK) == 0) return;  // another process stored the same contents
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path part = folder / (name + "." + std::to_string(::getpid()) + ".part");
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail(part, "cannot make a blob file");
  const bool written = write_record(file, header, stored);
  const int cause = errno;
  ::close(file);
  if (written && ::rename(part.c_str(), final_path.c_str()) == 0) return;
  if (!written) errno = cause;
  const int kept = errno;
  ::unlink(part.c_str());
  errno = kept;
  fail(final_path, "cannot store a blob");
}

}  // namespace wedjat::traces
