// Findings that are not reported: a file of lines "kind" or "kind kernel", each may end in `*`; `#` begins a
// comment.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/hooks/report/report.h"

namespace wedjat::hooks {

/// Whether the text is the pattern, or begins as it does if that ends in `*`.
bool matches(std::string_view pattern, std::string_view text);

class Suppressions {
 public:
  /// Throws ToolFileError naming file and line.
  explicit Suppressions(const std::string& file);

  /// Whether some line covers the finding; that line counts as used.
  bool cover(const Finding& finding);
  /// Lines that covered no finding: "list.txt:3: 'leek'".
  std::vector<std::string> unused() const;

 private:
  struct Line {
    std::string kind, kernel, place;
    bool used = false;
  };
  std::vector<Line> lines_;
};

}  // namespace wedjat::hooks
