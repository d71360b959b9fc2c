// Machine values the semantics name (`cta.threads`, `window.shared.base`): the same for all lanes of a warp.
#pragma once
#include "emulator/exec/access/context.h"
#include "emulator/memory/windows.h"

namespace wedjat::exec {

inline std::uint64_t special_cta_threads(const WarpContext& warp) { return warp.cta_threads; }
inline std::uint64_t special_cluster_rank(const WarpContext& warp) { return warp.cluster_rank; }
inline std::uint64_t special_cluster_ctas(const WarpContext& warp) { return warp.cluster_ctas; }
/// Which warp of its CTA it is; 0 for a context that belongs to none.
std::uint64_t special_warp_index(const WarpContext& warp);
inline std::uint64_t special_window_shared_base(const WarpContext&) { return memory::shared_window.base; }
inline std::uint64_t special_window_shared_size(const WarpContext&) { return memory::shared_window.size; }
inline std::uint64_t special_window_local_base(const WarpContext&) { return memory::local_window.base; }
inline std::uint64_t special_window_local_size(const WarpContext&) { return memory::local_window.size; }
inline std::uint64_t special_window_param_base(const WarpContext&) { return memory::param_window.base; }
/// 0 for a context without memory.
std::uint64_t special_window_param_size(const WarpContext& warp);
/// Of the module's constant variables, whose addresses are generic already; 0 likewise.
std::uint64_t special_window_const_base(const WarpContext& warp);
std::uint64_t special_window_const_size(const WarpContext& warp);

}  // namespace wedjat::exec
