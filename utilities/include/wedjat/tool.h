/* clang-format off */
/* Wedjat tools, C ABI. A tool is a shared object that exports one symbol, `wedjat_tool_entry`; it links against nothing of Wedjat.
 *
 * Life of a tool: create; then, in the order of the program, call, module, graph_node, kernel (once per kernel, before its first watched
 * launch: here it subscribes), launch_begin, cta_begin, warp_begin, events, warp_end, cta_end, launch_end; then finish (report here) and
 * destroy. All pointers in what a tool is given are valid
 * during the callback only, except wedjat_kernel and what it points to: those live until destroy.
 *
 * Events are per warp: masks have one bit a lane, rows hold 32 lanes. A launch some tool has handlers in runs its CTAs one at a time, so a
 * handler never runs twice at once and sees the same order on every machine; counters cost no such order, they are added up. Tools with
 * WEDJAT_PARALLEL give up that order: their handlers and callbacks of CTAs and warps run on all host threads at once; those with WEDJAT_APART
 * where CTAs have nothing to do with each other.
 * A kernel nobody subscribed to runs as if no tool were there. Only a tool with WEDJAT_MUTATES may write through an event.
 * C++: <wedjat/tool.hpp> wraps all this. */
#ifndef WEDJAT_TOOL_H
#define WEDJAT_TOOL_H
#include <stddef.h>
#include <stdint.h>

#include "lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when something changes that a compiled tool would notice; new members at the end of a struct that has `size` do not. */
#define WEDJAT_ABI 2

/* --- inspection ------------------------------------------------------------------------------------------------------------------- */

typedef enum wedjat_operand_kind {
  WEDJAT_REGISTER, WEDJAT_PREDICATE, WEDJAT_ADDRESS, WEDJAT_IMMEDIATE, WEDJAT_LABEL, WEDJAT_VECTOR, WEDJAT_FRAGMENT, WEDJAT_FUNCTION,
  WEDJAT_LIST
} wedjat_operand_kind;

typedef enum wedjat_value { WEDJAT_NONE, WEDJAT_BITS, WEDJAT_UNSIGNED, WEDJAT_SIGNED, WEDJAT_FLOAT, WEDJAT_PRED } wedjat_value;

typedef enum wedjat_space {
  WEDJAT_SPACE_NONE, WEDJAT_GENERIC, WEDJAT_GLOBAL, WEDJAT_SHARED, WEDJAT_SHARED_CLUSTER, WEDJAT_LOCAL, WEDJAT_CONST, WEDJAT_PARAM
} wedjat_space;

/* Generic addresses of shared and local memory: these, plus the offset in the space. */
#define WEDJAT_SHARED_WINDOW UINT64_C(0x0000800080000000)
#define WEDJAT_SHARED_WINDOW_BYTES UINT64_C(0x10000000)
/* In the space: CTA after CTA of a cluster by rank, each with so many bytes of the system before its own. */
#define WEDJAT_SHARED_STRIDE UINT64_C(0x01000000)
#define WEDJAT_SHARED_RESERVED UINT64_C(0x400)
#define WEDJAT_LOCAL_WINDOW UINT64_C(0x00008000a0000000)
#define WEDJAT_LOCAL_WINDOW_BYTES UINT64_C(0x10000000)

/* Blocks of malloc() in kernels lie here: memory that changes hands among threads. */
#define WEDJAT_HEAP_WINDOW UINT64_C(0x0000100000000000)
#define WEDJAT_HEAP_WINDOW_BYTES UINT64_C(0x1000000000)

