#include "emulator/ptx/module/version.h"

#include <charconv>

#include "device_limits.h"

namespace wedjat::ptx {
namespace {

/// The .version that brought a word: 100 * major + minor, as ptxas says.
struct Brought {
  std::string_view word;
  unsigned version;
};
constexpr Brought kBrought[] = {{".address_size", 203},
                                {".weak", 301},
                                {"generic()", 301},
                                {".attribute", 400},
                                {".common", 500},
                                {".alias", 603},
                                {".noreturn", 604},
                                {"a mask of an initial value", 701},
                                {".maxclusterrank", 708},
                                {".explicitcluster", 708},
                                {".reqnctapercluster", 708},
                                {".unified", 800},
                                {".b128", 803},
                                {".abi_preserve", 900},
                                {".abi_preserve_control", 900},
                                {".blocksareclusters", 900}};

}  // namespace

void require(const Source& source, const Version& version, std::size_t where, std::string_view word) {
  for (const Brought& row : kBrought) {
    if (row.word != word || version.number() >= row.version) continue;
    source.fail(where, std::string(word) + " needs .version " + std::to_string(row.version / 100) + "." +
                           std::to_string(row.version % 100) + ", the module says " +
                           std::to_string(version.major) + "." + std::to_string(version.minor));
  }
}

Architecture architecture(std::string_view target) {
  Architecture result;
  if (!target.starts_with("sm_")) return result;
  const char* end = target.data() + target.size();
  const auto parsed = std::from_chars(target.data() + 3, end, result.number);
  result.flavour = {parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)};
  return result;
}

std::uint64_t parameter_space(const Version& version, Architecture architecture) {
  if (version.number() < 105) return 256;
  return version.number() < 801 || architecture.number < 70 ? limits::parameter_bytes_before_8_1
                                                            : limits::parameter_bytes;
}

}  // namespace wedjat::ptx
