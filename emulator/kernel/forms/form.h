// The generated form table: one row per legal instruction form, from semantics/*.psem.
// semcc emits the rows (build/generated/forms); kernel/ decodes and checks legality against them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace wedjat::exec {
struct WarpContext;
}

namespace wedjat::kernel {

struct Step;

// Executes one instruction for the lanes in `mask`. `full` executors ignore the mask: all 32 lanes run.
using Executor = void (*)(exec::WarpContext& warp, const Step& step, std::uint32_t mask);

enum class OperandKind : std::uint8_t {
  Register,
  Predicate,
  Address,
  Immediate,
  Label,
  Vector,
  Fragment,
  Function,
  List
};
enum class Space : std::uint8_t {
  None,
  Generic,
  Global,
  Shared,
  SharedCluster,
  Local,
  Const,
  Param,
  ParamEntry,
  ParamFunc
};
enum class Level : std::uint8_t { Thread, Warp, Cta, Control };
// What the emulator does for an instruction without an executor: `control NAME;` in the semantics, `nothing`
// or `refused`.
enum class Control : std::uint8_t {
  None,
  Branch,
  BranchIndexed,
  Call,
  Return,
  Exit,
  Trap,
  Breakpoint,
  Sleep,
  Alloca,
  StackSave,
  StackRestore,
  Event,
  Nothing,
  Refused
};
// How the memory accesses of a form, or its fence, are ordered among others (PTX ISA 8.4); None: it has
// neither.
enum class Semantics : std::uint8_t { None, Weak, Volatile, Relaxed, Acquire, Release, AcqRel, Sc, Mmio };
enum class Scope : std::uint8_t { None, Cta, Cluster, Gpu, Sys };
enum class ValueKind : std::uint8_t { None, Bits, Unsigned, Signed, Float, Pred };

// A number that the spelling of the operand before it gives: `-a`, `a.b3`, `a.h32`, `d.b10`.
enum class Attach : std::uint8_t {
  None,
  Minus,  // `-` before it: 1, else 0
  Part,   // .b0 to .b3, .h0, .h1: the first byte in bits 3:0, how many bytes above them
  Pick,   // as many digits as elements (.h32, .b7654): digit i in bits 4i+3:4i
  Mask,   // the elements written to (.h10, .b310): one bit each
};

struct AttachSpec {
  Attach what;
  bool required;          // something must be written
  std::uint8_t elements;  // Pick, Mask: 2 halves or 4 bytes
  std::uint16_t absent;   // the number if nothing is written
};

struct OperandSpec {
  OperandKind kind;
  ValueKind value;      // of one element
  std::uint8_t bits;    // of one element (all its parts): 8..128; Pred 1
  std::uint8_t parts;   // packed parts in one element
  std::uint16_t count;  // Vector, Fragment: elements; otherwise 1
  Space space;          // Address
  bool in, out, negatable, sink, paired, optional, extends;
  AttachSpec attached;      // of Register operands that are no operand of their own in the text
  std::string_view name;    // as in the semantics file
  std::string_view format;  // Float: f16 bf16 f32 …; of what it names: texture surface sampler tensor
};

namespace effect {
inline constexpr std::uint32_t
    reads_memory = 1,
    writes_memory = 2, updates_memory = 4,
    ordered = 8,     // the result depends on the order among CTAs
    warp_sync = 16,  // waits for the lanes of operand `sync_operand`
    aligned = 32, barrier = 64, fence = 128, reads_state = 256, writes_state = 512, can_fail = 1024,
    reads_other_lanes = 2048,
    waits = 4096;  // lanes for which operand `sync_operand` becomes false may do it again
}  // namespace effect

struct Form {
  std::string_view opcode;  // "setp"
  std::string_view text;    // "setp.eq.ftz.f32", hints absent
  std::string_view key;     // canonical look-up key: see form_key()
  std::string_view
      hints;  // groups separated by '|', words by ' ': at most one word of each group may also be written
  Control control;          // None but for Level::Control
  std::string_view source;  // "semantics/compare/setp.psem:3"
  Executor full, masked;    // null for Level::Control
  const OperandSpec* operand;
  std::uint8_t operands;
  std::int8_t sync_operand;
  Level level;
  std::uint32_t effects;
  std::uint16_t ptx;  // least .version: 100 * major + minor; 0: any
  std::string_view
      targets;          // space separated: "sm_70" (and newer), "sm_90a" (exactly the a-flavour); empty: any
  Semantics semantics;  // of all its accesses, or of its fence
  Scope scope;
};

// All forms of all families, sorted by key: forms with the same key differ in their operands. Defined in
// generated code.
std::span<const Form> all_forms();

// The canonical key: opcode, then type words in written order, then all other words sorted, joined by '.'.
// Words that are types: what `is_type_word` says (b8…b128, u8…u64, s8…s64, f16, bf16x2, pred, e4m3 …).
bool is_type_word(std::string_view word);

}  // namespace wedjat::kernel
