// From C type spellings to what must be recorded of them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "interposer/gen/model.h"

namespace wedjat::interposer {

class Types {
 public:
  explicit Types(const nlohmann::json& types);  // the "types" array of api_table.json

  Type resolve(const std::string& spelling) const;  // throws std::runtime_error for an unknown name

  // "const char *" -> "const char"; empty if not a pointer.
  static std::string pointee(const std::string& spelling);
  static bool is_const(const std::string& spelling);

 private:
  Type resolve_name(const std::string& name) const;

  std::map<std::string, std::string> aliases_;        // typedef -> spelling
  std::map<std::string, std::uint32_t> record_size_;  // complete records
  std::map<std::string, bool> callbacks_;
};

}  // namespace wedjat::interposer
