#include "emulator/compile/image/placed_code.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

// The unwinder's: executors throw through native code.
extern "C" void __register_frame(void* frames);
extern "C" void __deregister_frame(void* frames);

namespace wedjat::compile {

namespace {

constexpr std::size_t alignment = 64, page = 4096;

std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

PlacedCode::PlacedCode(std::span<const Image* const> images, const Resolve& resolve) {
  for (const Image* image : images) size_ += rounded(image->bytes.size(), alignment);
  size_ = rounded(size_, page);
  if (size_ == 0) return;
  void* const memory =
      ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error(std::string("no memory for native code: ") + std::strerror(errno));
  memory_ = static_cast<std::byte*>(memory);
  try {
    std::byte* at = memory_;
    for (const Image* image : images) {
      std::memcpy(at, image->bytes.data(), image->bytes.size());
      for (std::size_t i = 0; i < image->links.size(); ++i) {
        const std::uint64_t word = resolve(*image, image->links[i]);
        std::memcpy(at + image->table + i * sizeof word, &word, sizeof word);
      }
      entries_.push_back(at + image->entry);
      if (image->frames != 0) frames_.push_back(at + image->frames);
      at += rounded(image->bytes.size(), alignment);
    }
    // Never writable and executable at once.
    if (::mprotect(memory_, size_, PROT_READ | PROT_EXEC) != 0)
      throw std::runtime_error(std::string("native code must not run here: ") + std::strerror(errno));
  } catch (...) {
    ::munmap(memory_, size_);
    throw;
  }
  for (std::byte* frames : frames_) __register_frame(frames);
}

PlacedCode::~PlacedCode() {
  for (std::byte* frames : frames_) __deregister_frame(frames);
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace wedjat::compile
