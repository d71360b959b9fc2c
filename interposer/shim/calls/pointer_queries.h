// Attribute lists: one untyped target an attribute.
#pragma once

#include <string>

#include "entries.h"
#include "interposer/shim/events/payload.h"

namespace wedjat::interposer {

inline void pointer_attributes(const Call& call, unsigned count, const CUpointer_attribute* attributes,
                               void** data) {
  for (unsigned i = 0; i < count; ++i) {
    const unsigned size = size_of_pointer_attribute(attributes[i]);
    payload(call.sequence, Phase::exit, ("data." + std::to_string(i)).c_str(), data[i],
            bytes_at(data[i], size));
  }
}

inline void range_attributes(const Call& call, size_t count, const size_t* sizes, void** data) {
  for (size_t i = 0; i < count; ++i) {
    payload(call.sequence, Phase::exit, ("data." + std::to_string(i)).c_str(), data[i],
            bytes_at(data[i], sizes[i]));
  }
}

}  // namespace wedjat::interposer
