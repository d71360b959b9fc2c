// The shared object of a tool.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

/// A tool by name among Wedjat's own and those in $WEDJAT_TOOL_PATH (folders, `:` between them), or a path if
/// the name has a `/`. Throws ToolError saying where it was looked for.
std::string find_library(const std::string& name);
/// Paths of all tools that can be named, shared objects and Python files, sorted by name. Throws ToolError if
/// a name means two of them, or a folder cannot be read.
std::vector<std::string> all_libraries();

bool is_python(const std::string& library);
/// The first line of its docstring; the file is not run.
std::string summary_of_python(const std::string& path);

/// Loads it for good. Throws ToolError if it is no tool, or of another ABI.
const wedjat_tool& open_library(const std::string& path);

/// Throws ToolError if the tool does not list one of them.
void check_options(const wedjat_tool& tool, const std::map<std::string, std::string>& options);

/// The LLVM bitcode that lies beside a library; null: none does. Throws ToolError if it cannot be read.
std::shared_ptr<const std::string> bitcode_beside(const std::string& library);

}  // namespace wedjat::hooks