/* One operand as the semantics describe it (PTX ISA 6). */
typedef struct wedjat_operand {
  const char* name;    /* in the semantics: "d", "a" */
  const char* text;    /* as written: "%r5", "[%rd2+8]"; "" if it was left out */
  const char* format;  /* WEDJAT_FLOAT: "f16" "bf16" "f32" "f64" … */
  uint8_t kind, value; /* wedjat_operand_kind, wedjat_value */
  uint8_t space;       /* WEDJAT_ADDRESS: wedjat_space */
  uint8_t in, out;     /* read, written */
  uint8_t bits;        /* of one element, all its parts; predicates 1 */
  uint16_t count;      /* elements */
  uint16_t first;      /* of its rows in wedjat_event.rows */
  uint8_t parts;       /* numbers packed in one element: f16x2 has two */
  const uint32_t* registers; /* by element: index in wedjat_kernel.registers (of an address: its base), or WEDJAT_NO_REGISTER */
} wedjat_operand;

#define WEDJAT_NO_REGISTER UINT32_C(0xffffffff) /* a literal, a special register, a symbol, nothing */

typedef struct wedjat_register { /* one element of a register that a function declares */
  const char* name;              /* "%r5", "%v1.x"; inner scopes may declare a name again */
  uint32_t function;             /* index in wedjat_kernel.functions */
  uint8_t bits;                  /* 1: a predicate */
} wedjat_register;

/* What an instruction does to memory through one address operand. */
typedef struct wedjat_access {
  uint32_t operand;               /* index of the address */
  uint32_t bytes;                 /* that each lane accesses from its address on; 0: operand `size` says it, a row of 32 bits */
  uint32_t size;                  /* an operand, if bytes is 0 */
  uint32_t lanes;                 /* mask: those that access, of the executed ones; ldmatrix .x1: the first eight */
  uint8_t space;                  /* wedjat_space */
  uint8_t reads, writes, atomic;  /* an update has all three */
  uint8_t strong;                 /* volatile, relaxed, acquire, release … */
  uint8_t scope;                  /* of a strong access: 0 none, 1 cta, 2 cluster, 3 gpu, 4 sys */
  uint8_t acquires, releases;
} wedjat_access;

/* What an instruction computes with floats: sums, differences, products, quotients and roots, a fused multiply-add as two. What comes from a
 * table (ex2.approx) and what only rounds (cvt) is none. */
typedef struct wedjat_work {
  const char* format;  /* of the results, of matrices of the factors: "f32"; "integer": matrices of integers */
  uint32_t operations; /* of one lane, or of one warp */
  uint8_t of_warp;
} wedjat_work;

enum { /* wedjat_instruction.what */
  WEDJAT_LOAD = 1, WEDJAT_STORE = 2, WEDJAT_ATOMIC = 4, WEDJAT_BARRIER = 8, WEDJAT_FENCE = 16, WEDJAT_WARP_SYNC = 32,
  WEDJAT_BRANCH = 64, WEDJAT_CALL = 128, WEDJAT_RETURN = 256, WEDJAT_EXIT = 512, WEDJAT_TRAP = 1024,
  WEDJAT_HAS_ROWS = 2048, /* its operand rows can be seen; branches have none, and lowering folds some moves and parameter loads away */
  WEDJAT_GLOBAL_PIECES = 4096, /* it accesses memory at addresses that no operand holds (wedjat_piece): global memory */
  WEDJAT_SHARED_PIECES = 8192, /* or shared memory; both: it is a generic address, or it copies */
  WEDJAT_SAME_OBJECT = 16384,  /* its result points into what its first input points into: cvta, mapa */
  WEDJAT_TEXELS = 32768,       /* it works on texels of a texture or surface */
  WEDJAT_OTHER_LANES = 65536,  /* its result depends on what other lanes of the warp hold */
  WEDJAT_ARRIVES = 131072,     /* at a barrier or an mbarrier */
  WEDJAT_WAITS = 262144,       /* at a barrier, for a phase of an mbarrier, or for groups (wedjat_group) */
  WEDJAT_RELAXED = 524288,     /* arrives or waits without releasing or acquiring */
  WEDJAT_CLUSTER = 1048576,    /* the barrier is that of the cluster */
  WEDJAT_MBARRIER = 2097152,   /* it counts in the phase of an mbarrier, which is its first access */
  WEDJAT_ASYNCHRONOUS = 4194304, /* what it does to memory may happen later: until its group, or its mbarrier, is waited for */
  WEDJAT_COMMITS = 8388608,      /* closes a group */
  WEDJAT_GROUP_FENCE = 16777216, /* what stands before it is done when those of its group begin that stand behind it: wgmma.fence */
  WEDJAT_PROXY_FENCE = 33554432, /* orders what threads and asynchronous instructions do to memory: fence.proxy.async */
  WEDJAT_READ_ONLY = 67108864,   /* what it reads nobody writes while the kernel runs: ld.global.nc */
  WEDJAT_APPROXIMATE = 134217728, /* its result is near the exact one, how near the target says: rcp.approx, div.full */
  WEDJAT_CONTRACTED = 268435456,  /* an unmarked product, sum or difference: the tool chain may fuse it with another */
  WEDJAT_UNROLLED = 536870912     /* it stands in a loop of one block of which ptxas makes several iterations one: four, or all if it knows how
                                     many */
};
#define WEDJAT_HAS_PIECES (WEDJAT_GLOBAL_PIECES | WEDJAT_SHARED_PIECES)

