// The driver API in parts of one subject each.
#pragma once

#include <string>
#include <vector>

#include "interposer/gen/model.h"

namespace wedjat::interposer {

struct Family {
  std::string name;                        // of its provider: wedjat_cuda_NAME
  std::vector<const Function*> functions;  // in the order of the model
};

// Every function of the model is in exactly one. interposer/gen/CMakeLists.txt lists the names.
std::vector<Family> families(const Model& model);

}  // namespace wedjat::interposer
