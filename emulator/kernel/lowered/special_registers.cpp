#include "emulator/kernel/lowered/special_registers.h"

#include <string>
#include <unordered_map>

namespace wedjat::kernel {
namespace {

using Table = std::unordered_map<std::string_view, SpecialRegister>;

const Table& table() {
  using enum SpecialRegister;
  static const Table names = {{"%tid.x", tid_x},
                              {"%tid.y", tid_y},
                              {"%tid.z", tid_z},
                              {"%tid.w", zero},
                              {"%ntid.x", ntid_x},
                              {"%ntid.y", ntid_y},
                              {"%ntid.z", ntid_z},
                              {"%ntid.w", zero},
                              {"%ctaid.x", ctaid_x},
                              {"%ctaid.y", ctaid_y},
                              {"%ctaid.z", ctaid_z},
                              {"%ctaid.w", zero},
                              {"%nctaid.x", nctaid_x},
                              {"%nctaid.y", nctaid_y},
                              {"%nctaid.z", nctaid_z},
                              {"%nctaid.w", zero},
                              {"%clusterid.x", clusterid_x},
                              {"%clusterid.y", clusterid_y},
                              {"%clusterid.z", clusterid_z},
                              {"%clusterid.w", zero},
                              {"%nclusterid.x", nclusterid_x},
                              {"%nclusterid.y", nclusterid_y},
                              {"%nclusterid.z", nclusterid_z},
                              {"%nclusterid.w", zero},
                              {"%cluster_ctaid.x", cluster_ctaid_x},
                              {"%cluster_ctaid.y", cluster_ctaid_y},
                              {"%cluster_ctaid.z", cluster_ctaid_z},
                              {"%cluster_ctaid.w", zero},
                              {"%cluster_nctaid.x", cluster_nctaid_x},
                              {"%cluster_nctaid.y", cluster_nctaid_y},
                              {"%cluster_nctaid.z", cluster_nctaid_z},
                              {"%cluster_nctaid.w", zero},
                              {"%cluster_ctarank", cluster_ctarank},
                              {"%cluster_nctarank", cluster_nctarank},
                              {"%is_explicit_cluster", is_explicit_cluster},
                              {"%laneid", laneid},
                              {"%warpid", warpid},
                              {"%nwarpid", nwarpid},
                              {"%smid", smid},
                              {"%nsmid", nsmid},
                              {"%gridid", gridid},
                              {"%lanemask_eq", lanemask_eq},
                              {"%lanemask_le", lanemask_le},
                              {"%lanemask_lt", lanemask_lt},
                              {"%lanemask_ge", lanemask_ge},
                              {"%lanemask_gt", lanemask_gt},
                              {"%dynamic_smem_size", dynamic_smem_size},
                              {"%total_smem_size", total_smem_size},
                              {"%aggr_smem_size", aggr_smem_size},
                              {"%clock", clock},
                              {"%clock_hi", clock_hi},
                              {"%clock64", clock64},
                              {"%globaltimer", globaltimer},
                              {"%globaltimer_lo", globaltimer_lo},
                              {"%globaltimer_hi", globaltimer_hi},
                              {"%reserved_smem_offset_begin", zero},
                              {"%envreg1", envreg1},
                              {"%envreg2", envreg2},
                              {"%current_graph_exec", zero}};
  return names;
}

// The others of %envreg0 to %envreg31, %pm0 to %pm7, %pm0_64 to %pm7_64: set by tools, 0 without one.
bool is_tool_register(std::string_view name) {
  for (std::string_view prefix : {"%envreg", "%pm", "%reserved_smem_offset_"}) {
    if (name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= '0' &&
        name[prefix.size()] <= '9') {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<SpecialRegister> special_register_named(std::string_view name) {
  const auto found = table().find(name);
  if (found != table().end()) return found->second;
  if (is_tool_register(name)) return SpecialRegister::zero;
  return std::nullopt;
}

std::optional<std::uint32_t> special_constant_named(std::string_view name) {
  if (name == "WARP_SZ") return 32;
  // As the driver of an H200 (580.159.04) has them in every launch: of the KiB of shared memory that it
  // keeps, it uses the beginning.
  if (name == "%reserved_smem_offset_end" || name == "%envreg10") return 0x120;
  if (name == "%reserved_smem_offset_cap") return 0x400;
  if (name == "%envreg6") return 1;
  return std::nullopt;
}

bool is_special_vector(std::string_view name) { return table().contains(std::string(name) + ".x"); }

bool is_special_predicate(std::string_view name) { return name == "%is_explicit_cluster"; }

bool changes_while_running(SpecialRegister special) { return special >= SpecialRegister::clock; }

}  // namespace wedjat::kernel
