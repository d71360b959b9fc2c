// What the driver told: once for every text, on standard error, and to those that asked for it.
#pragma once

#include <string>
#include <vector>

#include "cuda_abi.h"

struct CUlogsCallbackEntry_st {
  CUlogsCallback function = nullptr;
  void* data = nullptr;
};

namespace wedjat::live {

void tell(const std::string& text) noexcept;
std::vector<std::string> told_lines();

CUlogsCallbackHandle add_listener(const CUlogsCallbackEntry_st& listener);
bool drop_listener(CUlogsCallbackHandle handle);  // false: there is none

}  // namespace wedjat::live
