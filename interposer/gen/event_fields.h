// How a parameter appears in its events: shared by the event structs, the tracepoints and the wrappers.
#pragma once

#include <string>
#include <vector>

#include "interposer/gen/model.h"

namespace wedjat::interposer {

struct Field {
  enum class Shape { scalar, sequence, text };
  std::string name;  // field of the event and member of its struct
  Shape shape;
  std::string c_type;  // of the scalar, or of one element
  bool hexadecimal;
  bool floating;
};

std::vector<Field> entry_fields(const Function& function);  // without seq
std::vector<Field> exit_fields(const Function& function);   // without seq, call, result

}  // namespace wedjat::interposer
