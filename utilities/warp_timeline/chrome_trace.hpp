// Slices in the Trace Event Format of chrome://tracing and Perfetto: complete events ("ph":"X").
#pragma once
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "slices.hpp"

namespace warp_timeline {

class ChromeTrace : public Slices {
 public:
  /// `model`: what the cycles mean.
  ChromeTrace(const std::string& file, const std::string& model) : out_(file) {
    out_ << R"({"otherData":{"model":")" << model << R"(","unit":"1 us is 1 cycle"},"traceEvents":[)";
  }
  [[nodiscard]] bool good() const override { return out_.good(); }

  void slice(const std::string& name, std::uint64_t sm, std::uint64_t cta, std::uint32_t warp,
             std::uint64_t start, std::uint64_t stop) override {
    // Process and thread 0 are the idle one of Perfetto, which shows no slices of it.
    const std::uint64_t process = sm + 1, thread = 64 * cta + warp + 1;
    if (sms_.insert(sm).second)
      event() << R"({"name":"process_name","ph":"M","pid":)" << process << R"(,"args":{"name":"SM )" << sm
              << R"("}})";
    if (warps_.emplace(sm, thread).second)
      event() << R"({"name":"thread_name","ph":"M","pid":)" << process << R"(,"tid":)" << thread
              << R"(,"args":{"name":"CTA )" << cta << " warp " << warp << R"("}})";
    event() << R"({"name":")" << escaped(name) << R"(","ph":"X","pid":)" << process << R"(,"tid":)" << thread
            << R"(,"ts":)" << start << R"(,"dur":)" << stop - start << '}';
  }
  bool finish() override {
    out_ << "\n]}\n";
    out_.close();
    return out_.good();
  }

 private:
  std::ofstream& event() {
    out_ << (std::exchange(first_, false) ? "\n" : ",\n");
    return out_;
  }
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (static_cast<unsigned char>(c) >= ' ') out += c;
    }
    return out;
  }

  std::ofstream out_;
  bool first_ = true;
  std::set<std::uint64_t> sms_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> warps_;
};

}  // namespace warp_timeline
