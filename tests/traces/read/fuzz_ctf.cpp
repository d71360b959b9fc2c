// libFuzzer target: any bytes are CTF or damage. The input is {u16 length of the metadata text, the text, a
// stream}.
#include "tests/traces/read/ctf_builder.h"
#include "traces/read/archive.h"
#include "traces/read/ctf_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t length = std::min<std::size_t>(text.size(), data[0] | data[1] << 8);
  static const wedjat::traces::TemporaryFolder& folder = *new wedjat::traces::TemporaryFolder;
  ctf::write(folder.path() / "metadata", ctf::metadata(text.substr(0, length)));
  ctf::write(folder.path() / "calls_0", text.substr(length));
  std::vector<std::string> damage;
  wedjat::traces::read_ctf(folder.path(), damage);
  return 0;
}
