#include "semcc/emit/text/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "semcc/emit/text/source.h"

namespace semcc::emit {
namespace {

constexpr std::string_view code_indent = "    ";

std::string inline_html(std::string_view text);

// The text up to `end`, if it stands behind the first `begin` characters and is not empty; `text` goes on
// behind it then.
std::optional<std::string_view> take_until(std::string_view& text, std::size_t begin, std::string_view end) {
  const std::size_t at = text.find(end, begin);
  if (at == std::string_view::npos || at == begin) return std::nullopt;
  const std::string_view inner = text.substr(begin, at - begin);
  text.remove_prefix(at + end.size());
  return inner;
}

// `[text](target)`.
std::optional<std::string> take_link(std::string_view& text) {
  std::string_view rest = text;
  const auto words = take_until(rest, 1, "](");
  if (!words || words->find('[') != std::string_view::npos) return std::nullopt;
  const auto target = take_until(rest, 0, ")");
  if (!target) return std::nullopt;
  text = rest;
  const std::string html = inline_html(*words);
  return target->starts_with('#') ? fmt::format("<a href=\"{}\">{}</a>", escape_html(*target), html) : html;
}

// `*text*` or `**text**`, by `mark`; a mark before a space is a sign of arithmetic.
std::optional<std::string> take_stress(std::string_view& text, std::string_view mark, const char* element) {
  if (!text.starts_with(mark) || text.size() <= mark.size() ||
      std::isspace(static_cast<unsigned char>(text[mark.size()])) != 0)
    return std::nullopt;
  const auto inner = take_until(text, mark.size(), mark);
  if (!inner) return std::nullopt;
  return fmt::format("<{0}>{1}</{0}>", element, inline_html(*inner));
}

std::optional<std::string> take_marked(std::string_view& text) {
  if (text.starts_with('`')) {
    const auto code = take_until(text, 1, "`");
    return code ? std::optional(fmt::format("<code>{}</code>", escape_html(*code))) : std::nullopt;
  }
  if (text.starts_with('[')) return take_link(text);
  if (auto strong = take_stress(text, "**", "strong")) return strong;
  return take_stress(text, "*", "em");
}

std::string inline_html(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const auto marked = take_marked(text)) {
      out += *marked;
      continue;
    }
    if (text.size() > 1 && text[0] == '\\') text.remove_prefix(1);
    out += escape_html(text.substr(0, 1));
    text.remove_prefix(1);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Cells of `| a | b |`; a bar in code or behind a backslash divides nothing.
std::vector<std::string_view> cells_of(std::string_view line) {
  line = trimmed(line);
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  bool code = false;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '`') code = !code;
    if (at < line.size() && (line[at] != '|' || code || (at > 0 && line[at - 1] == '\\'))) continue;
    cells.push_back(trimmed(line.substr(begin, at - begin)));
    begin = at + 1;
  }
  return cells;
}

// How many characters mark an item of a list: "* ", "1. "; 0 if it is none.
std::size_t bullet(std::string_view line) {
  if (line.starts_with("* ") || line.starts_with("- ")) return 2;
  const auto digits = static_cast<std::size_t>(
      std::ranges::find_if_not(line, [](unsigned char c) { return std::isdigit(c) != 0; }) - line.begin());
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(lines_of(text)) {}

  std::string html() {
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (trimmed(line).empty())
        ++at_;
      else if (line.starts_with(code_indent))
        code();
      else if (line.starts_with('#'))
        heading();
      else if (line.starts_with('|'))
        table();
      else if (bullet(line) != 0)
        list();
      else
        out_ += fmt::format("<p>{}</p>\n", inline_html(taken_paragraph("")));
    }
    return out_;
  }

 private:
  bool goes_on() const {
    if (at_ == lines_.size()) return false;
    const std::string_view line = lines_[at_];
    return !trimmed(line).empty() && !line.starts_with('#') && !line.starts_with('|') && bullet(line) == 0;
  }

  // The lines that belong together, behind what has been read of the first one.
  std::string taken_paragraph(std::string_view begin) {
    std::string text(begin);
    while (goes_on()) text += (text.empty() ? "" : " ") + std::string(trimmed(lines_[at_++]));
    return text;
  }

  void heading() {
    const std::string_view line = lines_[at_++];
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    out_ += fmt::format("<h{0}>{1}</h{0}>\n", level + 1, inline_html(trimmed(line.substr(level))));
  }

  void code() {
    std::string text;
    std::size_t end = at_;  // behind the last line that is not empty
    for (; at_ < lines_.size() && (trimmed(lines_[at_]).empty() || lines_[at_].starts_with(code_indent));
         ++at_)
      if (!trimmed(lines_[at_]).empty()) {
        for (; end < at_; ++end) text += '\n';
        text += escape_html(lines_[at_].substr(code_indent.size())) + '\n';
        end = at_ + 1;
      }
    text.pop_back();
    out_ += fmt::format("<pre>{}</pre>\n", text);
  }

  void list() {
    const char* element = std::isdigit(static_cast<unsigned char>(lines_[at_].front())) != 0 ? "ol" : "ul";
    out_ += fmt::format("<{}>\n", element);
    while (at_ < lines_.size() && bullet(lines_[at_]) != 0) {
      const std::string_view line = lines_[at_++];
      out_ += fmt::format("<li>{}</li>\n", inline_html(taken_paragraph(line.substr(bullet(line)))));
    }
    out_ += fmt::format("</{}>\n", element);
  }

  void table() {
    out_ += "<div class=\"wide\"><table>\n";
    const char* element = "th";
    for (; at_ < lines_.size() && lines_[at_].starts_with('|'); ++at_) {
      if (lines_[at_].starts_with("|--")) continue;  // below the heads
      out_ += "<tr>";
      for (const std::string_view cell : cells_of(lines_[at_]))
        out_ += fmt::format("<{0}>{1}</{0}>", element, inline_html(cell));
      out_ += "</tr>\n";
      element = "td";
    }
    out_ += "</table></div>\n";
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string markdown_html(std::string_view text) { return Reader(text).html(); }

}  // namespace semcc::emit
