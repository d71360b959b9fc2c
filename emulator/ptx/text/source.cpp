#include "emulator/ptx/text/source.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace wedjat::ptx {
namespace {

constexpr std::size_t kShownColumns = 160;

std::string message_with_caret(const std::string& file, Location where, const std::string& message,
                               std::string_view line) {
  std::string text = file;
  if (where.line != 0) text += ':' + std::to_string(where.line) + ':' + std::to_string(where.column);
  text += ": " + message;
  if (line.empty() || where.column == 0 || where.column > line.size() + 1) return text;
  // Of a line too long to show, the part around the column.
  const std::size_t column = where.column - 1;
  const std::size_t from = column > kShownColumns / 2 ? column - kShownColumns / 2 : 0;
  std::string shown(line.substr(from, kShownColumns));
  for (char& c : shown)
    if (c != '\t' && (c < ' ' || c > '~')) c = '?';
  std::string indent = shown.substr(0, column - from);
  for (char& c : indent)
    if (c != '\t') c = ' ';
  return text + "\n  " + shown + "\n  " + indent + '^';
}

}  // namespace

Error::Error(std::string file, Location where, std::string message, std::string_view source_line)
    : std::runtime_error(message_with_caret(file, where, message, source_line)),
      file_(std::move(file)),
      where_(where),
      message_(std::move(message)) {}

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::make_unique<const std::string>(std::move(text))) {
  if (text_->size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(name_, {}, "PTX text of 4 GiB or more");
  line_starts_.push_back(0);
  const char* const begin = text_->data();
  const char* const end = begin + text_->size();
  for (const char* at = begin; at != end;) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) break;
    at = newline + 1;
    line_starts_.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

Location Source::location(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {static_cast<std::uint32_t>(after - line_starts_.begin()),
          static_cast<std::uint32_t>(offset - after[-1] + 1)};
}

std::string_view Source::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::string_view rest = text().substr(line_starts_[number - 1]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

void Source::fail(std::size_t offset, const std::string& message) const {
  fail(location(std::min(offset, text().size())), message);
}

void Source::fail(Location where, const std::string& message) const {
  throw Error(name_, where, message, line(where.line));
}

}  // namespace wedjat::ptx
