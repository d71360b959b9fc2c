// The lowered kernel: what kernel/ makes of a PTX module and exec/ runs. Read only once made; any number of
// launches share it.
//
// Addresses in rows. Global and const: the device address. Shared: memory/windows.h, RowFill::Source::Shared.
// Local: bytes from the start of the thread's local memory. `.param` of an entry:
// RowFill::Source::ParameterAddress, everywhere (cvta.param is the identity).
// `.param` variables of device functions, and those a body declares for its calls, lie in the function's
// local frame, so their address is a local address. Generic: device address, or a window of memory/windows.h
// plus the offset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/kernel/lowered/row_fill.h"
#include "emulator/kernel/lowered/step.h"

namespace wedjat::kernel {

/// Where an argument or result lies: a row of a frame, or bytes of a function's local frame.
struct Place {
  enum class Kind : std::uint8_t { Row, Local };
  Kind kind = Kind::Row;
  std::uint32_t offset = 0;  ///< Row: from the frame's rows; Local: from the function's local frame
  std::uint32_t bytes = 0;   ///< of one lane's value; 0: a predicate row
};

enum class End : std::uint8_t {
  Fall,           ///< go to `target`
  Branch,         ///< lanes of the guard to `target`, the others to `next`
  IndexedBranch,  ///< brx.idx: lanes of the guard to targets[index row (u32)], the others to `next`
  Call,           ///< lanes of the guard call, and come back to `next`; the others go there at once
  Return,         ///< lanes of the guard leave the function; of the entry: exit
  Exit,           ///< lanes of the guard end
  Trap,           ///< any lane of the guard: the launch fails
};

/// How a block ends. The guard is coded as in Step::guard, with `negated` beside it; 0: all lanes.
struct Terminator {
  End kind = End::Fall;
  bool negated = false;
  std::uint16_t guard = 0;
  std::uint32_t id =
      0;  ///< origin of the instruction, as Step::id; of a mere fall-through: of the instruction before it
  std::uint32_t target = 0;  ///< block; Call: index in Kernel::functions, or `indirect`
  std::uint32_t next = 0;    ///< block
  std::uint32_t row = 0;  ///< IndexedBranch: row of u32 indices; indirect Call: row of u64 function addresses
  std::vector<std::uint32_t> targets;  ///< IndexedBranch: blocks
  std::vector<Place> arguments,
      results;  ///< Call: the caller's, in the order of the callee's parameters and results

  static constexpr std::uint32_t indirect = 0xffffffffu;
};

/// A straight run of steps. A Fall costs nothing and counts as no instruction.
struct Block {
  std::uint32_t first = 0, count = 0;  ///< into Function::steps
  std::uint32_t instructions =
      0;  ///< of the PTX that the steps and the end stand for: some steps are lowering's own, some vanish
  std::uint32_t first_id = 0;  ///< Step::id of the first of these; theirs follow each other
  bool unrolled = false;       ///< a loop of which ptxas makes several iterations one
  Terminator end;
};

/// Registers as declared; their elements are numbered through the function.
struct RegisterRange {
  std::string name;  ///< of a range (%r<100>): what the number is appended to
  bool is_range = false;
  std::uint8_t width = 1;   ///< elements of one register
  std::uint8_t bytes = 4;   ///< of an element in one lane; 0: predicate
  std::uint32_t first = 0;  ///< element
  std::uint32_t count = 1;  ///< registers
};

/// What Origin::registers holds for what is no register, and Function::register_rows for what has no row.
inline constexpr std::uint32_t no_register = 0xffffffffu;

/// Blocks stand in priority order: reverse postorder in which the blocks of each loop are contiguous. exec/
/// runs the lanes whose block comes first, so lanes wait for each other at the nearest block that all of them
/// must pass. Block 0 is where the function begins.
struct Function {
  std::string name;
  std::string ptx_file;       ///< of its module: modules may be linked
  std::uint64_t address = 0;  ///< what a function pointer to it holds; 0: its address is not taken
  std::string refused;        ///< not empty: it cannot run, and calling it fails with this text
  std::vector<Block> blocks;
  std::vector<Step> steps;          ///< block after block
  std::vector<std::uint32_t> rows;  ///< what Step::row points into; not resized once steps point here
  std::vector<RowFill> fills;
  std::uint32_t frame_bytes = 0;  ///< rows of one frame; a multiple of 64
  std::uint32_t local_bytes =
      0;  ///< local frame of one thread: .local and .param variables; a multiple of 16
  std::vector<Place> parameters, results;  ///< of a device function
  // For tools, as Registers says (lower.h).
  std::vector<RegisterRange> registers;
  std::vector<std::uint32_t> register_rows;  ///< by element; empty unless they are kept
  std::vector<bool> register_fixed;          ///< by element: it stands for something else
};

/// Where an instruction comes from, for reports.
struct Origin {
  std::uint32_t function = 0;     ///< in Kernel::functions
  std::uint32_t ptx_line = 0;     ///< in the function's ptx_file, from 1
  std::uint32_t source_file = 0;  ///< index into Kernel::source_files
  std::uint32_t source_line = 0;  ///< 0: the PTX has no .loc for it
  std::string text;               ///< the instruction as written
  const Form* form = nullptr;
  std::uint32_t guard_register = no_register;
  bool guard_negated = false;
  std::vector<std::uint32_t>
      registers;  ///< by element of the operands, of an address its base; empty unless named
};

/// For tools: a variable the kernel or its program declares.
struct NamedVariable {
  std::string name;
  Space space = Space::None;   ///< Param: of the entry
  std::uint32_t function = 0;  ///< Local: whose frame it lies in
  std::uint64_t address = 0;   ///< of the device; Shared, Local, Param: bytes from the start of that memory
  std::uint64_t bytes = 0;     ///< 0: all that follows (dynamic shared memory)
};

struct Kernel : std::enable_shared_from_this<Kernel> {
  std::uint64_t number = 0;  ///< no other kernel lowered by this process has it
  std::string name;
  std::vector<std::string> source_files;
  std::vector<Function> functions;  ///< the entry first, then all it may call
  std::vector<Origin> origins;      ///< by Step::id and Terminator::id
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;  ///< dynamic shared memory begins here; a multiple of 16
  /// Most local memory one thread can need; absent: not known before it runs (recursion, indirect calls,
  /// alloca).
  std::optional<std::uint32_t> local_bytes;
  std::vector<NamedVariable> variables;  ///< unless registers are shared (lower.h)
  bool ordered = false;                  ///< some step has step_flag::ordered
};

}  // namespace wedjat::kernel
