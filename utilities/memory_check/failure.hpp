// Why a launch failed, as a finding tells it.
#pragma once
#include <wedjat/tool.h>

#include <algorithm>
#include <string>

namespace memory_check {

/// "access out of bounds: 4 bytes at …", then lines that say where: of one instruction the finding says that
/// itself, else what every warp does stands there.
struct Failure {
  std::string kind, message;

  explicit Failure(const wedjat_launch& launch) {
    const std::string text = launch.failure;
    const std::string first = text.substr(0, text.find('\n'));
    kind = first.substr(0, first.find(": "));
    message = first.substr(std::min(kind.size() + 2, first.size()));
    std::ranges::replace(kind, ' ', '-');
    if (launch.failed != nullptr) return;
    for (std::size_t line = first.size(); line < text.size();) {
      const std::size_t end = std::min(text.find('\n', line + 1), text.size());
      const std::size_t begin = std::min(text.find_first_not_of(' ', line + 1), end);
      message += "; " + text.substr(begin, end - begin);
      line = end;
    }
  }
};

}  // namespace memory_check
