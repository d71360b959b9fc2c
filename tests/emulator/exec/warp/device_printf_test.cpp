// printf of kernels, against what an H100 (driver 580.159.04) printed and returned.
#include "emulator/exec/warp/device_printf.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace wedjat::exec;

namespace {

// As compilers lay arguments out for vprintf.
class Packed {
 public:
  template <class... Arguments>
  explicit Packed(Arguments... arguments) {
    (add(arguments), ...);
    bytes_.resize(bytes_.size() + 64);  // behind the last one: zeros
  }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(bytes_.data()); }

 private:
  template <class T>
  void add(T value) {
    const std::size_t at = (bytes_.size() + sizeof value - 1) / sizeof value * sizeof value;
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<char> bytes_;
};

// "text|what printf returns"
template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  const Packed packed(arguments...);
  const DeviceReader memory{[](std::uint64_t address, void* to, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  }};
  const Formatted result = format_device(memory, reinterpret_cast<std::uint64_t>(format), packed.address());
  return result.text + "|" + std::to_string(result.arguments);
}

}  // namespace

TEST_CASE("integers: of 16 bits with h, of 64 with l and ll") {
  CHECK(printed("[%5d|%-5d|%05d|%+d|% d]", 42, 42, 42, 42, 42) == "[   42|42   |00042|+42| 42]|5");
  CHECK(printed("[%hd]", 70000) == "[4464]|1");
  CHECK(printed("[%hu]", 70000) == "[4464]|1");
  CHECK(printed("[%hx]", 0x12345) == "[2345]|1");
  CHECK(printed("%ho", 0x1ffff) == "177777|1");
  CHECK(printed("%hX", 0x1abcd) == "ABCD|1");
  CHECK(printed("%hi", 40000) == "-25536|1");
  CHECK(printed("[%ld]", -5000000000L) == "[-5000000000]|1");
  CHECK(printed("[%llx]", 0x123456789abcdefULL) == "[123456789abcdef]|1");
  CHECK(printed("%08llx", 255ULL) == "000000ff|1");
  CHECK(printed("%#llx", 255ULL) == "0xff|1");
  CHECK(printed("[%.3d|%8.3d|%-8.3d|%08.3d]", 5, 5, 5, 5) == "[005|     005|005     |     005]|4");
  CHECK(printed("[%.0d]", 0) == "[]|1");
  CHECK(printed("[%.d]", 0) == "[]|1");
  CHECK(printed("[%lld|%d]", 3LL, 4) == "[3|4]|2");
}

TEST_CASE("floating point, characters, pointers, strings") {
  CHECK(printed("[%lf]", 2.25) == "[2.250000]|1");
  CHECK(printed("[%hf]", 2.25) == "[2.250000]|1");
  CHECK(printed("%+5.2lf", 2.5) == "+2.50|1");
  CHECK(printed("[%lc]", int('w')) == "[w]|1");
  CHECK(printed("%5lc|", 65) == "    A||1");
  CHECK(printed("[%lp]", std::uint64_t{0x1234}) == "[0x1234]|1");
  CHECK(printed("[%p]", std::uint64_t{0}) == "[(nil)]|1");
  const char* const abc = "abc";
  CHECK(printed("[%10s|%-10s|%.2s|%10.2s]", abc, abc, abc, abc) == "[       abc|abc       |ab|        ab]|4");
  CHECK(printed("[%s]", std::uint64_t{0}) == "[(null)]|1");
  CHECK(printed("[%.2s]", std::uint64_t{0}) == "[]|1");
  CHECK(printed("[%10s]", std::uint64_t{0}) == "[    (null)]|1");
  CHECK(printed("[%ls]", L"wide") == "[w]|1");
  CHECK(printed("[%S]", L"wide") == "[wide]|1");
}

TEST_CASE("a width that is an argument") {
  CHECK(printed("[%*d]", 6, 42) == "[    42]|2");
  CHECK(printed("[%-*d|]", 6, 42) == "[42    |]|2");
  CHECK(printed("[%*d|]", -6, 42) == "[42    |]|2");
  CHECK(printed("[%0*d]", 6, 42) == "[000042]|2");
}

TEST_CASE("what is no conversion of CUDA's stands as it is and takes no argument") {
  for (const char* format :
       {"[%zu]",   "[%zd]",    "[%jd]",    "[%td]",  "[%qd]",   "[%Ld]",  "[%Lf]",   "[%Le|%Lg|%La]",
        "[%zf]",   "[%jf]",    "[%C]",     "[%.*f]", "[%*.*f]", "[%.*s]", "[%.-3d]", "[%'d]",
        "[%Id]",   "[%5%]",    "[%-%]",    "[%#%]",  "[%]",     "%",      "[%y]",    "[%ly]",
        "[%b]",    "[%m]",     "[%n]",     "[%5",    "[%l",     "[%D]",   "[%U|%O]", "[%1$d %2$d]",
        "[%hhhd]", "[%hhlld]", "[%lllld]", "[%hld]", "[%lhd]",  "[%zzu]", "[%lzd]",  "[%.5]",
        "%zu\n",   "plain",    ""})
    CHECK(printed(format, 5L, 6L) == std::string(format) + "|0");
  CHECK(printed("[%d%%]", 3) == "[3%]|1");
  CHECK(printed("[%%]") == "[%]|0");
  CHECK(printed("[%d|%zu]", 7, 8UL) == "[7|%zu]|1");
  CHECK(printed("%f %Lf", 2.5, 1.5) == "2.500000 %Lf|1");
  CHECK(printed("[%y|%d]", 5, 6) == "[%y|5]|1");
  CHECK(printed("[%d %d %d]", 1, 2) == "[1 2 0]|3");
  CHECK(printed("[%d]", 1, 2, 3) == "[1]|1");
}

// There any number, and what follows them in the text is not its argument.
TEST_CASE("sizes that an H100 prints anything for stand as they are, too") {
  CHECK(printed("[%hhd]", 300) == "[%hhd]|0");
  CHECK(printed("[%hc]", int('w')) == "[%hc]|0");
  CHECK(printed("%ld %zu %ld", 1L, 2UL, 3L) == "1 %zu 2|2");
}
