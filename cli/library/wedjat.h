/* libwedjat: PTX on the CPU, with the bits of the hardware. No GPU, no driver and no toolkit are needed.
 *
 *   WedjatDevice* device;
 *   wedjat_device_create(NULL, &device);
 *   WedjatSource source = {"saxpy.ptx", text, 0};
 *   WedjatModule* module;
 *   if (wedjat_module_load(device, &source, 1, &module) != WEDJAT_OK) puts(wedjat_last_error()->message);
 *
 * Errors: nearly every function returns WEDJAT_OK or says by its status what went wrong; wedjat_last_error()
 * then tells the calling thread more: the message, file and line. What a call that failed was to give out is
 * left as it was. No input ends the process: not NULL, not a handle that is wrong or gone, not broken PTX,
 * not a kernel that fails. (A tool that is not `isolated` runs in this process; what it does there is its own
 * business, as it is of your callbacks.)
 *
 * Handles: WedjatDevice*, WedjatModule*, WedjatKernel* and WedjatArray* are names of objects, no addresses:
 * they cannot be followed, and none is given out twice in a process. Whoever makes a device frees it;
 * modules, kernels, arrays and memory of a device go with it at the latest.
 *
 * Text: `const char*` that the library gives out belongs to it and lives as long as the object it tells of;
 * `char*` is yours, for wedjat_text_free(). Text that you give is copied where it is kept; NULL means none
 * where that is said.
 *
 * Structs that begin with `size` may grow at their end: set it to sizeof the struct and everything that you
 * do not use to 0, as {sizeof options} does. 0 always means the default.
 *
 * Units: sizes and offsets are bytes, addresses are of the device, extents are elements (threads, CTAs,
 * texels), times are seconds.
 *
 * Threads: any thread may call. Calls for one device happen one after the other, calls for several devices at
 * the same time. A callback must not call for the device, or the replay, that calls it back.
 */
#ifndef WEDJAT_H
#define WEDJAT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. The library's soname has it too: it changes when a program has to be built anew. */
#define WEDJAT_LIBRARY_ABI 1

/* --- errors --- */

typedef enum WedjatStatus { /* as far as they go, the exit codes of the command `wedjat` */
                            WEDJAT_OK = 0,
                            WEDJAT_WRONG_ARGUMENT = 2, /* NULL, a wrong handle, name, number or size of
                                                          arguments, tool or option */
                            WEDJAT_BROKEN_INPUT = 3,   /* text that is no PTX, a broken trace, a file that
                                                          cannot be read or written */
                            WEDJAT_REFUSED =
                                4, /* an instruction, launch or amount of memory that cannot be carried out */
                            WEDJAT_KERNEL_FAILED = 5,  /* out of bounds, misaligned, deadlock, assert, trap;
                                                          the device is broken then */
                            WEDJAT_NO_MEMORY = 9,      /* this machine has not enough */
                            WEDJAT_INTERRUPTED = 10,   /* wedjat_interrupt(), or `progress` of a replay; the
                                                          device is broken then */
                            WEDJAT_INTERNAL_ERROR = 11 /* a bug in Wedjat */
} WedjatStatus;

typedef struct WedjatError {
  WedjatStatus status;
  const char* call;    /* the function: "wedjat_kernel_launch" */
  const char* message; /* all of it, several lines perhaps */
  /* Where in the PTX (as its source is called) or which trace; "" and 0 if there is no such place. Lines and
   * columns count from 1, 0 means unknown. */
  const char* file;
  uint32_t line, column;
  /* If a kernel failed: its name, what it did ("access out of bounds"), and the first thread that did: its
   * CTA in the grid and its number in the CTA, both from 0, x runs fastest. "" and 0 else. */
  const char* kernel;
  const char* fault;
  uint64_t cta;
  uint32_t thread;
} WedjatError;

/* Of the last call of this thread that failed; status WEDJAT_OK if none did. Valid until another one fails.
 */
const WedjatError* wedjat_last_error(void);
const char* wedjat_status_name(WedjatStatus status); /* "kernel failed" */
/* For programs that have nothing better to do: unless the status is WEDJAT_OK, standard error gets the call and
 * the message of the last error, and the program ends with the status as its exit code. */
void wedjat_check(WedjatStatus status);

const char* wedjat_version(void);  /* "0.1.0" */
uint32_t wedjat_library_abi(void); /* WEDJAT_LIBRARY_ABI of the library that runs */
void wedjat_text_free(char* text); /* NULL is well */

