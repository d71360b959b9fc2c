#include "interposer/api/clang_index.h"

#include <stdexcept>

namespace wedjat::interposer {

Unit::Unit(const std::string& source, const std::vector<std::string>& arguments) {
  index_ = clang_createIndex(0, 0);
  std::vector<const char*> options;
  for (const std::string& argument : arguments) options.push_back(argument.c_str());
  CXUnsavedFile file{"wedjat_api.c", source.c_str(), source.size()};
  unit_ = clang_parseTranslationUnit(index_, "wedjat_api.c", options.data(), static_cast<int>(options.size()),
                                     &file, 1, CXTranslationUnit_SkipFunctionBodies);
  std::string errors = unit_ ? "" : "libclang could not parse the headers\n";
  for (unsigned i = 0; unit_ && i < clang_getNumDiagnostics(unit_); ++i) {
    const CXDiagnostic diagnostic = clang_getDiagnostic(unit_, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      errors += text(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions())) + "\n";
    }
    clang_disposeDiagnostic(diagnostic);
  }
  if (!errors.empty()) throw std::runtime_error(errors);
}

Unit::~Unit() {
  if (unit_) clang_disposeTranslationUnit(unit_);
  clang_disposeIndex(index_);
}

}  // namespace wedjat::interposer
