// What the driver answers for its device: h200.yaml, generated.
#pragma once

#include <cstddef>
#include <map>

namespace wedjat::live {

struct Profile {
  const char* name;
  int driver_version, ptx_version;    // 13000 for 13.0, 900 for 9.0
  std::size_t free_memory;            // bytes, in a context of its own
  std::map<int, int> attributes;      // CUdevice_attribute
  std::map<int, std::size_t> limits;  // CUlimit
};
const Profile& profile();

struct ErrorText {
  const char *name, *text;
};
const std::map<int, ErrorText>& error_texts();  // by CUresult

}  // namespace wedjat::live