/* --- devices: of compute capability 9.0, with memory, modules and tools of their own --- */

typedef struct WedjatDevice WedjatDevice;
typedef struct WedjatModule WedjatModule;
typedef struct WedjatKernel WedjatKernel;
typedef struct WedjatArray WedjatArray;

/* What kernels printf, in order, with line feeds where they print them; not ended by a 0. */
typedef void (*WedjatPrint)(void* user, const char* text, size_t bytes);

/* Native code of kernels. Results never depend on it. Where Wedjat was built without LLVM 19, kernels
 * are interpreted. */
enum {
  WEDJAT_JIT_AUTO = 0 /* of what runs often */,
  WEDJAT_JIT_OFF = 1,
  WEDJAT_JIT_ALL = 2 /* before it runs */
};
/* Unmarked mul and add: fused where ptxas fuses them, as on hardware, or never. */
enum { WEDJAT_CONTRACT_PTXAS = 0, WEDJAT_CONTRACT_NONE = 1 };

typedef struct WedjatRunOptions { /* of launches and replays alike */
  size_t size;
  uint32_t threads; /* of the host; 0: all cores. Results never depend on it */
  uint32_t jit, contract;
  uint64_t step_limit;        /* warp instructions of one CTA before a kernel fails; 0: any number */
  uint64_t launch_step_limit; /* of all its CTAs */
  uint64_t stack_limit; /* bytes of local memory of a thread that recurses; 0: as much as a device has */
  /* Tools: "NAME[,option=value...][,isolated]", as `wedjat replay --tool` takes them; wedjat_tools() names
   * them. A tool watches from the beginning to wedjat_device_report(). */
  const char* const* tools;
  size_t tool_count;
  uint32_t check;           /* not 0: every checker too */
  uint32_t fidelity;        /* not 0: say which executed instructions were not exact */
  const char* suppressions; /* file of findings not to report; NULL: none */
  const char*
      jit_features;  /* of the processor, that native code does without: "-avx512f,-avx2"; NULL: none */
  WedjatPrint print; /* NULL: dropped */
  void* print_user;
  WedjatPrint warn; /* what native code could not be made of, and why; NULL: dropped */
  void* warn_user;
  WedjatPrint tool_print; /* what `isolated` tools write; NULL: standard output and standard error */
  void* tool_print_user;
  /* Folder that keeps native code for the next time; "off": none does; NULL or empty: $WEDJAT_JIT_CACHE,
   * which is one of both, else wedjat/code in $XDG_CACHE_HOME or ~/.cache. Results never depend on it. */
  const char* jit_cache;
} WedjatRunOptions;

/* `options` may be NULL. */
WedjatStatus wedjat_device_create(const WedjatRunOptions* options, WedjatDevice** device);
WedjatStatus wedjat_device_free(WedjatDevice* device);

/* Running launches and replays of all devices end as soon as they can, with WEDJAT_INTERRUPTED; without one
 * it does nothing. A signal handler may call it. */
void wedjat_interrupt(void);

/* --- memory: cuMemAlloc, cuMemFree, cuMemcpy. Every byte of an access has to lie in one allocation. --- */

/* Zeros, though checkers know that nobody wrote them; aligned to 512. Addresses of freed memory come again as
 * late as can be. `label` names it in messages; NULL: "memory". */
WedjatStatus wedjat_memory_allocate(WedjatDevice* device, uint64_t bytes, const char* label,
                                    uint64_t* address);
/* Memory of yours that kernels shall reach, without copies: yours again after wedjat_memory_free(). */
WedjatStatus wedjat_memory_adopt(WedjatDevice* device, void* host, uint64_t bytes, const char* label,
                                 uint64_t* address);
/* New memory with the bytes that lie at `from`. */
WedjatStatus wedjat_memory_with(WedjatDevice* device, const void* from, uint64_t bytes, const char* label,
                                uint64_t* address);
WedjatStatus wedjat_memory_free(WedjatDevice* device, uint64_t address); /* as it was given out */
WedjatStatus wedjat_memory_write(WedjatDevice* device, uint64_t to, const void* from, uint64_t bytes);
WedjatStatus wedjat_memory_read(WedjatDevice* device, uint64_t from, void* to, uint64_t bytes);
/* The ranges may overlap. */
WedjatStatus wedjat_memory_copy(WedjatDevice* device, uint64_t to, uint64_t from, uint64_t bytes);
/* `count` times the 1 to 16 bytes of `pattern`. */
WedjatStatus wedjat_memory_fill(WedjatDevice* device, uint64_t to, const void* pattern,
                                uint32_t pattern_bytes, uint64_t count);

