// What the kernel knows of the pages of a range: which the host wrote, or which are mapped for it at all. The
// device writes past the page tables, so this says nothing of what the device wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace wedjat::interposer {

// First byte and byte behind the last, in order.
using PageRuns = std::vector<std::pair<const std::byte*, const std::byte*>>;

// Those parts of `runs` that lie in none of `others`.
PageRuns without(const PageRuns& runs, const PageRuns& others);

// Those pages of [begin, end) that the host can reach without a fault: others it has not written since the
// device took them away. Nothing if the kernel does not say.
std::optional<PageRuns> present_pages(const std::byte* begin, const std::byte* end);

// Whether other mappings may show the same memory, through which it can be written unseen. True too if nobody
// says.
bool has_other_mappings(const std::byte* begin, const std::byte* end);

constexpr std::size_t kWatchedPage = 4096;

// Watches which pages the host writes (userfaultfd's asynchronous write protection, Linux 6.7): the first
// write to a page after each look costs a fault of about a microsecond, everything else nothing. Asking takes
// time in proportion to the range, written or not.
class WriteWatch {
 public:
  // Small ranges are not watched: comparing them is cheaper, and each watch splits a mapping.
  WriteWatch(const std::byte* begin, const std::byte* end);
  ~WriteWatch();
  WriteWatch(const WriteWatch&) = delete;
  WriteWatch& operator=(const WriteWatch&) = delete;

  // Whether a write to a whole page, if there was one since the last look, was a page fault.
  bool armed() const { return watching_ && protected_ && rest_ == 0; }
  // The same of every write there can be.
  bool silent() const { return armed() && first_ == begin_ && last_ == end_; }
  // The pages that are not whole, which are not watched.
  PageRuns edges() const;
  // What was written since the last look; the first look tells all. Nothing if the kernel does not say, or if
  // so much is written that asking costs more than comparing. Pages that are unprotected are not asked about.
  std::optional<PageRuns> written(const PageRuns& unprotected = {});
  // The same of a neighbourhood of `address` of at most so many bytes; nothing unless armed.
  std::optional<PageRuns> written_near(const std::byte* address, std::size_t within,
                                       const PageRuns& unprotected = {});
  // Has no write to this page be a fault any more. False if that cannot be.
  bool unprotect(const std::byte* page);
  void protect(const std::byte* page) { written_between(page, page + kWatchedPage, {}); }

 private:
  std::optional<PageRuns> written_between(const std::byte* first, const std::byte* last,
                                          const PageRuns& unprotected);

  const std::byte* const begin_;
  const std::byte* const end_;
  // The whole pages: what shares a page with another range could be looked at by that first.
  const std::byte* first_;
  const std::byte* last_;
  bool watching_ = false;
  bool asked_ = false;
  bool protected_ = false;  // all pages, at the last look
  unsigned rest_ = 0;       // looks for which it is not asked
};

}  // namespace wedjat::interposer
