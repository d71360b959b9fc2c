// What launches leave in memory.
#include <fmt/format.h>

#include "cli/expect/device.h"
#include "cli/expect/runner.h"
#include "cli/options/library_error.h"

namespace wedjat::expect {

Results results(const Inputs& inputs, const WedjatRunOptions& run) {
  Results all;
  std::unique_ptr<Device> device;
  std::size_t number = 0;
  const auto read = [&] {
    for (const auto& [name, held] : device->held()) {
      Expectation whole;
      whole.buffer = name;
      all.memory[fmt::format("{} {}", number, name)] = device->read(inputs.file, whole);
    }
    all.printed += device->printed;
    ++number;
  };
  try {
    for (const Launch& launch : inputs.launches) {
      if (!launch.follows || !device) {
        if (device) read();
        device = std::make_unique<Device>(run);
        device->load(inputs.ptx_file, inputs.ptx);
      }
      device->give(inputs.file, launch, true);
      device->launch(inputs.file, launch);
    }
    if (device) read();
  } catch (const cli::LibraryError& error) {
    if (error.status == WEDJAT_INTERRUPTED) throw;
    all.failure = error.what();
  }
  return all;
}

}  // namespace wedjat::expect
