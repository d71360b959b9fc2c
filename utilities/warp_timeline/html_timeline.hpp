// Slices as a page that a browser shows by itself: a row a warp, SM after SM; the page can be stretched.
#pragma once
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "slices.hpp"

namespace warp_timeline {

class HtmlTimeline : public Slices {
 public:
  HtmlTimeline(const std::string& file, const std::string& model) : out_(file), model_(model) {}
  [[nodiscard]] bool good() const override { return out_.good(); }

  void slice(const std::string& name, std::uint64_t sm, std::uint64_t cta, std::uint32_t warp,
             std::uint64_t start, std::uint64_t stop) override {
    rows_[{sm, cta, warp}].push_back({name, start, stop});
    begin_ = std::min(begin_, start), end_ = std::max(end_, stop);
  }

  bool finish() override {
    const std::uint64_t begin = std::min(begin_, end_), all = std::max<std::uint64_t>(end_ - begin, 1);
    out_
        << R"(<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>warps</title><style>
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--line:#eee;--warp:#5b8fd6;--wait:#e0a33e}
@media(prefers-color-scheme:dark){:root{--ink:#e5e2da;--paper:#16181d;--line:#30343d;--warp:#4a78b8;--wait:#d09a3e}}
body{font:12px sans-serif;margin:8px;color:var(--ink);background:var(--paper)}#all{overflow-x:auto}#rows{min-width:100%}
.row{display:flex;height:13px;border-bottom:1px solid var(--line)}.row>span{flex:1;position:relative}
.row>b{flex:none;width:9.5em;overflow:hidden;white-space:nowrap;font-weight:400;position:sticky;left:0;z-index:2;background:var(--paper)}
.row i{position:absolute;top:1px;height:11px;background:var(--warp);min-width:1px}.row i.barrier{background:var(--wait);z-index:1}
h2{font-size:13px;margin:8px 0 2px;position:sticky;left:0}</style>
<p>)" << text(model_)
        << ": cycles " << begin << " to " << end_
        << R"(. A blue bar is a warp, an orange one a wait at a barrier. <label>Stretch <input type="range" min="1" max="64" value="1" oninput="document.getElementById('rows').style.width=100*this.value+'%'"></label></p>
<div id="all"><div id="rows">
)";
    std::uint64_t sm = ~std::uint64_t{0};
    for (auto& [key, slices] : rows_) {
      if (std::get<0>(key) != sm) out_ << "<h2>SM " << (sm = std::get<0>(key)) << "</h2>\n";
      out_ << "<div class=row><b>CTA " << std::get<1>(key) << " warp " << std::get<2>(key) << "</b><span>";
      for (const Slice& one : slices)
        out_ << "<i" << (one.name == "barrier" ? " class=barrier" : "")
             << " style=\"left:" << percent(one.start - begin, all)
             << "%;width:" << percent(one.stop - one.start, all) << "%\" title=\"" << text(one.name) << ' '
             << one.start << " to " << one.stop << "\"></i>";
      out_ << "</span></div>\n";
    }
    out_ << "</div></div>\n";
    out_.close();
    return out_.good();
  }

 private:
  struct Slice {
    std::string name;
    std::uint64_t start, stop;
  };
  static double percent(std::uint64_t part, std::uint64_t all) {
    return 100 * static_cast<double>(part) / static_cast<double>(all);
  }
  static std::string text(const std::string& from) {
    std::string out;
    for (const char c : from) {
      if (c == '<')
        out += "&lt;";
      else if (c == '&')
        out += "&amp;";
      else if (c == '"')
        out += "&quot;";
      else
        out += c;
    }
    return out;
  }

  std::ofstream out_;
  const std::string model_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, std::vector<Slice>> rows_;
  std::uint64_t begin_ = ~std::uint64_t{0}, end_ = 0;
};

}  // namespace warp_timeline
