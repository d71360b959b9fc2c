#include "emulator/hooks/report_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wedjat::hooks {
namespace {

constexpr std::size_t nowhere = std::string::npos;
constexpr double width = 720, left = 170, right = 20;

std::size_t column(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name);
  return found == table.columns.end() ? nowhere : static_cast<std::size_t>(found - table.columns.begin());
}

// What tells a row from the others: its cells before that column; numbers alone are short.
std::string label(const Table& table, std::size_t row, std::size_t end, bool with_text) {
  std::string text;
  for (std::size_t c = 0; c < end; ++c) {
    const Cell& cell = table.cells[row * table.columns.size() + c];
    const auto* words = std::get_if<std::string>(&cell);
    if (words != nullptr && !with_text) continue;
    text += (text.empty() ? "" : " ") + table.columns[c] + " " +
            (words != nullptr ? *words : fmt::format("{}", number(cell)));
  }
  return escaped(text);
}

std::string timeline(const Table& table, std::size_t start, std::size_t stop) {
  constexpr std::size_t most = 256;
  constexpr double line = 12;
  const std::size_t columns = table.columns.size(), rows = std::min(table.rows(), most);
  double last = 1;
  for (std::size_t r = 0; r < rows; ++r) last = std::max(last, number(table.cells[r * columns + stop]));
  const auto at = [&](double time) { return left + time / last * (width - left - right); };
  std::string out =
      fmt::format("<svg width={:.0f} height={:.0f}>", width, line * static_cast<double>(rows) + 20);
  for (std::size_t r = 0; r < rows; ++r) {
    const double from = number(table.cells[r * columns + start]),
                 to = number(table.cells[r * columns + stop]);
    const double top = line * static_cast<double>(r);
    out += fmt::format(
        "<g><title>{0}: {1} to {2}</title><text x=0 y={3:.0f}>{7}</text>"
        "<rect x={4:.1f} y={5:.0f} width={6:.1f} height=10 fill=#4878cf /></g>\n",
        label(table, r, start, true), from, to, top + 10, at(from), top + 1, std::max(at(to) - at(from), 0.5),
        label(table, r, start, false));
  }
  const double bottom = line * static_cast<double>(rows) + 14;
  out +=
      fmt::format("<text x={:.0f} y={:.0f}>0</text><text x={:.0f} y={:.0f} text-anchor=end>{}</text></svg>\n",
                  left, bottom, width - right, bottom, last);
  if (rows < table.rows()) out += fmt::format("<p>The first {} of {}.</p>\n", rows, table.rows());
  return out;
}

struct LogAxis {
  double low, high, from, to;  // powers of ten; where they are drawn
  double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
};

LogAxis axis(double least, double most, double from, double to) {
  return {std::floor(std::log10(least)),
          std::max(std::ceil(std::log10(most)), std::floor(std::log10(least)) + 1), from, to};
}

std::string roofline(const Table& table, std::size_t x, std::size_t bend, std::size_t y) {
  constexpr double height = 360, bottom = 30, top = 10, margin = 70;
  const std::size_t columns = table.columns.size();
  const auto cell = [&](std::size_t row, std::size_t c) { return number(table.cells[row * columns + c]); };
  double least = std::numeric_limits<double>::infinity(), most = 0, peak = 0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double intensity = cell(r, x), corner = cell(r, bend);
    if (intensity <= 0 || corner <= 0 || cell(r, y) <= 0) continue;
    least = std::min({least, intensity, corner});
    most = std::max({most, intensity, corner});
    peak = intensity < corner ? cell(r, y) / intensity * corner : cell(r, y);
  }
  if (most <= 0) return {};
  const double corner = cell(0, bend);
  const LogAxis across = axis(least / 3, most * 3, margin, width - right),
                up = axis(std::min(peak, peak * least / corner), peak * 1.5, height - bottom, top);
  std::string out = fmt::format("<svg width={:.0f} height={:.0f}>", width, height);
  const auto tick = [&](double px, double py, double to_x, double to_y, int power, const char* anchor) {
    out += fmt::format(
        "<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke=#ddd /><text x={:.1f} y={:.1f} "
        "text-anchor={}>{:g}</text>\n",
        px, py, to_x, to_y, px - (px == margin ? 6 : 0), py + (px == margin ? 4 : 14), anchor,
        std::pow(10.0, power));
  };
  for (int p = static_cast<int>(across.low); p <= static_cast<int>(across.high); ++p) {
    const double px = across.at(std::pow(10.0, p));
    tick(px + 0.01, height - bottom, px + 0.01, top, p, "middle");
  }
  for (int p = static_cast<int>(up.low); p <= static_cast<int>(up.high); ++p) {
    const double py = up.at(std::pow(10.0, p));
    tick(margin, py, width - right, py, p, "end");
  }
  const double first = std::max(std::pow(10.0, across.low), corner * std::pow(10.0, up.low) / peak);
  out += fmt::format(
      "<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}' stroke=#c44e52 stroke-width=2 "
      "fill=none />\n",
      across.at(first), up.at(peak * first / corner), across.at(corner), up.at(peak), across.to, up.at(peak));
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double intensity = cell(r, x), attainable = cell(r, y);
    if (intensity <= 0 || attainable <= 0) continue;
    out += fmt::format(
        "<g><title>{0}: {1:.4g} operations a byte, at most {2:.4g} Gflop/s</title>"
        "<circle cx={3:.1f} cy={4:.1f} r=5 fill=#4878cf /><text x={5:.1f} y={4:.1f}>{0}</text></g>\n",
        label(table, r, x, true), intensity, attainable, across.at(intensity), up.at(attainable),
        across.at(intensity) + 8);
  }
  return out + "</svg><p>across: operations a byte (sectors); up: Gflop/s</p>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

double number(const Cell& cell) {
  if (const auto* integer = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&cell);
  return real ? *real : -1;
}

std::string chart_of(const Table& table) {
  if (table.rows() == 0) return {};
  const std::size_t start = column(table, "start"), stop = column(table, "stop");
  if (start != nowhere && stop != nowhere) return timeline(table, start, stop);
  const std::size_t bend = column(table, "bend"), attainable = column(table, "attainable_gflops");
  if (bend != nowhere && bend != 0 && attainable != nowhere)
    return roofline(table, bend - 1, bend, attainable);
  return {};
}

}  // namespace wedjat::hooks
