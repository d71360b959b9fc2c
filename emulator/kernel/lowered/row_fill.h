// Rows that hold a value before any instruction runs: immediates, kernel parameters, special registers,
// addresses of local variables.
#pragma once
#include <cstdint>

namespace wedjat::kernel {

/// PTX ISA 10. Three-dimensional ones: x, y, z follow each other.
enum class SpecialRegister : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  envreg1,
  envreg2,  ///< upper and lower half of the address of the cooperative grid's workspace
  zero,     ///< always 0: the other %envreg, %pm, %reserved_smem_offset_begin and the other registers nobody
            ///< drives here
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,  ///< only by SystemOp::Refresh: they change while a thread runs
};

struct RowFill {
  enum class Source : std::uint8_t {
    Constant,   ///< `value` in all lanes; never written by steps
    Initial,    ///< as Constant, but a register: for those that may be read before they are written (value 0)
    Parameter,  ///< bytes [value, value + element_bytes) of the kernel's parameters in all lanes; never
                ///< written by steps
    ParameterAddress,  ///< address (u64, .param and generic alike) of byte `value` of the kernel's
                       ///< parameters; never written by steps
    Shared,   ///< address in .shared of byte `value` of the CTA's shared memory; never written by steps
    Special,  ///< special register number `value`; never written by steps
    Local,    ///< address (u64) of byte `value` of the function's local frame, in the space .local; never
              ///< written by steps
    LocalGeneric,  ///< the same as a generic address
  };
  std::uint32_t row = 0;
  Source source = Source::Constant;
  std::uint8_t element_bytes = 4;     ///< 1, 2, 4, 8 or 16; 0: a predicate (`value` is the mask of lanes)
  std::uint64_t value = 0, high = 0;  ///< high: upper half of a 16-byte constant
};

}  // namespace wedjat::kernel
