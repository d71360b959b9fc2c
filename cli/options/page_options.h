// `--html`, `--sources` and `--mangled`: how what a run found is shown to people.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "emulator/hooks/page/page.h"

namespace wedjat::cli {

struct PageOptions {
  std::string file, sources;
  bool mangled = false;

  void add_to(CLI::App& command);
  bool wanted() const { return !file.empty(); }
  /// Kernels by the name people read, unless --mangled.
  std::string name(const std::string& kernel) const;
  std::string names(const std::vector<std::string>& kernels) const;  ///< with commas; none: "-"
  /// Adds the source lines found below --sources and writes the file. Throws traces::FormatError if it cannot
  /// be written.
  void write(hooks::Page page) const;
};

}  // namespace wedjat::cli
