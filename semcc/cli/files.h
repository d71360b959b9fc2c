// Semantics files in, generated files out.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "semcc/emit/manual/kernels.h"

namespace semcc::cli {

struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A folder means all .psem files below it, sorted. Throws FileError if there is no such path or not one file.
std::vector<std::string> semantics_files(const std::vector<std::string>& paths);

// The kernels of examples/ beside semantics files, by name. Throws FileError if two bear one name.
emit::Kernels example_kernels(const std::vector<std::string>& semantics_files);

// Writes `files` (relative path -> text) below `folder`. A file that holds this text already is not touched,
// so that builds do not repeat what depends on it. Throws FileError.
void write_files(const std::string& folder, const std::map<std::string, std::string>& files);

// A depfile as make and ninja read it: `outputs` are made from `inputs`.
void write_depfile(const std::string& path, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs);

}  // namespace semcc::cli