/* What its first result is of its inputs a, b, c in their order, each packed part or element by itself, NaNs, flushing and wrapping aside. What
 * the semantics do not show plainly is WEDJAT_OTHER. */
typedef enum wedjat_operation {
  WEDJAT_OTHER, WEDJAT_COPY, WEDJAT_PACKING /* the inputs side by side, or the input in pieces */, WEDJAT_CONVERSION /* of an integer to another
  type */, WEDJAT_LOADED, WEDJAT_STORED, WEDJAT_SUM, WEDJAT_DIFFERENCE, WEDJAT_PRODUCT /* of integers its low half, or all */, WEDJAT_PRODUCT_SUM,
  WEDJAT_NEGATION, WEDJAT_MAGNITUDE, WEDJAT_MINIMUM, WEDJAT_MAXIMUM, WEDJAT_COMPARISON, WEDJAT_SELECTION /* c ? a : b */,
  WEDJAT_CONJUNCTION /* a and b; a may be a comparison */, WEDJAT_DISJUNCTION, WEDJAT_PARITY,
  WEDJAT_EXCHANGE /* the first input of the lane that the others name: wedjat_host.lanes_read */,
  WEDJAT_LEFT_SHIFT, /* a * 2^b, its low half */
  WEDJAT_RIGHT_SHIFT /* a / 2^b, rounded down */
} wedjat_operation;

/* Asynchronous instructions that are waited for group by group. */
typedef enum wedjat_group {
  WEDJAT_NO_GROUP, WEDJAT_COPIES /* cp.async */, WEDJAT_BULK_COPIES /* cp.async.bulk */, WEDJAT_PRODUCTS /* wgmma */
} wedjat_group;

typedef struct wedjat_instruction {
  uint32_t id;          /* index in wedjat_kernel.instructions */
  uint32_t function;    /* index in wedjat_kernel.functions; 0: the entry */
  uint32_t block;       /* index in wedjat_kernel.blocks */
  uint32_t what;        /* WEDJAT_LOAD | … */
  const char* opcode;   /* "setp" */
  const char* form;     /* "setp.lt.f32" */
  const char* text;     /* as written, with guard */
  const char* guard;    /* "%p1"; null: none */
  uint32_t guard_register; /* index in wedjat_kernel.registers, or WEDJAT_NO_REGISTER */
  uint8_t guard_negated;
  uint8_t operation;    /* wedjat_operation */
  uint8_t update;       /* wedjat_operation: what an atomic stores, of what lay there and its operand */
  uint8_t group;        /* wedjat_group: of which it is one, which it closes or waits for */
  const wedjat_operand* operands;
  uint32_t operand_count;
  const wedjat_access* accesses;
  uint32_t access_count;
  uint32_t ptx_line;
  const char* source_file; /* "" without .loc */
  uint32_t source_line;    /* 0 without .loc */
  const wedjat_work* work; /* by format; most have none */
  uint32_t work_count;
} wedjat_instruction;

