// createpolicy: every form.
#include "instructions/bench.h"

namespace {

void policies(Bench& bench) {
  const char* const first[] = {"evict_last", "evict_normal", "evict_first", "evict_unchanged"};
  const char* const second[] = {"", ".L2::evict_first", ".L2::evict_unchanged"};
  std::string text = head;
  std::vector<std::string> names;
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < 3; ++b) {
      const std::string n = std::to_string(a) + std::to_string(b),
                        w = std::string(".L2::") + first[a] + second[b] + ".b64";
      text += kernel("whole" + n, "  createpolicy.fractional" + w + " %d0;\n  createpolicy.fractional" + w +
                                      " %d1, 0.3;\n  st.global.v2.b64 [%rd4], {%d0, %d1};\n");
      text += kernel("part" + n, "  mov.b32 %f1, %r5;\n  createpolicy.fractional" + w +
                                     " %d0, %f1;\n  st.global.b64 [%rd4], %d0;\n");
      text += kernel("range" + n, "  ld.global.u64 %rd5, [%rd3];\n  createpolicy.range.global" + w +
                                      " %d0, [%rd5], %r3, %r4;\n  createpolicy.range" + w +
                                      " %d1, [%rd5], %r3, %r4;\n  st.global.v2.b64 [%rd4], {%d0, %d1};\n");
      for (const char* k : {"whole", "part", "range"}) names.push_back(k + n);
    }
  text += kernel(
      "cvt",
      "  ld.global.u64 %rd5, [%rd3];\n  createpolicy.cvt.L2.b64 %d0, %rd5;\n  st.global.b64 [%rd4], %d0;\n");
  names.push_back("cvt");
  bench.load(text);
  for (const std::string& name : names) {
    std::vector<std::uint32_t> input = random_input();
    for (unsigned t = 0; t < threads; ++t) {
      const float x = t < 34 ? static_cast<float>(t) / 32
                             : static_cast<float>(static_cast<double>(engine() >> 11) * 0x1p-53);
      __builtin_memcpy(&input[t * 8 + 4], &x, 4);
      input[t * 8 + 1] &= 0x7f;  // an address
      input[t * 8 + 3] >>= below(32);
      input[t * 8 + 2] = input[t * 8 + 3]
                             ? static_cast<std::uint32_t>(below(std::uint64_t{input[t * 8 + 3]} + 1))
                             : static_cast<std::uint32_t>(below(4));
      if (t % 16 == 3) input[t * 8 + 3] = 1u << below(32);
      if (t % 16 == 4) input[t * 8 + 3] = (1u << below(31)) + 1;
    }
    bench.run(name, 0, input);
  }
  bench.unload();
}

}  // namespace

int main() { return run(policies); }
