#include "traces/format/staging.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <system_error>

namespace wedjat::traces {
namespace {

// States of a slot. One whose process is killed while it fills it is lost for good.
constexpr std::uint32_t kFree = 0;
constexpr std::uint32_t kFilling = 1;
constexpr std::uint32_t kFull = 2;
constexpr std::uint32_t kTaken = 3;

constexpr int kPatienceMilliseconds = 5000;  // without any slot becoming free
constexpr int kLookMilliseconds = 100;
// Waking a thread of another process takes the recorded one longer than staging a small blob: of those who
// take, one looks by itself every so often, and others are woken only for a large one and when so many wait.
constexpr int kTakerLookMilliseconds = 2;
constexpr std::uint32_t kManyStaged = 8;
constexpr std::size_t kLarge = kPiece / 2;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kPopulatedSlots = 128;  // more are rarely full at a time
constexpr char kStagingMagic[8] = {'W', 'E', 'D', 'J', 'S', 'T', 'G', '2'};

using Word = std::atomic<std::uint32_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 4);

void wait_while(Word& word, std::uint32_t value, int milliseconds = kLookMilliseconds) {
  const timespec most{0, milliseconds * 1'000'000L};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &most, nullptr, 0);
}
void wake(Word& word, int waiters) { ::syscall(SYS_futex, &word, FUTEX_WAKE, waiters, nullptr, nullptr, 0); }

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

struct Staging::Slot {
  BlobHeader header;
  std::byte padding[kPage - sizeof(BlobHeader)];
  std::byte raw[kPiece];
};

struct Staging::Control {
  static constexpr std::size_t kMostSlots = 4096;

  char magic[8];
  std::uint32_t slots;
  std::uint32_t taker;  // its process
  Word filled, freed;   // count, and wake who sleeps
  Word takers_waiting, writers_waiting;
  Word taker_looks;  // one of the waiting takers looks by itself
  Word closed;
  Word states[kMostSlots];
  KnownKeys known;

  static constexpr std::size_t bytes() { return (sizeof(Control) + kPage - 1) / kPage * kPage; }
  Slot& slot(std::size_t index) {
    return reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(this) + bytes())[index];
  }
  void free(std::size_t index) {
    states[index].store(kFree, std::memory_order_release);
    freed.fetch_add(1);
    if (writers_waiting.load() != 0) wake(freed, INT_MAX);
  }
};

Staging::Staging(std::size_t bytes) : file_(::memfd_create("wedjat-staging", MFD_CLOEXEC)) {
  if (file_ < 0) fail("memfd_create");
  const std::size_t slots = std::clamp<std::size_t>(bytes / sizeof(Slot), 4, Control::kMostSlots);
  const std::size_t all = Control::bytes() + slots * sizeof(Slot);
  if (::ftruncate(file_, static_cast<off_t>(all)) != 0) fail("memory for staging");
  map(all);
  control_->slots = static_cast<std::uint32_t>(slots);
  control_->taker = static_cast<std::uint32_t>(::getpid());
  std::memcpy(control_->magic, kStagingMagic, sizeof kStagingMagic);
}

Staging::Staging(const std::string& path) : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) fail(path);
  struct stat info {};
  const bool known = ::fstat(file_, &info) == 0 && info.st_size > static_cast<off_t>(Control::bytes());
  if (known) map(static_cast<std::size_t>(info.st_size));
  ::close(file_);  // the application may close or count all files
  file_ = -1;
  if (!known || std::memcmp(control_->magic, kStagingMagic, sizeof kStagingMagic) != 0 ||
      control_->slots > Control::kMostSlots || Control::bytes() + control_->slots * sizeof(Slot) > bytes_)
    throw std::system_error(std::make_error_code(std::errc::invalid_argument), path);
}

Staging::~Staging() {
  if (control_ != nullptr) ::munmap(control_, bytes_);
  if (file_ >= 0) ::close(file_);
}

void Staging::map(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) fail("memory for staging");
  bytes_ = bytes;
  control_ = static_cast<Control*>(memory);
}

std::string Staging::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
}

KnownKeys& Staging::known() const { return control_->known; }

void Staging::populate() {
  const std::size_t slots = std::min<std::size_t>(control_->slots, kPopulatedSlots);
  ::madvise(control_, Control::bytes() + slots * sizeof(Slot), MADV_POPULATE_WRITE);
}

bool Staging::taker_is_alive() const {
  return control_->closed.load() == 0 &&
         (::kill(static_cast<pid_t>(control_->taker), 0) == 0 || errno == EPERM);
}

