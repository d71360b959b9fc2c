// Code images as the driver takes them: what PTX lies inside. Layout of the fatbin container:
// traces/read/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/read/event.h"

namespace wedjat::traces {

struct ImageEntry {
  enum class Kind { ptx, elf, lto, other } kind;
  unsigned architecture = 0;                                    // 75, 90, 120: PTX and ELF
  bool architecture_specific = false, family_specific = false;  // sm_90a, sm_100f
  unsigned ptx_major = 0, ptx_minor = 0;
  std::string name;                  // source file, if recorded
  std::string options;               // e.g. "--compile-only"
  std::string assembler_options;     // machine code: what ptxas was told, see machine_code.h
  std::vector<std::string> kernels;  // machine code: the functions in it
  std::string text;                  // PTX, decompressed
  std::uint64_t payload_size = 0;
};

// The entries of an image of any kind: fatbin container (zstd, LZ4 or stored), cubin, or PTX text.
// `name` is used in errors. Throws FormatError naming offset and cause; every length is checked.
std::vector<ImageEntry> read_image(const std::string& name, const Bytes& image);

// The PTX the driver of a device of compute capability `architecture` (90 for 9.0) would compile: the newest
// that is not newer than the device; architecture-specific ones only for exactly their device. Null if there
// is none.
const ImageEntry* choose_ptx(const std::vector<ImageEntry>& entries, unsigned architecture);

// The machine code that driver would run rather than compile PTX. Null if there is none.
const ImageEntry* choose_machine_code(const std::vector<ImageEntry>& entries, unsigned architecture);

}  // namespace wedjat::traces