/* --- modules and kernels: cuModuleLoadData, cuModuleGetFunction --- */

typedef struct WedjatSource {
  const char* name; /* what errors call it; NULL: "ptx" */
  const char* text;
  size_t bytes; /* of the text; 0: up to its 0 */
} WedjatSource;

/* Several sources are linked together. What only shows in the body of a kernel (a typing error, an
 * instruction that is not run) shows when that kernel is looked into or launched. */
WedjatStatus wedjat_module_load(WedjatDevice* device, const WedjatSource* sources, size_t count,
                                WedjatModule** module);
/* One source: the text of that file, which errors call by its path. */
WedjatStatus wedjat_module_load_file(WedjatDevice* device, const char* path, WedjatModule** module);
WedjatStatus wedjat_module_free(WedjatModule* module);

typedef struct WedjatVariable { /* .global or .const; its text lives as long as the module */
  size_t size;
  const char* name;
  const char* type; /* of an element: "u32", "b8", "texref" */
  uint64_t address, bytes;
} WedjatVariable;

WedjatStatus wedjat_module_variable_count(WedjatModule* module, size_t* count);
WedjatStatus wedjat_module_variable_at(WedjatModule* module, size_t index, WedjatVariable* variable);
WedjatStatus wedjat_module_variable(WedjatModule* module, const char* name, WedjatVariable* variable);

WedjatStatus wedjat_module_kernel_count(WedjatModule* module, size_t* count);
WedjatStatus wedjat_module_kernel_at(WedjatModule* module, size_t index,
                                     WedjatKernel** kernel); /* by position */
WedjatStatus wedjat_module_kernel(WedjatModule* module, const char* name, WedjatKernel** kernel);

typedef struct WedjatKernelInfo { /* its text lives as long as the module */
  size_t size;
  const char* name;
  const char* file; /* of its source */
  uint32_t line;    /* of its definition there */
  uint32_t parameter_count;
  uint64_t parameter_bytes;
  uint32_t required_block[3]; /* .reqntid; 0: any */
} WedjatKernelInfo;

typedef struct WedjatKernelNeeds { /* cuFuncGetAttribute */
  size_t size;
  uint32_t static_shared_bytes, constant_bytes;
  uint64_t local_bytes;         /* of a thread; UINT64_MAX: known only when it runs */
  uint32_t most_threads;        /* of a CTA */
  uint32_t ptx_version;         /* 78: .version 7.8 */
  uint32_t required_cluster[3]; /* .reqnctapercluster; 0: any */
} WedjatKernelNeeds;

typedef struct WedjatParameter { /* its text lives as long as the module */
  size_t size;
  const char* name;
  const char* type;    /* of an element, as PTX calls it: "u64", "f32", "b8" */
  uint64_t elements;   /* 1, or of an array: `.param .b8 s[24]`, as a struct by value is */
  uint64_t offset;     /* in the kernel's parameters */
  uint64_t bytes;      /* that an argument has */
  uint32_t alignment;  /* bytes */
  uint32_t is_array;   /* declared with [] */
  uint32_t is_pointer; /* .ptr says so; without it a pointer is a plain "u64" or "b64" */
} WedjatParameter;

WedjatStatus wedjat_kernel_info(WedjatKernel* kernel, WedjatKernelInfo* info);
/* Looks into the body. */
WedjatStatus wedjat_kernel_needs(WedjatKernel* kernel, WedjatKernelNeeds* needs);
WedjatStatus wedjat_kernel_parameter(WedjatKernel* kernel, size_t index, WedjatParameter* parameter);

typedef struct WedjatLaunch {
  size_t size;
  uint32_t grid[3];      /* CTAs, x y z; 0 in y or z: 1 */
  uint32_t block[3];     /* threads of a CTA, x y z; 0 in y or z: 1 */
  uint32_t cluster[3];   /* CTAs of a cluster; all 0: as the kernel says, or none */
  uint32_t shared_bytes; /* of dynamic shared memory */
  uint32_t cooperative;  /* not 0: the grid can synchronise */
} WedjatLaunch;

typedef struct WedjatArgument {
  const void* data; /* the value: of a pointer parameter, the place of a uint64_t that holds an address */
  size_t bytes;     /* as many as the parameter has */
} WedjatArgument;
#define WEDJAT_ARGUMENT_OF(variable) \
  { &(variable), sizeof(variable) }

