// Runs a case on a device of its own.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tests/emulator/device/case_file.h"

namespace wedjat::test {

enum class Ending { well, fault, refused };

struct Outcome {
  Ending ending = Ending::well;
  std::string message, printed;
  std::vector<std::vector<std::byte>> buffers;  ///< what each argument holds afterwards; of a value nothing
};

Outcome run_case(const CaseFile& file, unsigned threads);

}  // namespace wedjat::test
