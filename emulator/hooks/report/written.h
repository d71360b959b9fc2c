// Which files a run writes: none twice, and none that it reads.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace wedjat::hooks {

/// Whatever names and links lead to it.
bool is_same_file(const std::string& one, const std::string& other);

class Written {
 public:
  /// `whose`: who writes or reads it, as "--tool race_check,html=x" or "the input". Throws ToolError if the
  /// file, under whatever name, is somebody's already. Devices and pipes (/dev/null) are for everybody.
  void claim(const std::string& file, const std::string& whose);
  /// What a tool asked for in these words writes: its html=… and file=….
  void claim_of_tool(const std::string& spec);

 private:
  std::vector<std::pair<std::string, std::string>> claimed_;  // file, whose
};

}  // namespace wedjat::hooks
