#include "traces/format/pack.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

Pack::Pack(const std::filesystem::path& blobs, const std::string& name)
    : path_(blobs / "packs" / (name + ".pack")) {
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  if (error) throw FormatError(blobs.string(), "cannot make the blob store: " + error.message());
}

Pack::~Pack() {
  if (file_ >= 0) ::close(file_);
}

void Pack::append(const BlobHeader& header, std::span<const std::byte> stored) {
  const std::lock_guard lock(mutex_);
  if (file_ < 0) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) fail(path_, "cannot open the pack");
  }
  const off_t end = ::lseek(file_, 0, SEEK_END);
  if (write_record(file_, header, stored)) return;
  const int cause = errno;
  // Half a record in the middle would hide those behind it.
  if (::ftruncate(file_, end) != 0) file_ = -1;
  errno = cause;
  fail(path_, "cannot append a blob");
}

}  // namespace wedjat::traces
