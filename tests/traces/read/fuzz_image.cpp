// libFuzzer target: any bytes are an image or a FormatError.
#include "traces/format/error.h"
#include "traces/read/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  try {
    const auto entries = wedjat::traces::read_image("fuzz", {begin, begin + size});
    wedjat::traces::choose_ptx(entries, 90);
  } catch (const wedjat::traces::FormatError&) {
  }
  return 0;
}
