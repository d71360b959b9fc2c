// One file of the blob store, for BlobReader alone.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "traces/format/blob_reader.h"
#include "traces/format/error.h"

namespace wedjat::traces {

// Opened at the first read and kept; a blob that is a file of its own is opened for each.
class BlobReader::File {
 public:
  File(std::filesystem::path path, bool keep)
      : path_(std::move(path)), kept_(keep ? open() : -1), keep_(keep) {}
  ~File() {
    if (kept_ >= 0) ::close(kept_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool opened() const { return kept_ >= 0; }

  // How many bytes there are, up to to.size().
  std::size_t read(std::uint64_t offset, std::span<std::byte> to) const {
    const int file = keep_ ? kept_ : open();
    std::size_t done = 0;
    while (done < to.size()) {
      const ssize_t got =
          ::pread(file, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    if (!keep_ && file >= 0) ::close(file);
    return done;
  }
  std::optional<BlobHeader> header(std::uint64_t offset) const {
    BlobHeader header;
    if (read(offset, std::as_writable_bytes(std::span(&header, 1))) != sizeof header) return std::nullopt;
    return header;
  }

 private:
  int open() const { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC); }

  const std::filesystem::path path_;
  const int kept_;
  const bool keep_;
};

// Small contents that went out last: programs copy the same ones in every round of a loop.
class BlobReader::Kept {
 public:
  using Raw = std::shared_ptr<const std::vector<std::byte>>;
  Raw find(const Hash& hash) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, raw] : last_)
      if (raw && key == hash) return raw;
    return {};
  }
  void keep(const Hash& hash, Raw raw) {
    const std::lock_guard lock(mutex_);
    last_[next_++ % last_.size()] = {hash, std::move(raw)};
  }

 private:
  mutable std::mutex mutex_;
  std::array<std::pair<Hash, Raw>, 8> last_;
  std::size_t next_ = 0;
};

inline FormatError blob_refusal(const std::filesystem::path& file, std::uint64_t offset, const Hash& hash,
                                const std::string& cause) {
  return FormatError(file.string(), offset, "blob " + to_hex(hash) + " " + cause);
}

}  // namespace wedjat::traces
