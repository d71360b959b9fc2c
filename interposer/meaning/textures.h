// What arrays, texture and surface objects are described by, in the emulator's words.
#pragma once

#include <stdexcept>

#include "cuda_abi.h"
#include "emulator/memory/textures.h"

namespace wedjat::interposer {

// A description that the emulated device has no words for, or that names what is not there.
class Unclear : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All throw Unclear.
memory::ChannelFormat format_of(CUarray_format format);
memory::ArrayShape shape_of(const CUDA_ARRAY3D_DESCRIPTOR& array);
CUDA_ARRAY3D_DESCRIPTOR widened(const CUDA_ARRAY_DESCRIPTOR& array);
void set_flags(memory::Sampler& sampler, unsigned flags);  // CU_TRSF_*
// `view` may be null.
memory::Texture texture_of(const memory::TextureTable& table, const CUDA_RESOURCE_DESC& resource,
                           const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view);
memory::Surface surface_of(const memory::TextureTable& table, const CUDA_RESOURCE_DESC& resource);

// What formatted stores to one become was not measured.
void refuse_normalized_surface(const memory::ArrayShape& shape);

// The array, mipmapped or not, that has the handle.
template <class Table>
const typename Table::mapped_type& known(const Table& table, std::uint64_t handle) {
  const auto found = table.find(handle);
  if (found == table.end()) throw Unclear("nothing is known of the array it uses");
  return found->second;
}

}  // namespace wedjat::interposer
