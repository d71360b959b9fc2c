// Types and fields as CTF metadata declare them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/read/ctf_layout.h"
#include "traces/read/ctf_tokens.h"

namespace wedjat::traces {

// All throw FormatError at what LTTng does not write for our tracepoints.
class CtfFieldReader {
 public:
  explicit CtfFieldReader(CtfTokens& tokens) : tokens_(tokens) {}

  // `integer { … } := NAME`, behind `typealias`
  void read_alias();
  // `{ TYPE NAME; … }`, behind `struct`. An integer that counts the field after it becomes part of that one.
  std::vector<CtfField> read_struct();

 private:
  struct Type {
    CtfField field;
    bool whole_bytes = true;
  };
  Type read_integer();
  CtfField read_real();
  CtfField read_field();
  void read_extent(CtfField& field, std::vector<CtfField>& before);

  CtfTokens& tokens_;
  std::map<std::string, Type, std::less<>> aliases_;
};

}  // namespace wedjat::traces