typedef struct wedjat_block { /* a basic block: instructions [first, first + count) */
  uint32_t function, first, count;
  const uint32_t* successors; /* blocks of the same function */
  uint32_t successor_count;
  int32_t callee;             /* function it ends by calling; -1: none; -2: through a pointer */
} wedjat_block;

typedef struct wedjat_variable { /* that the kernel, a function it calls, or its program declares */
  const char* name;
  uint8_t space;     /* WEDJAT_GLOBAL, _CONST, _SHARED, _LOCAL or _PARAM (results and parameters; some are registers, too) */
  uint32_t function; /* WEDJAT_LOCAL: the function whose frame it lies in; WEDJAT_PARAM: whose it is */
  uint64_t address;  /* shared memory: bytes from the start of its CTA's own; local: of the function's frame (the entry's begins at 0);
                        parameters: of the parameter buffer; of other functions: which it is, results first */
  uint64_t bytes;    /* 0: all that follows (dynamic shared memory) */
} wedjat_variable;

/* Only what can run is here, in the order it is written: no instruction that no path from the entry reaches, none of a function that only such
 * code calls (its name stays in `functions`). So there may be no instruction and no block with one. */
typedef struct wedjat_kernel {
  size_t size;
  uint32_t id; /* 0, 1, … in the order kernels are first launched */
  const char* name;
  const char* ptx_file;
  const wedjat_instruction* instructions;
  uint32_t instruction_count;
  const wedjat_block* blocks;
  uint32_t block_count;
  const char* const* functions;
  uint32_t function_count;
  const wedjat_register* registers;
  uint32_t register_count;
  uint32_t parameter_bytes, static_shared_bytes;
  const wedjat_variable* variables;
  uint32_t variable_count;
} wedjat_kernel;

/* --- callbacks -------------------------------------------------------------------------------------------------------------------- */

typedef struct wedjat_argument {
  const char* name; /* "bytesize" */
  const char* text; /* "4096" */
  uint64_t number;  /* of handles, addresses and integers; of several the first; else 0 */
} wedjat_argument;

typedef struct wedjat_call { /* a driver call of the recorded program; `wedjat run` has none */
  size_t size;
  const char* name;      /* "cuMemAlloc_v2" */
  const char* arguments; /* all in one: "bytesize=4096 dptr=0x7f…" */
  uint64_t sequence;     /* in the trace */
  int32_t status;        /* CUresult on the recording machine */
  uint8_t is_exit;       /* 0: before it is carried out, 1: after; then the arguments are what it gave back */
  const wedjat_argument* list;
  uint32_t argument_count;
} wedjat_call;

typedef struct wedjat_module { /* after it was loaded */
  size_t size;
  const char* name;  /* of its PTX texts: "a.ptx b.ptx" */
  const char* const* kernels;
  uint32_t kernel_count;
} wedjat_module;

/* A node of a graph that a cuGraphLaunch carries out, before it is: launches and memory up to the next node, or the exit of the call, are
 * its. */
typedef struct wedjat_graph_node {
  size_t size;
  uint64_t sequence; /* of the cuGraphLaunch */
  uint32_t index;    /* in the order of execution, from 0 */
  const char* call;  /* that made the node or was captured: "cuGraphAddKernelNode_v2", "cuLaunchKernel" */
} wedjat_graph_node;

enum {
  WEDJAT_ALLOCATED, WEDJAT_FREED, WEDJAT_HOST_WROTE, WEDJAT_HOST_READS,
  WEDJAT_HEAP_ALLOCATED, WEDJAT_HEAP_FREED /* malloc() and free() in a watched launch */
};

typedef struct wedjat_memory { /* what the host does to device memory; copies and fills on the device read and write too */
  size_t size;
  uint32_t what; /* WEDJAT_ALLOCATED … */
  uint64_t address, bytes;
  const char* label; /* of what is allocated: what reports call it */
} wedjat_memory;

