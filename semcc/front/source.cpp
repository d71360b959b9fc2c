#include "semcc/front/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace semcc::front {

int Sources::add(std::string path, std::string text) {
  files_.push_back({std::move(path), std::move(text)});
  return size() - 1;
}

int Sources::find(std::string_view path) const {
  for (int i = 0; i < size(); ++i)
    if ((*this)[i].path == path) return i;
  return -1;
}

std::string_view Sources::line(Location at) const {
  if (at.file < 0 || at.line < 1) return {};
  std::string_view text = (*this)[at.file].text;
  for (int i = 1; i < at.line; ++i) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

void Diagnostics::error(Location at, std::string message, std::string context) {
  const auto same = [&](const Error& e) {
    return e.at.file == at.file && e.at.line == at.line && e.at.column == at.column;
  };
  if (std::any_of(errors_.begin(), errors_.end(), same)) return;
  errors_.push_back({at, std::move(message), std::move(context)});
}

void Diagnostics::error(const Refusal& refusal, const std::string& context) {
  if (!refusal.message.empty()) error(refusal.at, refusal.message, context);
}

std::vector<Diagnostics::Error> Diagnostics::sorted() const {
  std::vector<Error> result = errors_;
  std::stable_sort(result.begin(), result.end(), [](const Error& a, const Error& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
  });
  return result;
}

std::string Diagnostics::text() const {
  std::string out;
  for (const Error& e : sorted()) {
    if (e.at.file < 0) {
      out += fmt::format("semcc: error: {}\n", e.message);
      continue;
    }
    out += fmt::format("{}:{}:{}: error: {}\n", sources_[e.at.file].path, e.at.line, e.at.column, e.message);
    const std::string_view line = sources_.line(e.at);
    std::string margin;  // keeps tabs, so that the caret stands under its column
    for (int i = 0; i + 1 < e.at.column; ++i)
      margin +=
          static_cast<std::size_t>(i) < line.size() && line[static_cast<std::size_t>(i)] == '\t' ? '\t' : ' ';
    out += fmt::format("    {}\n    {}^\n", line, margin);
    if (!e.context.empty()) out += fmt::format("    {}\n", e.context);
  }
  return out;
}

}  // namespace semcc::front
