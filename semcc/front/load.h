// Semantics files and all they import.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "semcc/front/syntax.h"

namespace semcc::front {

struct Library {
  Sources sources;
  std::deque<File> files;                 // by source number
  std::vector<std::vector<int>> visible;  // for each file: itself and what it imports, directly or not
  std::vector<int> roots;                 // the files asked for, in that order
  int profile = -1;  // profiles/<profile>.psem, whose functions are `target.…`; -1: there is none
};

// Opens `paths`. `import x` is x.psem beside the importing file, in the folder above or in one of that
// folder's folders; and so is profiles/<profile>.psem. What cannot be read is a diagnostic.
class Loader {
 public:
  Loader(Library& library, Diagnostics& diagnostics) : library_(library), diagnostics_(diagnostics) {}
  void load(const std::vector<std::string>& paths, const std::string& profile);

 private:
  int open(const std::string& path, Location asked_from);
  void see(int file, std::vector<int>& seen) const;

  Library& library_;
  Diagnostics& diagnostics_;
  std::vector<std::vector<int>> imports_;
};

}  // namespace semcc::front