typedef struct wedjat_launch {
  size_t size;
  uint64_t index; /* from 0 */
  const wedjat_kernel* kernel;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t shared_bytes; /* static and dynamic */
  const void* parameters;
  uint64_t warp_instructions, thread_instructions; /* launch_end */
  const char* failure;                             /* launch_end: null, or why the kernel failed */
  const wedjat_instruction* failed;                /* the instruction that did; null: unknown, as for a deadlock */
  uint64_t failed_cta;
  uint32_t failed_thread;                          /* of the CTA */
  uint32_t threads;                                /* of the host that run its CTAs, at most */
  uint32_t recorded_registers;                     /* of a thread on the hardware; 0: not recorded */
  uint64_t recorded_nanoseconds;                   /* that it took there; 0: not recorded */
  uint64_t left_out;                               /* launch_end: as wedjat_event.left_out */
} wedjat_launch;

typedef struct wedjat_context wedjat_context; /* the running warp */

/* A piece of memory that an instruction accesses at an address that no operand holds: a row of the box of a tensor map, a run of bytes of a
 * tile of wmma or of a matrix descriptor, a texel of a texture or surface (in an order of rows of ours). Known when the instruction ran. */
typedef struct wedjat_piece {
  uint64_t address;              /* as in rows of addresses */
  uint32_t bytes;
  uint32_t part;                 /* copies: the bytes written in a part are those read in it, in their order; what is filled in, nothing is read for */
  uint8_t lane;                  /* that accesses it; 0: the warp does so together */
  uint8_t space;                 /* wedjat_space */
  uint8_t reads, writes, atomic; /* an update has all three */
} wedjat_piece;

typedef struct wedjat_event {
  size_t size;
  const wedjat_instruction* instruction; /* of an edge: the last of the block it leaves, null if there is none */
  const wedjat_launch* launch;
  uint64_t cta;              /* x + y * grid.x + z * grid.x * grid.y */
  uint32_t cta_xyz[3];
  uint32_t warp;             /* of the CTA: lane l is thread 32 * warp + l, x first */
  uint32_t active;           /* lanes that are here */
  uint32_t executed;         /* those whose guard holds; of a branch or edge: those that take it */
  uint32_t paths;            /* groups the warp's lanes are split in: depth of divergence */
  uint32_t row_count;        /* 0 unless WEDJAT_HAS_ROWS */
  void* const* rows;         /* by element of the operands in order: 32 values; a predicate: one uint32_t mask; null: left out.
                                An address: uint64_t of 32 lanes, offset added; shared and local: offsets in their space */
  const uint64_t* const* addresses; /* by access: rows of its address; null without rows */
  const void* old;           /* WEDJAT_OLD: memory before a write or update: lane l's access 0 at old + l * accesses[0].bytes */
  void* user;                /* of the subscription */
  wedjat_context* context;
  const wedjat_piece* pieces; /* WEDJAT_PIECES: in the order of its lanes */
  uint64_t piece_count;
  uint32_t thread;            /* of the host, below launch->threads: this one handles no other event meanwhile */
  uint64_t left_out;          /* WEDJAT_UNLESS_EXPECTED: so many events of the tool since the one before, or since the launch began */
} wedjat_event;

typedef void (*wedjat_handler)(void* tool, const wedjat_event* event);

/* --- instrumentation: only inside wedjat_tool.kernel ------------------------------------------------------------------------------ */

enum { WEDJAT_BEFORE = 0, WEDJAT_AFTER = 1 };

