// What semantics files say beside instructions: special registers, the values they are made of, and devices.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semcc/ir/expr.h"
#include "semcc/ir/since.h"

namespace semcc::ir {

// A value that the emulator supplies: `source cta_index : vector(u32, 3) per cta "…"`.
struct Source {
  enum class Per { Launch, Cta, Warp, Lane, Read };
  std::string name, summary;
  unsigned count = 1;  // components
  Per per = Per::Launch;
  Location at;
};

// 64 bits, made of sources: sums and the like wrap. What is constant is folded.
struct MachineValue {
  enum class What { Number, Source, Unary, Binary } what = What::Number;
  std::uint64_t number = 0;
  std::string text;        // Source: its name; Unary, Binary: the operator
  unsigned component = 0;  // Source
  std::vector<std::shared_ptr<const MachineValue>> args;
};
using MachineValuePtr = std::shared_ptr<const MachineValue>;

// One register, or one component of a register of four.
struct SpecialElement {
  std::string name;  // "%tid.x"
  MachineValuePtr value;
  bool per_cta = false, per_lane = false, per_read = false;  // between what the value may differ
};

// `special %tid : vector(u32, 4) = …;`, or several alike: `special %pm<8>_64 : …`.
struct Special {
  std::string name;                // as declared: "%pm<8>_64"
  std::vector<std::string> names;  // "%pm0_64" …
  Type type;
  unsigned count = 1;  // 4: has components
  Since since;
  std::string manual, summary, text;  // text: its value as written
  std::vector<SpecialElement> elements;
  Location at;
};

struct Limit {
  std::string name, summary, text;    // text: its value as written
  std::vector<std::uint64_t> values;  // several: one for each axis
  Location at;
};

// `device h100 "…" { limit … }`
struct Device {
  std::string name, summary;
  std::vector<Limit> limits;
  Location at;
};

}  // namespace semcc::ir
