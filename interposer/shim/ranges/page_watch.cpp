#include "interposer/shim/ranges/page_watch.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "interposer/shim/ranges/this_process.h"

namespace wedjat::interposer {
namespace {

// linux/fs.h of Linux 6.7, which Debian 12 does not have yet.
struct PageRegion {
  std::uint64_t start, end, categories;
};
struct ScanArguments {
  std::uint64_t size, flags, start, end, walk_end, regions, region_count, max_pages, category_inverted,
      category_mask, category_any, return_mask;
};
constexpr unsigned long kScan = _IOWR('f', 16, ScanArguments);
constexpr std::uint64_t kProtectMatching = 1, kOnlyWatched = 2;
constexpr std::uint64_t kWritten = 1 << 1, kPresent = 1 << 3;
// linux/userfaultfd.h of Linux 6.7.
constexpr std::uint64_t kProtectUnpopulated = 1 << 13, kAsynchronous = 1 << 15;
constexpr int kUserModeOnly = 1;

constexpr std::size_t kPage = kWatchedPage;
// Of memory that the driver did not give out: each watch splits a mapping.
constexpr std::size_t kSmallest = 16 << 10;
// To compare a page at so many looks takes no longer than one fault: where that is cheaper, all is compared
// for some looks.
constexpr std::size_t kLooksOfAFault = 4;
constexpr unsigned kRest = 16;

// Both belong to the process that opened them: a child of fork asks anew, and its ranges are not watched.
struct Files {
  ThisProcess process;
  int pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  int faults = open_faults();

  static int open_faults() {
    const int file = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly));
    uffdio_api api{};
    api.api = UFFD_API;
    api.features = kProtectUnpopulated | kAsynchronous;
    if (file < 0 || ::ioctl(file, UFFDIO_API, &api) == 0) return file;
    ::close(file);
    return -1;
  }
};

const Files& files() {
  static const Files& all = *new Files;
  return all;
}

const std::byte* page_below(const std::byte* address) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(address) & ~(kPage - 1));
}
const std::byte* page_above(const std::byte* address) { return page_below(address + kPage - 1); }

std::optional<PageRuns> scan(const std::byte* begin, const std::byte* end, std::uint64_t category,
                             std::uint64_t flags) {
  const Files& all = files();
  if (all.pagemap < 0 || !all.process.is_same()) return std::nullopt;
  PageRuns runs;
  PageRegion regions[256];
  ScanArguments arguments{};
  arguments.size = sizeof arguments;
  arguments.flags = flags;
  arguments.start = reinterpret_cast<std::uint64_t>(begin);
  arguments.end = reinterpret_cast<std::uint64_t>(end);
  arguments.regions = reinterpret_cast<std::uint64_t>(regions);
  arguments.region_count = std::size(regions);
  arguments.category_mask = category;
  arguments.return_mask = category;
  while (arguments.start < arguments.end) {
    const int found = ::ioctl(all.pagemap, kScan, &arguments);
    if (found < 0) return std::nullopt;
    for (int i = 0; i < found; ++i)
      runs.emplace_back(reinterpret_cast<const std::byte*>(regions[i].start),
                        reinterpret_cast<const std::byte*>(regions[i].end));
    arguments.start = arguments.walk_end;
  }
  return runs;
}

}  // namespace

PageRuns without(const PageRuns& runs, const PageRuns& others) {
  PageRuns result;
  auto other = others.begin();
  for (auto [first, last] : runs) {
    while (other != others.end() && other->second <= first) ++other;
    for (auto next = other; next != others.end() && next->first < last; ++next) {
      if (first < next->first) result.emplace_back(first, next->first);
      first = std::max(first, next->second);
    }
    if (first < last) result.emplace_back(first, last);
  }
  return result;
}

std::optional<PageRuns> present_pages(const std::byte* begin, const std::byte* end) {
  return scan(page_below(begin), page_above(end), kPresent, 0);
}

bool has_other_mappings(const std::byte* begin, const std::byte* end) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin), last = reinterpret_cast<std::uintptr_t>(end);
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return true;
  char line[8192];
  bool shared = false;
  while (!shared && std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t from = 0, to = 0;
    char rights[5] = "";
    shared = std::sscanf(line, "%zx-%zx %4s", &from, &to, rights) == 3 && from < last && first < to &&
             rights[3] == 's';
  }
  std::fclose(maps);
  return shared;
}

