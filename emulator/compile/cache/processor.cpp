#include "emulator/compile/cache/processor.h"

#include <cpuid.h>

#include "emulator/compile/cache/bytes.h"

namespace wedjat::compile {

std::string processor_identity() {
  ByteWriter all;
  // Leaves that speak of the model and of features. In ebx of leaf 1 the number of the core stands.
  constexpr struct {
    unsigned leaf, subleaf;
    bool with_b;
  } asked[] = {{0, 0, true},          {1, 0, false},          {7, 0, true},          {7, 1, true},
               {0xd, 1, false},       {0x14, 0, true},        {0x19, 0, true},       {0x24, 0, true},
               {0x80000001, 0, true}, {0x80000008, 0, false}, {0x80000002, 0, true}, {0x80000003, 0, true},
               {0x80000004, 0, true}};
  bool saves = false;
  for (const auto& each : asked) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(each.leaf, each.subleaf, &a, &b, &c, &d) == 0) continue;
    if (each.leaf == 1) saves = (c & bit_OSXSAVE) != 0;
    if (each.leaf == 0x80000008) a = c = d = 0;
    all.put(each.leaf);
    for (const unsigned word : {a, each.with_b ? b : 0, c, d}) all.put(word);
  }
  if (saves) {
    unsigned low = 0, high = 0;
    asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    all.put(low);
    all.put(high);
  }
  return {reinterpret_cast<const char*>(all.bytes.data()), all.bytes.size()};
}

}  // namespace wedjat::compile
