#include "emulator/compile/cache/owned_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "emulator/compile/cache/bytes.h"

namespace wedjat::compile {

namespace {

// How long a file goes unused before its reading is noted, in seconds.
constexpr std::int64_t noted_after = 3600;

}  // namespace

OwnedFile::OwnedFile(const std::filesystem::path& path, int flags, unsigned mode)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)) {}

OwnedFile::~OwnedFile() {
  if (is_open()) ::close(descriptor_);
}

std::optional<std::vector<std::byte>> read_owned(const std::filesystem::path& path, std::size_t most_bytes) {
  const OwnedFile file(path, O_RDONLY);
  if (!file.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw Damaged(std::strerror(errno));
  }
  struct stat status;
  if (::fstat(file.descriptor(), &status) != 0) throw Damaged(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw Damaged("it is no file");
  const bool is_own = status.st_uid == ::geteuid() || status.st_uid == 0;
  if (!is_own || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) throw Damaged("others could have written it");
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes) throw Damaged("it is too large");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Damaged(std::strerror(errno));
    if (count == 0) throw Damaged("it ends too early");
    have += static_cast<std::size_t>(count);
  }
  // What is used stays. Where that cannot be said, it goes earlier.
  if (timespec now; ::clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec - status.st_mtime > noted_after)
    (void)::futimens(file.descriptor(), nullptr);
  return bytes;
}

}  // namespace wedjat::compile
