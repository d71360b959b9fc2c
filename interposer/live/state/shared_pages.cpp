#include "interposer/live/state/shared_pages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace wedjat::live {
namespace {

constexpr std::uint64_t pages_magic = 0x3153474150414457;  // "WDAPAGS1"
constexpr std::string_view file_name = "wedjat-memory";

// What the system calls an open file.
bool is_ours(int descriptor) {
  std::array<char, 64> link{};
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t length = ::readlink(path.c_str(), link.data(), link.size());
  return length > 0 && std::string_view(link.data(), static_cast<std::size_t>(length))
                           .starts_with(fmt::format("/memfd:{}", file_name));
}

}  // namespace

std::shared_ptr<SharedPages> SharedPages::of(int descriptor) {
  struct stat known {};
  if (descriptor < 0) return nullptr;
  if (is_ours(descriptor) && ::fstat(descriptor, &known) == 0 && known.st_size > 0) {
    const auto size = static_cast<std::uint64_t>(known.st_size);
    void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (at != MAP_FAILED)
      return std::shared_ptr<SharedPages>(
          new SharedPages(descriptor, static_cast<std::byte*>(at), size, known.st_ino));
  }
  ::close(descriptor);
  return nullptr;
}

std::shared_ptr<SharedPages> SharedPages::make(std::uint64_t size) {
  const int descriptor = ::memfd_create(file_name.data(), MFD_CLOEXEC);
  if (descriptor >= 0 && ::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    ::close(descriptor);
    return nullptr;
  }
  return of(descriptor);
}

bool SharedPages::Name::is_one() const { return magic == pages_magic; }

std::shared_ptr<SharedPages> SharedPages::find(const Name& name) {
  if (!name.is_one()) return nullptr;
  const std::string path = fmt::format("/proc/{}/fd/{}", name.process, name.descriptor);
  auto found = of(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  return found && found->file() == name.file && found->size() == name.size ? found : nullptr;
}

std::shared_ptr<SharedPages> SharedPages::of_descriptor(int descriptor) {
  return of(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

std::shared_ptr<SharedPages> pages_of(const void* descriptor, CUmemAllocationHandleType type) {
  require(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_NOT_SUPPORTED);
  const auto given = static_cast<int>(reinterpret_cast<std::intptr_t>(descriptor));
  require(::fcntl(given, F_GETFD) >= 0, CUDA_ERROR_UNKNOWN);
  auto pages = SharedPages::of_descriptor(given);
  require(pages != nullptr);
  return pages;
}

SharedPages::~SharedPages() {
  ::munmap(data_, size_);
  ::close(descriptor_);
}

SharedPages::Name SharedPages::name() const { return {pages_magic, ::getpid(), descriptor_, file_, size_}; }

int SharedPages::descriptor() const { return ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

}  // namespace wedjat::live