void Staging::close() { control_->closed.store(1); }

bool Staging::filling() const {
  return std::any_of(control_->states, control_->states + control_->slots,
                     [](const Word& state) { return state.load() == kFilling; });
}

Staging::Slot* Staging::free_slot() {
  Control& all = *control_;
  std::uint32_t freed = all.freed.load();
  for (int waited = 0; waited < kPatienceMilliseconds;) {
    // Always from the first on: memory that was used before takes no page faults.
    for (std::uint32_t index = 0; index < all.slots; ++index) {
      std::uint32_t state = kFree;
      if (all.states[index].load(std::memory_order_relaxed) == kFree &&
          all.states[index].compare_exchange_strong(state, kFilling))
        return &all.slot(index);
    }
    if (!taker_is_alive()) break;
    all.writers_waiting.fetch_add(1);
    wait_while(all.freed, freed);
    all.writers_waiting.fetch_sub(1);
    const std::uint32_t now = all.freed.load();
    waited = now == freed ? waited + kLookMilliseconds : 0;
    freed = now;
  }
  abandoned_.store(true);
  return nullptr;
}

bool Staging::stage(const BlobHeader& header, std::span<const std::byte> raw) {
  if (abandoned_.load(std::memory_order_relaxed)) return false;
  Control& all = *control_;
  Slot* slot = free_slot();
  if (slot == nullptr) return false;
  const auto index = static_cast<std::size_t>(slot - &all.slot(0));
  // Who closes looks for slots that are being filled afterwards: one of the two sees the other.
  if (all.closed.load() != 0) {
    all.free(index);
    return false;
  }
  slot->header = header;
  std::memcpy(slot->raw, raw.data(), raw.size());
  all.states[index].store(kFull, std::memory_order_release);
  const std::uint32_t staged = all.filled.fetch_add(1) + 1 - all.freed.load();
  const std::uint32_t many = std::clamp(all.slots / 4, 1U, kManyStaged);
  if ((raw.size() >= kLarge || staged % many == 0) && all.takers_waiting.load() != 0) wake(all.filled, 1);
  return true;
}

bool Staging::take(Pack& pack, Compressor& compressor) {
  Control& all = *control_;
  thread_local std::uint32_t next = 0;
  std::uint32_t full = 0;
  std::size_t mine = all.slots;
  for (std::uint32_t i = 0; i < all.slots; ++i) {
    const std::uint32_t index = (next + i) % all.slots;
    std::uint32_t state = all.states[index].load(std::memory_order_acquire);
    if (state != kFull) continue;
    ++full;
    if (mine == all.slots && all.states[index].compare_exchange_strong(state, kTaken)) mine = index;
    if (mine != all.slots && full > all.slots / 2) break;
  }
  if (mine == all.slots) return false;
  next = static_cast<std::uint32_t>(mine + 1);
  const Slot& slot = all.slot(mine);
  BlobHeader header = slot.header;
  try {
    if (blob_header_fault(header) == nullptr && header.stored_size <= kPiece) {
      std::span<const std::byte> stored(slot.raw, header.stored_size);
      if (header.encoding == static_cast<std::uint32_t>(BlobEncoding::stored)) {
        const bool haste = full > all.slots / 2;
        const auto packed = compressor.pack(stored, haste ? Compressor::kWorthInHaste : Compressor::kWorth);
        if (!packed.empty()) {
          header = make_blob_header({header.hash_high, header.hash_low}, BlobEncoding::zstd, header.raw_size,
                                    packed.size());
          stored = packed;
        }
      }
      pack.append(header, stored);
    }
  } catch (...) {
    all.free(mine);
    throw;
  }
  all.free(mine);
  return true;
}

std::uint32_t Staging::filled() const { return control_->filled.load(); }

void Staging::wait_for_blobs(std::uint32_t filled) {
  Control& all = *control_;
  all.takers_waiting.fetch_add(1);
  const bool some = std::any_of(all.states, all.states + all.slots,
                                [](const Word& state) { return state.load() == kFull; });
  if (!some) {
    const bool looks = all.taker_looks.exchange(1) == 0;
    wait_while(all.filled, filled, looks ? kTakerLookMilliseconds : kLookMilliseconds);
    if (looks) all.taker_looks.store(0);
  }
  all.takers_waiting.fetch_sub(1);
}

void Staging::wake_takers() {
  control_->filled.fetch_add(1);
  wake(control_->filled, INT_MAX);
}

}  // namespace wedjat::traces