typedef struct WedjatStatistics {
  size_t size;
  double seconds; /* in the kernel */
  uint64_t thread_instructions, warp_instructions;
  uint64_t steps, native_steps; /* of warps, ends of blocks too; the part that native code ran */
} WedjatStatistics;

/* Runs the kernel; it is over when this returns. `statistics` may be NULL. After WEDJAT_KERNEL_FAILED and
 * WEDJAT_INTERRUPTED the device is broken, as a CUDA context is: it can only report and be freed. */
WedjatStatus wedjat_kernel_launch(WedjatKernel* kernel, const WedjatLaunch* launch,
                                  const WedjatArgument* arguments, size_t argument_count,
                                  WedjatStatistics* statistics);

/* --- arrays, textures, surfaces: cuArrayCreate, cuTexObjectCreate, cuSurfObjectCreate --- */

enum { /* of a channel */
       WEDJAT_FORMAT_U8 = 0,
       WEDJAT_FORMAT_U16,
       WEDJAT_FORMAT_U32,
       WEDJAT_FORMAT_S8,
       WEDJAT_FORMAT_S16,
       WEDJAT_FORMAT_S32,
       WEDJAT_FORMAT_F16,
       WEDJAT_FORMAT_F32
};

typedef struct WedjatShape {
  size_t size;
  uint32_t format, channels; /* channels of a texel: 1, 2 or 4 */
  /* Texels; 0 where there is no such extent. depth: planes, layers of a layered array, faces of cubes. */
  uint64_t width, height, depth;
  uint32_t layered, cube; /* not 0: it is */
  uint32_t levels;        /* of a mipmapped array, each half as wide as the one before; 0: 1 */
} WedjatShape;

/* Texels are given and taken row by row without gaps, plane after plane. */
WedjatStatus wedjat_array_create(WedjatDevice* device, const WedjatShape* shape,
                                 WedjatArray** array); /* zeros */
WedjatStatus wedjat_array_free(WedjatArray* array);    /* objects that use it keep its texels */
WedjatStatus wedjat_array_bytes(WedjatArray* array, uint32_t level, uint64_t* bytes);
/* `bytes`: those of the whole level. */
WedjatStatus wedjat_array_write(WedjatArray* array, uint32_t level, const void* from, uint64_t bytes);
WedjatStatus wedjat_array_read(WedjatArray* array, uint32_t level, void* to, uint64_t bytes);

enum { WEDJAT_BEYOND_CLAMP = 0, WEDJAT_BEYOND_WRAP, WEDJAT_BEYOND_MIRROR, WEDJAT_BEYOND_BORDER };

typedef struct WedjatSampler { /* CUDA_TEXTURE_DESC */
  size_t size;
  uint32_t beyond[3];          /* what lies beyond the edge, x y z */
  uint32_t linear, mip_linear; /* not 0: between texels, levels; 0: the nearest */
  uint32_t normalized;         /* not 0: coordinates from 0 to 1 */
  uint32_t integers;           /* not 0: integers stay integers; 0: 8 and 16 bits become 0..1, -1..1 */
  uint32_t srgb, seamless;     /* seamless: cube maps are filtered across edges */
  uint32_t max_anisotropy;
  float mip_bias, min_level, max_level; /* max_level 0: of a mipmapped array, the last */
  float border[4];                      /* of WEDJAT_BEYOND_BORDER */
} WedjatSampler;

/* The handle is what a kernel takes as its .u64 argument, and wedjat_object_free() in the end. `sampler` may
 * be NULL: clamped, the nearest texel, coordinates in texels, integers as numbers from 0 to 1. */
WedjatStatus wedjat_texture_create(WedjatArray* array, const WedjatSampler* sampler, uint64_t* handle);
/* Texels in device memory: a line (height 0), or rows that begin `pitch` bytes apart (0: no gap). */
WedjatStatus wedjat_texture_create_linear(WedjatDevice* device, uint64_t address, uint64_t pitch,
                                          const WedjatShape* shape, const WedjatSampler* sampler,
                                          uint64_t* handle);
WedjatStatus wedjat_surface_create(WedjatArray* array, uint64_t* handle); /* of its first level */
WedjatStatus wedjat_object_free(WedjatDevice* device, uint64_t handle);
/* What a .texref or .surfref variable of a module means from now on. */
WedjatStatus wedjat_module_bind(WedjatModule* module, const char* variable, uint64_t handle);

