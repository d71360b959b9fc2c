#include "traces/bundle/pointers_file.h"

#include <cstring>
#include <span>
#include <string_view>

#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::traces {
namespace {

constexpr std::string_view pointers_magic = "WJPTRS1\n";
constexpr std::size_t pointer_bytes = 8;

}  // namespace

void write_pointers(const std::filesystem::path& file, const Bundle::Pointers& pointers) {
  NewFile out(file);
  out.write(pointers_magic);
  const std::vector<std::uint64_t>* const lists[] = {&pointers.parameters, &pointers.input,
                                                     &pointers.expected};
  for (const auto* const list : lists) {
    const std::uint64_t count = list->size();
    out.write(std::as_bytes(std::span(&count, 1)));
  }
  for (const auto* const list : lists) out.write(std::as_bytes(std::span(*list)));
  out.close();
}

Bundle::Pointers read_pointers(const std::filesystem::path& file) {
  const std::string text = read_regular_file(file);
  if (!std::string_view(text).starts_with(pointers_magic) || text.size() < 4 * pointer_bytes)
    throw FormatError(file.string(), "is no file of pointers: it does not begin with WJPTRS1");
  std::uint64_t counts[3], left = text.size() / pointer_bytes - 4;
  std::memcpy(counts, text.data() + pointers_magic.size(), sizeof counts);
  Bundle::Pointers pointers;
  std::size_t at = 4 * pointer_bytes, i = 0;
  for (auto* const list : {&pointers.parameters, &pointers.input, &pointers.expected}) {
    if (counts[i] > left) throw FormatError(file.string(), "ends before the last pointer");
    list->resize(counts[i]);
    if (!list->empty()) std::memcpy(list->data(), text.data() + at, counts[i] * pointer_bytes);
    at += counts[i] * pointer_bytes;
    left -= counts[i++];
  }
  if (at != text.size()) throw FormatError(file.string(), "has more than its pointers");
  return pointers;
}

}  // namespace wedjat::traces
