// Rows for any form, filled with values that are ordinary for its types.
#pragma once
#include <memory>
#include <vector>

#include "emulator/exec/access/context.h"

namespace wedjat::bench {

class WarpRows {
 public:
  explicit WarpRows(const kernel::Form& form);

  void run(kernel::Executor executor, std::uint32_t mask) { executor(warp_, step_, mask); }

 private:
  struct alignas(64) Row {
    std::byte bytes[512];
  };

  std::vector<Row> rows_;
  std::vector<std::uint32_t> offsets_;
  exec::WarpContext warp_;
  kernel::Step step_{};
};

}  // namespace wedjat::bench
