// What texture objects and texture references are described by, in the emulator's words.
#pragma once

#include "cuda_abi.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

memory::ChannelFormat format_of(Replayer& replayer, const Call& call, CUarray_format format);

// Of an array, normalised or not.
void set_array_format(memory::ArrayShape& shape, Replayer& replayer, const Call& call, CUarray_format format);

// What formatted stores to one become was not measured.
void refuse_normalized_surface(Replayer& replayer, const Call& call, const memory::ArrayShape& shape);

// Texels as a view reads them. Refuses compressed blocks and texels of another size.
void set_format(memory::ArrayShape& shape, Replayer& replayer, const Call& call, CUresourceViewFormat format);

// CU_TRSF_*
void set_flags(memory::Sampler& sampler, unsigned flags);

// The array, mipmapped or not, that has the handle. Refuses the call if there is none.
template <class Table>
const typename Table::mapped_type& recorded(Replayer& replayer, const Call& call, const Table& table,
                                            std::uint64_t handle) {
  const auto found = table.find(handle);
  if (found == table.end()) replayer.refuse(call, "nothing was recorded of the array it uses");
  return found->second;
}

}  // namespace wedjat::traces
