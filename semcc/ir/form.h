// One legal instruction form, fully expanded and checked: what every emitter reads.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semcc/ir/expr.h"
#include "semcc/ir/machine.h"
#include "semcc/ir/since.h"

namespace semcc::ir {

enum class Space {
  None,
  Generic,
  Global,
  Shared,
  SharedCluster,
  Local,
  Const,
  Param,
  ParamEntry,
  ParamFunc,
  Texture,
  Surface,
  Sampler,
  Tensor
};

// Labels of a memory access: the consumer decides what they mean.
struct MemoryLabels {
  Space space = Space::None;
  std::string sem = "weak";  // weak volatile relaxed acquire release acq_rel sc mmio
  std::string scope;         // "" cta cluster gpu sys
};

// A matrix that a warp body computes with; elements stand row after row.
struct Matrix {
  std::string name;
  unsigned rows = 0, columns = 0;
  Type type;       // of an element; Integer without width: exact, in `range`
  Interval range;  // Integer
};

// How products are summed (LANGUAGE.md, Matrices).
struct Multiply {
  bool aligned = false;      // else exact integers
  unsigned block = 0;        // products summed at once
  unsigned fraction = 0;     // bits kept below the greatest exponent
  int floor = 0;             // least exponent of the grid
  unsigned significant = 0;  // bits of a rounded sum
  Rounding rounding = Rounding::None;
};

// A body is straight-line code: loops are unrolled and `if` has become Select. Statements run in order.
// Assign and AssignState come last. Where there are several, each value is a Local, Constant or Unspecified:
// nothing reads an operand or a state after the first write, so a destination may be the register of any
// source. MemoryUpdate is Let with value = Expr{MemoryUpdate, type of the element, args[0] = the new value}
// and old_local == index. MemoryRead is Let with value = Expr{MemoryRead, type of the element}. Let, Barrier:
// index -1 if nobody uses the result.
struct Stmt {
  enum class What {
    Let,     // local `index` = value; value may be MemoryRead / MemoryUpdate
    Assign,  // operand `index` (part `part`, -1 whole) = value; in warp bodies for each active lane unless
             // `scalar`
    AssignState,  // state `name` = value (Pred)
    MemoryWrite,  // address, value; element type `type`
    Require,      // value (Pred) else the program fails: `name` is undefined or misaligned, `text` says why
    Fence,        // labels
    Barrier,      // CTA level: `name` is sync, arrive, reduce_popc, reduce_and, reduce_or; args: barrier,
                  // threads[, pred]; index: result operand or -1
    Prefetch,     // address: no effect on results
    Transfer,     // bytes from one memory to another: `name` is texture_read, surface_bytes, copy, reduce,
                  // tensor_load, tensor_store or tensor_reduce; args: two addresses, then 32-bit numbers. See
                  // memory.copy in LANGUAGE.md
    // Warp bodies, with Lane and BoundIndex free in the expressions named. `matrices` are sources.
    Gather,     // matrix `index` from fragment `operand`: its element BoundIndex 0 in lane Lane stands at
                // args[0], args[1]
    Scatter,    // fragment `operand` from matrices[0], placed likewise
    Each,       // matrix `index` = value at every row BoundIndex 0, column BoundIndex 1
    ReadTile,   // matrix `index` from memory: the element of a row and column lies at `address`
    WriteTile,  // matrices[0] to memory
    Multiply,   // matrix `index` = matrices A, B, C, selection (-1: absent), as `multiply` says
  } what;
  int index = -1, part = -1;
  bool scalar = false;  // warp bodies: evaluated once per warp, not per lane
  std::string name, text;
  std::string mode;  // Transfer of a surface: trap, clamp or zero
  int level = 0;     // Transfer of a texture: how many of args, the last ones, say which mip level
  Type type;         // memory element
  MemoryLabels labels;
  Space from = Space::None;  // Transfer: the memory that is read; labels.space is written
  ExprPtr guard;             // memory statements: only lanes where it holds (Pred) do it; null: all
  ExprPtr address;           // memory statements (and Let of MemoryRead/Update)
  ExprPtr value;             // MemoryUpdate: the new value; Local `old_local` in it is the old one
  int old_local = -1;
  int element_local = -1;  // Transfer that reduces: `value` is the new element, of the old one and this one
  int operand = -1;
  std::vector<int> matrices;
  Multiply multiply;
  std::vector<ExprPtr> args;
  Location at;
};

struct Local {
  std::string name;
  Type type;
  Interval range;
  bool scalar = false;  // warp bodies: one value per warp
};

enum class OperandKind { Register, Predicate, Address, Immediate, Label, Vector, Fragment, Function, List };

// A number that the spelling of the operand before it gives: `-a`, `a.b3`, `a.h32`, `d.b10`.
struct Attachment {
  enum class What {
    None,
    Minus,  // `-` before it: 1, else 0
    Part,   // .b0 … .b3, .h0, .h1: the first byte in bits 3:0, how many bytes above them
    Pick,   // as many digits as elements (.h32, .b7654): digit i in bits 4i+3:4i
    Mask,   // the elements written to (.h10, .b310): one bit each
  } what = What::None;
  unsigned elements = 0;  // Pick, Mask: 2 halves or 4 bytes
  unsigned absent = 0;    // the number if nothing is written
  bool required = false;  // something must be written
};

struct Operand {
  std::string name;
  OperandKind kind = OperandKind::Register;
  bool in = false, out = false;
  Type type;                  // of one element; Address: the address's integer view
  unsigned count = 1;         // Vector/Fragment: elements
  Space space = Space::None;  // Address
  bool negatable = false;     // written {!}c
  bool sink = false;          // `_` may stand here
  bool paired = false;        // written |q after the operand before it; inputs: [a, q], in its brackets
  bool optional = false;
  Attachment attached;
  bool extends =
      false;  // `via extend`: a wider register is allowed: chopped when read, zero/sign-extended when written
};

enum class Level { Thread, Warp, Cta, Control };

// What a form does, for utilities, the scheduler and the judge. Derived from the body, never written by hand.
struct Effects {
  bool reads_memory = false, writes_memory = false, updates_memory = false;
  bool ordered = false;    // its result depends on the order among CTAs: updates with a used result or of
                           // floats, strong reads
  bool warp_sync = false;  // waits for the lanes of a member mask
  bool aligned = false;    // all live lanes must be here together
  bool barrier = false, fence = false;
  bool reads_state = false, writes_state = false;  // the carry flag
  bool can_fail = false;                           // has a Require
  bool waits = false;  // `until p`: may be repeated until operand `sync_operand` is true
  bool reads_other_lanes = false;
};

// Words whose order in an instruction matters: b32, u16x2, bf16, e4m3x2, pred, L2::evict_first …
bool is_type_word(std::string_view word);

// Level::Control with `nothing`: the instruction is legal and does nothing at all.
struct Form {
  std::string family;                  // psem instruction name: "setp", "cvt.float_to_int"
  std::string form_name;               // "" or the name after `form`
  std::string opcode;                  // "setp"
  std::vector<std::string> modifiers;  // bound, in the manual's order, without hints: {"eq", "ftz", "f32"}
  std::vector<bool> is_type;           // which of them are types (their order matters, others' does not)
  std::vector<std::vector<std::string>> hints;  // each group: at most one of these words may also stand there
  std::map<std::string, std::string> bound;  // compile-time parameters: {"rnd": "rn", "ftz": "", "T": "f32"}
  std::vector<Operand> operands;             // in the order written
  Since since;
  Level level = Level::Thread;
  int sync_operand = -1;  // `warp sync m`, `thread until p`
  std::string control;    // Level::Control: branch, branch_indexed, call, return, exit, trap, breakpoint,
                          // sleep, event …
  std::string refused;    // control == "refused": why it is typed but not run
  std::vector<Local> locals;
  std::vector<Matrix> matrices;
  std::vector<Stmt> body;
  Effects effects;
  std::vector<std::string> traits;   // what `trait …;` says of it, see traits.h
  std::vector<std::string> leading;  // those of its words and hints that must stand first, in their order
  std::string note;                  // `note "…"`: e.g. why this executor is slow
  Location at;

