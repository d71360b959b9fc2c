// What the kernel knows of the pages of a range: which the host wrote, or which are mapped for it at all. The
// device writes past the page tables, so this says nothing of what the device wrote.
#pragma once

#include <cstddef>
#include <cstdint>
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
  // The pages at both ends may hold other memory too. Either they are watched all the same, and whoever asks
  // learns of writes for all whose memory it is, or they are not.
  enum class Ends { watched, unwatched };
  WriteWatch(const std::byte* begin, const std::byte* end, Ends ends);
  ~WriteWatch();
  WriteWatch(const WriteWatch&) = delete;
  WriteWatch& operator=(const WriteWatch&) = delete;

  // The watched pages.
  const std::byte* first() const { return first_; }
  const std::byte* last() const { return last_; }
  // Others go on watching the first of them, the last of them.
  void leave(bool first, bool last);

  // Whether a write to a watched page, if there was one since the last look, was a page fault.
  bool armed() const { return watching_ && protected_ && rest_ == 0; }
  // The same of every write there can be.
  bool silent() const { return armed() && first_ <= begin_ && end_ <= last_; }
  // What is not watched.
  PageRuns edges() const;
  // What was written since the last look, of which this is the number; the first look tells all. Nothing if
  // the kernel does not say, or if so much is written so often that asking costs more than comparing. Pages
  // that are `open` are not asked about, and not protected.
  std::optional<PageRuns> written(std::uint64_t look, const PageRuns& open);
  // The same of a neighbourhood of `address` of at most so many bytes; nothing unless armed.
  std::optional<PageRuns> written_near(const std::byte* address, std::size_t within, std::uint64_t look,
                                       const PageRuns& open);
  // Has no write to this page be a fault any more. False if that cannot be.
  bool unprotect(const std::byte* page);
  void protect(const std::byte* page);

 private:
  std::optional<PageRuns> written_between(const std::byte* first, const std::byte* last,
                                          const PageRuns& open);
  void rest_if_much(const PageRuns& written, std::uint64_t look);
  const std::byte* const begin_;
  const std::byte* const end_;
  const std::byte* first_;
  const std::byte* last_;
  bool watching_ = false;
  bool asked_ = false;
  bool protected_ = false;          // all pages but open ones, at the last look
  std::uint64_t much_written_ = 0;  // the last look at which much was
  unsigned rest_ = 0;               // looks for which it is not asked
};

}  // namespace wedjat::interposer