enum {                 /* needs; what shows rows is refused (-1) of an instruction without WEDJAT_HAS_ROWS */
  WEDJAT_MASKS = 0,    /* nothing but masks */
  WEDJAT_ROWS = 1,     /* operand values; AFTER: results */
  WEDJAT_ADDRESSES = 2, /* and the sizes that registers say: rows of wedjat_access.size */
  WEDJAT_INPUTS = 4,   /* AFTER: rows of operands that are only read hold what the instruction read, even if it overwrote them */
  WEDJAT_OLD = 8,      /* memory before the write */
  WEDJAT_EMPTY = 16,   /* deliver events whose `executed` is 0 too */
  WEDJAT_REGISTERS = 32, /* wedjat_host.register_row: every register of the kernel gets a row of its own */
  WEDJAT_PIECES = 64,   /* AFTER, of an instruction with WEDJAT_HAS_PIECES: what it accessed */
  WEDJAT_UNLESS_ASLEEP = 128, /* events of a warp that sleeps (wedjat_host.sleep) may be left out: most cost next to nothing then */
  WEDJAT_UNLESS_WITHIN = 256, /* BEFORE, of an access 0 whose size is known: those of a warp that sleeps may be left out where all it accesses lies in
                                what the tool named for the instruction (wedjat_host.within) */
  WEDJAT_UNLESS_EXPECTED = 512 /* BEFORE, always: those of an instruction with one access, of all lanes and a size that is known, may be left out where
                                 they go on as those before (expected.hpp, whose rule says what they were): wedjat_event.left_out. Not of tools that
                                 are WEDJAT_PARALLEL, nor in the isolated tier: there they come */
};

typedef enum wedjat_test { /* what is tested before a handler is called; without rows only the first two hold */
  WEDJAT_IF_ANY,      /* always */
  WEDJAT_IF_PARTIAL,  /* the guard holds in some of the lanes only */
  WEDJAT_IF_ADDRESS,  /* an access of any executed lane, or a piece of what it accessed, touches [low, high] */
  WEDJAT_IF_VALUE     /* rows[row] of any executed lane, as an unsigned number, lies in [low, high] */
} wedjat_test;

typedef struct wedjat_condition { uint32_t test, row; uint64_t low, high; } wedjat_condition;

typedef struct wedjat_probe {
  size_t size;
  uint32_t instruction, when, needs;
  wedjat_handler handler;
  void* user;
  wedjat_condition condition;
  uint32_t every; /* of the events that meet the condition: the first, and each N-th after it; 0 is 1 */
} wedjat_probe;

typedef struct wedjat_edge { /* an event when lanes leave a block for another; masks only */
  size_t size;
  uint32_t block, successor; /* index in wedjat_kernel.blocks, and in its successors */
  wedjat_handler handler;
  void* user;
} wedjat_edge;

typedef struct wedjat_definition { /* an instruction that PTX does not have */
  size_t size;
  const char* form;     /* opcode and modifiers: "wfft32.f32" */
  const char* operands; /* "d:f32:out a:f32 b:u32", in the order they are written; types as in PTX, or pred */
  wedjat_handler handler;
  void* user;
} wedjat_definition;

typedef enum wedjat_source { /* what an inline counter adds for one warp instruction */
  WEDJAT_WARPS,    /* 1, whatever the guard */
  WEDJAT_THREADS,  /* lanes that are here */
  WEDJAT_EXECUTED, /* lanes whose guard holds */
  WEDJAT_ISSUED,   /* 1 if the guard holds in any lane */
  WEDJAT_BYTES,    /* of memory that the lanes access; this and the next four: through one of its accesses */
  WEDJAT_LINES,    /* distinct 128-byte lines; generic addresses of shared and local memory touch none, nor sectors */
  WEDJAT_SECTORS,  /* distinct 32-byte sectors */
  WEDJAT_BANK_WAYS, /* shared memory: passes the access takes (see utilities/bank_conflicts); not where a register says the size */
  WEDJAT_BANK_IDEAL, /* passes it would take without conflicts */
  WEDJAT_DIVERGED  /* 1 if the guard holds in some lanes only: a branch at which its lanes diverge */
} wedjat_source;

typedef struct wedjat_count {
  size_t size;
  uint32_t instruction, source, counter;
  uint32_t buckets; /* 0: counters[counter] += value; else counters[counter + min(value, buckets - 1)] += 1 */
  uint32_t access;  /* index in wedjat_instruction.accesses */
} wedjat_count;

