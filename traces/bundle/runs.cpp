#include "traces/bundle/runs.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::traces {
namespace {

constexpr std::string_view magic = "WJRUNS1\n";
constexpr std::size_t period = 8, least_repeated = 128;  // shorter ones are not worth a header

// How many bytes from the first on repeat its first eight.
std::size_t repeated(std::span<const std::byte> contents) {
  std::size_t end = std::min(period, contents.size());
  while (end < contents.size() && contents[end] == contents[end - period]) ++end;
  return end;
}

struct Header {
  std::uint64_t address, bytes, pattern;
};

}  // namespace

std::vector<std::byte> Run::contents() const {
  std::vector<std::byte> all(bytes);
  for (std::uint64_t done = 0; done < bytes; done += pattern.size())
    std::copy_n(pattern.begin(), std::min<std::uint64_t>(pattern.size(), bytes - done), all.begin() + done);
  return all;
}

void add_contents(Runs& runs, std::uint64_t address, std::span<const std::byte> contents) {
  const auto add = [&](std::size_t begin, std::size_t end, std::size_t kept) {
    if (begin == end) return;
    runs.push_back({address + begin,
                    end - begin,
                    {contents.begin() + static_cast<std::ptrdiff_t>(begin),
                     contents.begin() + static_cast<std::ptrdiff_t>(begin + std::min(kept, end - begin))}});
  };
  std::size_t plain = 0;  // where what does not repeat begins
  for (std::size_t at = 0; at < contents.size();) {
    const std::size_t same = repeated(contents.subspan(at));
    if (same >= least_repeated || (at == plain && same == contents.size() && same >= period)) {
      add(plain, at, contents.size());
      add(at, at + same, period);
      plain = at + same;
    }
    at += same >= least_repeated ? same : std::max<std::size_t>(same - std::min(same, period - 1), 1);
  }
  add(plain, contents.size(), contents.size());
}

std::uint64_t bytes_of(const Runs& runs) {
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += run.bytes;
  return bytes;
}

void write_runs(const std::filesystem::path& file, const Runs& runs) {
  NewFile out(file);
  out.write(magic);
  for (const Run& run : runs) {
    const Header header{run.address, run.bytes, run.pattern.size()};
    out.write(std::as_bytes(std::span(&header, 1)));
    out.write(run.pattern);
  }
  out.close();
}

Runs read_runs(const std::filesystem::path& file) {
  const std::string text = read_regular_file(file);
  if (!std::string_view(text).starts_with(magic))
    throw FormatError(file.string(), "is no file of runs: it does not begin with WJRUNS1");
  Runs runs;
  std::uint64_t expanded = 0;
  for (std::size_t at = magic.size(); at != text.size();) {
    Header header{};
    if (text.size() - at < sizeof header) throw FormatError(file.string(), at, "it ends inside of a run");
    std::memcpy(&header, text.data() + at, sizeof header);
    const std::size_t begin = at + sizeof header;
    if (header.pattern == 0 || header.pattern > header.bytes ||
        header.address + header.bytes < header.address)
      throw FormatError(file.string(), at, "this run makes no sense");
    if (header.pattern > text.size() - begin)
      throw FormatError(file.string(), at, "it ends inside of the contents of a run");
    expanded += header.bytes;
    if (expanded < header.bytes || expanded > std::uint64_t{1} << 40)
      throw FormatError(file.string(), at, "its runs are more than 1 TiB");
    const auto* const from = reinterpret_cast<const std::byte*>(text.data() + begin);
    runs.push_back({header.address, header.bytes, {from, from + header.pattern}});
    at = begin + header.pattern;
  }
  return runs;
}

}  // namespace wedjat::traces