WriteWatch::WriteWatch(const std::byte* begin, const std::byte* end, Ends ends)
    : begin_(begin),
      end_(end),
      first_(ends == Ends::watched ? page_below(begin) : page_above(begin)),
      last_(ends == Ends::watched ? page_above(end) : page_below(end)) {
  const Files& all = files();
  if (first_ >= last_ || all.faults < 0 || all.pagemap < 0 || !all.process.is_same()) return;
  if (ends == Ends::unwatched && static_cast<std::size_t>(last_ - first_) < kSmallest) return;
  uffdio_register request{};
  request.range.start = reinterpret_cast<std::uint64_t>(first_);
  request.range.len = static_cast<std::uint64_t>(last_ - first_);
  request.mode = UFFDIO_REGISTER_MODE_WP;
  watching_ = ::ioctl(all.faults, UFFDIO_REGISTER, &request) == 0;
}

WriteWatch::~WriteWatch() {
  const Files& all = files();
  if (!watching_ || first_ >= last_ || !all.process.is_same()) return;
  uffdio_range range{reinterpret_cast<std::uint64_t>(first_), static_cast<std::uint64_t>(last_ - first_)};
  ::ioctl(all.faults, UFFDIO_UNREGISTER, &range);
}

void WriteWatch::leave(bool first, bool last) {
  if (first) first_ += kPage;
  if (last) last_ -= kPage;
}

PageRuns WriteWatch::edges() const {
  if (first_ >= last_) return {{begin_, end_}};
  PageRuns runs;
  if (begin_ < first_) runs.emplace_back(begin_, first_);
  if (last_ < end_) runs.emplace_back(last_, end_);
  return runs;
}

std::optional<PageRuns> WriteWatch::written_between(const std::byte* first, const std::byte* last,
                                                    const PageRuns& open) {
  PageRuns written;
  for (const auto& [begin, end] : without({{first, last}}, open)) {
    const std::optional<PageRuns> runs = scan(begin, end, kWritten, kProtectMatching | kOnlyWatched);
    if (!runs) watching_ = false;  // the memory is gone, or we are a child of fork
    if (!runs) return std::nullopt;
    written.insert(written.end(), runs->begin(), runs->end());
  }
  return written;
}

std::optional<PageRuns> WriteWatch::written(std::uint64_t look, const PageRuns& open) {
  if (!watching_) return std::nullopt;
  if (rest_ > 0) {
    --rest_;
    protected_ = false;
    return std::nullopt;
  }
  std::optional<PageRuns> runs = written_between(first_, last_, open);
  if (!runs) return std::nullopt;
  protected_ = true;
  if (!std::exchange(asked_, true)) {
    much_written_ = look;
    return PageRuns{{first_, last_}};
  }
  rest_if_much(*runs, look);
  return runs;
}

void WriteWatch::rest_if_much(const PageRuns& written, std::uint64_t look) {
  std::size_t bytes = 0;
  for (const auto& [from, to] : written) bytes += static_cast<std::size_t>(to - from);
  const auto size = static_cast<std::size_t>(last_ - first_);
  if (bytes * kLooksOfAFault < size) return;
  const std::uint64_t looks = look - std::exchange(much_written_, look);
  if (looks * size <= kLooksOfAFault * bytes) rest_ = kRest;
}

std::optional<PageRuns> WriteWatch::written_near(const std::byte* address, std::size_t within,
                                                 std::uint64_t look, const PageRuns& open) {
  if (!armed()) return std::nullopt;
  const std::byte* const page = std::clamp(page_below(address), first_, last_ - kPage);
  const auto offset = static_cast<std::size_t>(page - first_) / within * within;
  const auto size = std::min(within, static_cast<std::size_t>(last_ - first_) - offset);
  std::optional<PageRuns> runs = written_between(first_ + offset, first_ + offset + size, open);
  if (runs) rest_if_much(*runs, look);
  return runs;
}

// Where memory is shared, the first write behind that would still be a fault: it is taken here.
bool WriteWatch::unprotect(const std::byte* page) {
  uffdio_writeprotect request{};
  request.range = {reinterpret_cast<std::uint64_t>(page), kPage};
  if (::ioctl(files().faults, UFFDIO_WRITEPROTECT, &request) != 0) return false;
  ::madvise(const_cast<std::byte*>(page), kPage, MADV_POPULATE_WRITE);
  return true;
}

void WriteWatch::protect(const std::byte* page) {
  if (first_ <= page && page < last_) written_between(page, page + kPage, {});
}

}  // namespace wedjat::interposer