/* --- what a tool may ask of its host ---------------------------------------------------------------------------------------------- */

typedef struct wedjat_session wedjat_session;
typedef struct wedjat_table wedjat_table;

typedef enum wedjat_severity { WEDJAT_INFO, WEDJAT_WARNING, WEDJAT_ERROR } wedjat_severity;

typedef struct wedjat_finding { /* of a checker */
  size_t size;
  uint32_t severity;
  const char* kind;      /* short and fixed, for suppressions: "shared-race" */
  const char* message;
  const wedjat_launch* launch;           /* or null */
  const wedjat_instruction* instruction; /* or null */
  uint64_t cta;
  uint32_t thread;                       /* of the CTA */
} wedjat_finding;

typedef struct wedjat_allocation { uint64_t address, bytes; const char* label; } wedjat_allocation;

/* Functions return 0, or -1 when asked at the wrong time, for what does not exist, or for what the tier does not offer. */
typedef struct wedjat_host {
  size_t size;
  /* Options of the command line: null if not given. */
  const char* (*option)(wedjat_session*, const char* key);
  /* `count` new counters that start at 0; the index of the first. */
  uint32_t (*counters)(wedjat_session*, uint32_t count);
  uint64_t (*value)(wedjat_session*, uint32_t counter);
  int (*set)(wedjat_session*, uint32_t counter, uint64_t value); /* between launches */
  int (*probe)(wedjat_session*, const wedjat_probe*);
  int (*count)(wedjat_session*, const wedjat_count*);
  int (*edge)(wedjat_session*, const wedjat_edge*);
  /* The handler runs instead of the instruction, for the lanes in `executed`; null: nothing does. It gets rows; `needs`: WEDJAT_REGISTERS or
   * 0. WEDJAT_MUTATES; not for control flow. */
  int (*replace)(wedjat_session*, uint32_t instruction, uint32_t needs, wedjat_handler, void* user);
  /* Inside a replacement: what the instruction would have done. */
  int (*original)(wedjat_context*);
  /* Memory as lane `lane` sees it; `write` needs WEDJAT_MUTATES. Not in the isolated tier. */
  int (*read)(wedjat_context*, uint32_t lane, wedjat_space, uint64_t address, void* to, size_t bytes);
  int (*write)(wedjat_context*, uint32_t lane, wedjat_space, uint64_t address, const void* from, size_t bytes);
  /* Any register of the running function, where the subscription needs WEDJAT_REGISTERS: 32 values, of a predicate one uint32_t mask; null:
   * it is another function's, or the kernel never computes it. Up to its first write it holds anything. Not in the isolated tier. */
  const void* (*register_row)(wedjat_context*, uint32_t index);
  /* One lane of it, from as many bytes as it has (a predicate: one, 0 or 1). WEDJAT_MUTATES. -1 also for a register that stands for a
   * literal, a parameter or a special register: its one write was folded away. */
  int (*write_register)(wedjat_context*, uint32_t index, uint32_t lane, const void* from);
  /* The live allocation number `index` by address; -1 after the last. Not in the isolated tier. */
  int (*allocation)(wedjat_session*, size_t index, wedjat_allocation* to);
  /* Report: tables of rows, cell after cell; `columns` is "name name …". */
  wedjat_table* (*table)(wedjat_session*, const char* title, const char* columns);
  void (*cell_integer)(wedjat_table*, uint64_t);
  void (*cell_real)(wedjat_table*, double);
  void (*cell_text)(wedjat_table*, const char*);
  void (*finding)(wedjat_session*, const wedjat_finding*);
  /* Ends the run with this message: an option that makes no sense, a file that cannot be written. */
  void (*refuse)(wedjat_session*, const char* message);
  /* Forgets what the tool subscribed to in a kernel: wedjat_tool.kernel is called again before its next watched launch. Between launches. */
  int (*reset)(wedjat_session*, uint32_t kernel);
  /* Only in create: PTX that is loaded later may use this instruction. WEDJAT_MUTATES. */
  int (*define)(wedjat_session*, const wedjat_definition*);
  /* For this tool the warp of the event sleeps from now on (1), or is awake (0), as it is when it begins. Not in the isolated tier. */
  int (*sleep)(wedjat_context*, int asleep);
  /* wedjat_event.thread, where there is no event: in cta_begin … warp_end. */
  uint32_t (*thread)(wedjat_session*);
  /* Of an event of a WEDJAT_EXCHANGE with rows: the lane that each lane reads. Not in the isolated tier. */
  int (*lanes_read)(const wedjat_event*, uint32_t lanes[32]);
  /* In launch_begin: this launch runs one CTA at a time, although the tool is WEDJAT_PARALLEL. */
  void (*one_at_a_time)(wedjat_session*);
  /* Not in the isolated tier. */
  int (*inlined)(wedjat_session*, const wedjat_inlined*);
  /* Of the instruction of the event, as far as it runs in the CTA of the event: accesses from `low` on, `bytes` together, need not be told
   * (WEDJAT_UNLESS_WITHIN). 0 bytes: all have to be told again, of all instructions. Not in the isolated tier. */
  int (*within)(wedjat_context*, uint64_t low, uint64_t bytes);
} wedjat_host;