/* --- tools --- */

/* JSON: [{"name", "summary", "options" (text), "checks" (bool), "path"}, ...]. */
WedjatStatus wedjat_tools(char** json);
/* Ends the tools of the device: nobody watches what comes after. Once for a device; also of a broken one.
 * JSON:
 * {"tools": [{"tool", "tables": [{"title", "columns", "rows"}], "findings": [...], "errors", ...}],
 *  "unused_suppressions": [...]}, the same as `wedjat replay --json` has. */
WedjatStatus wedjat_device_report(WedjatDevice* device, char** json);

/* --- replay of a recording (`wedjat record`) --- */

typedef struct WedjatCopy { /* what the hardware brought to the host, compared with what is here */
  size_t size;
  uint64_t sequence;        /* of the driver call in the recording */
  const char* call;         /* "cuMemcpyDtoH_v2" */
  uint64_t address;         /* where on the device the bytes come from */
  uint64_t bytes;           /* compared */
  uint64_t differing_bytes; /* 0: all the same, and what follows is 0 and "" */
  const char* type;         /* which the elements are likely to have: "u8" "i32" "i64" "f32" "f64" */
  uint64_t differing_elements;
  uint64_t first_offset;      /* bytes before the first element that differs */
  const char* expected;       /* that element on the hardware, "1.5 (0x3fc00000)" */
  const char* got;            /* and here */
  uint64_t largest_distance;  /* floats: ulps, integers: units */
  const char* const* kernels; /* that were launched since the copy before, each once */
  size_t kernel_count;
} WedjatCopy;

typedef struct WedjatLaunched {
  size_t size;
  uint64_t sequence;
  const char* kernel;
  double seconds; /* these are as in WedjatStatistics */
  uint64_t thread_instructions, warp_instructions, steps, native_steps;
} WedjatLaunched;

typedef struct WedjatReplayOptions {
  size_t size;
  const WedjatRunOptions* run; /* NULL: as they are by themselves */
  uint32_t accept_flawed;      /* not 0: a trace that lost events is replayed as far as it goes */
  uint64_t memory_limit;       /* bytes that one copy or fill may take here; 0: as this machine allows */
  /* All may be NULL. What they are given lives until they return. */
  void* user;
  void (*copy)(void* user, const WedjatCopy* copy);
  void (*launch)(void* user, const WedjatLaunched* launched);
  /* After `copy`, if bytes differ and the recording has them, not only their hash: copy->bytes each. */
  void (*difference)(void* user, const WedjatCopy* copy, const void* expected, const void* got);
  /* After each driver call, which are `all`. Not 0: the replay ends with WEDJAT_INTERRUPTED. */
  int (*progress)(void* user, uint64_t done, uint64_t all);
  /* The replay begins anew, for a reason that the report tells too: what was told so far is void. */
  void (*again)(void* user);
} WedjatReplayOptions;

/* Replays the trace (a folder, or a packed trace) and compares every result with the hardware's. `options`
 * may be NULL. JSON: {"verdict": "exact" | "differs" | ..., "copies", "launches", "differing_bytes",
 * "not_compared", "notes", "tools", ...}, the same as `wedjat replay --json` has. WEDJAT_OK says that the
 * replay came to its end, not that nothing differs. Callbacks tell what one replay finds as it goes. Where
 * bytes differ then, threads may have raced: they advance side by side in a second replay that tells nothing,
 * and the report is that one's if nothing differs there, with a note. If a kernel fails, `json` is given all
 * the same where there are tools: only "tools" and "unused_suppressions". */
WedjatStatus wedjat_replay(const char* path, const WedjatReplayOptions* options, char** json);

/* Runs a launch that `wedjat extract` made a folder, on a device of its own, and compares what it leaves with
 * what the folder expects. `options` may be NULL. JSON: {"same": true, "kernel", "compared": [{"what",
 * "bytes", "differing_bytes", "first"}], "thread_instructions", "tools", ...}, the same as `wedjat run FOLDER
 * --json` has. WEDJAT_OK says that it ran, not that nothing differs. */
WedjatStatus wedjat_bundle_run(const char* folder, const WedjatRunOptions* options, char** json);
/* The same where its memory has other addresses than in the recording. WEDJAT_REFUSED if it is not proved
 * which of its words are addresses. */
WedjatStatus wedjat_bundle_run_elsewhere(const char* folder, const WedjatRunOptions* options, char** json);

#ifdef __cplusplus
}
#endif

#endif
