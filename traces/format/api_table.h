// The driver API as a table: what cuda.h says (extracted by interposer/api) plus the human rules of
// cuda.yaml. Readers use it to name and decode the arguments of call events.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wedjat::traces {

// What a parameter, or the thing it points to, is.
enum class ApiKind : std::uint8_t {
  none,     // void
  integer,  // includes enums and bool
  floating,
  handle,  // opaque pointers (CUcontext), and CUdeviceptr, CUtexObject: 64-bit names of driver objects
  pointer,
  structure,
  string,  // char, NUL terminated
};

enum class ApiDirection : std::uint8_t {
  value,  // not a pointer, or a pointer whose target is none of the recorder's business
  in,     // NAME_in in the entry event
  out,    // NAME_out in the exit event
  inout,  // both
};

struct ApiParameter {
  std::string_view name;
  std::string_view type;  // as cuda.h spells it
  ApiKind kind;
  std::uint8_t is_signed;  // integer: sign of the value
  std::uint32_t size;      // bytes of the by-value argument
  ApiDirection direction;
  std::string_view element;  // pointee type, empty if not recorded
  ApiKind element_kind;
  std::uint8_t element_signed;
  std::uint32_t element_size;
};

struct ApiFunction {
  std::string_view name;     // exported symbol: cuMemcpyHtoDAsync_v2_ptsz
  std::string_view base;     // cuMemcpyHtoDAsync
  std::int32_t version;      // CUDA version its ABI appeared in, as in PFN_base_v3020
  std::string_view flavour;  // "", "ptds" or "ptsz"
  bool inert;                // replay steps over it (cuda.yaml)
  std::span<const ApiParameter> parameters;
};

std::span<const ApiFunction> api_functions();  // sorted by name
const ApiFunction* find_api_function(std::string_view name);

// "CUDA_ERROR_INVALID_VALUE", or empty for a value this table does not know.
std::string_view result_name(std::int32_t result);
// Enumerator of an enum type such as "CUmemorytype", or empty.
std::string_view enumerator_name(std::string_view type, std::int64_t value);

std::int32_t api_cuda_version();  // CUDA_VERSION of the header the table was made from

}  // namespace wedjat::traces