enum { /* wedjat_tool.capabilities */
  WEDJAT_MUTATES = 1, /* it changes what it watches */
  WEDJAT_CHECKS = 2,  /* its findings say whether a program is right: --check runs it */
  /* Handlers, and cta_begin … warp_end, may run on several host threads at once, for different CTAs. What they keep is by thread or guarded,
   * and what the tool makes of it in launch_end does not depend on which CTA ran where. Findings are sorted by CTA at the end of a launch. */
  WEDJAT_PARALLEL = 4,
  /* WEDJAT_PARALLEL, but only in launches whose CTAs have nothing to do with each other: none changes a word of 4 bytes of device memory that
   * another one touches, none waits for another one (atomics whose results are used, printf, malloc), none fails, and there are no textures or
   * surfaces. Of a cluster that holds for all of it. All that a CTA does comes from one host thread. Other launches run one CTA at a time. */
  WEDJAT_APART = 4 | 8
};

typedef struct wedjat_tool {
  size_t size;
  uint32_t abi; /* WEDJAT_ABI */
  uint32_t capabilities;
  const char* name;
  const char* summary; /* one line, for `wedjat tools` */
  const char* options; /* "key=what it means; …" or "": an option not listed here is refused */
  void* (*create)(const wedjat_host*, wedjat_session*);
  void (*destroy)(void* tool);
  /* Any of these may be null. */
  void (*kernel)(void* tool, const wedjat_kernel*);
  int (*launch_begin)(void* tool, const wedjat_launch*); /* 0: do not watch this launch */
  void (*launch_end)(void* tool, const wedjat_launch*);  /* also of launches it chose not to watch */
  /* CTAs and warps of watched launches; `lanes`: threads it has. 0: do not watch this one. */
  int (*cta_begin)(void* tool, const wedjat_launch*, uint64_t cta);
  void (*cta_end)(void* tool, const wedjat_launch*, uint64_t cta);
  int (*warp_begin)(void* tool, const wedjat_launch*, uint64_t cta, uint32_t warp, uint32_t lanes);
  void (*warp_end)(void* tool, const wedjat_launch*, uint64_t cta, uint32_t warp);
  void (*call)(void* tool, const wedjat_call*);
  void (*module)(void* tool, const wedjat_module*);
  void (*graph_node)(void* tool, const wedjat_graph_node*);
  void (*memory)(void* tool, const wedjat_memory*);
  void (*finish)(void* tool);
} wedjat_tool;

/* The one symbol a tool exports. */
__attribute__((visibility("default"))) const wedjat_tool* wedjat_tool_entry(void);

#ifdef __cplusplus
}
#endif
#endif