  std::string text() const;  // "setp.eq.ftz.f32"
  std::string key()
      const;  // opcode, type words in written order, the other words sorted: how an instruction is looked up
};

struct Example {
  std::string instruction;  // as written: "add.sat.s32 0x7fffffff, 1"
  std::vector<std::string> expected;
  Location at;
};

struct Prove {
  std::string name;
  std::vector<std::pair<std::string, Type>> params;
  ExprPtr claim;  // Pred; Local i is parameter i
  Location at;
};

// One `instruction … { }` of a semantics file with all its legal forms.
struct Family {
  std::string name, manual;              // "setp", "9.7.6.2"
  std::string summary;                   // a sentence: what it does
  std::string chapter;                   // the folder under semantics/
  std::vector<std::string> unspecified;  // when a result is left open, and why
  std::string source;                    // its text as written, for the manual
  std::vector<Form> forms;
  std::vector<Example> examples;
  std::vector<Prove> proofs;
  Location at;
};

struct Table {
  std::string name;
  std::vector<mpz_class> values;
};

// Instructions that a profile names for the emulator, by the text of their forms.
struct List {
  std::string name;
  std::vector<std::string> forms;
};

// The same with columns that have names, row after row.
struct Rows {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Program {
  std::vector<std::string> files;  // paths as given
  std::vector<Family> families;
  std::map<std::string, Table> tables;
  std::vector<List> lists;
  std::vector<Rows> rows;
  std::vector<Source> sources;
  std::vector<Special> specials;
  std::vector<Device> devices;
};

}  // namespace semcc::ir
