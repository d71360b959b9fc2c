// A condition of a graph, which a conditional node looks at.
#pragma once

#include "interposer/meaning/conditions.h"

namespace wedjat::live {

struct Condition {
  interposer::Condition word;
  CUcontext context = nullptr;
  bool is_used = false;  // by a node
};

}  // namespace wedjat::live
