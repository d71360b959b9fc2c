// A thin C++ face on libclang's C interface.
#pragma once

#include <clang-c/Index.h>

#include <functional>
#include <string>
#include <vector>

namespace wedjat::interposer {

inline std::string text(CXString string) {
  const char* characters = clang_getCString(string);
  std::string result = characters ? characters : "";
  clang_disposeString(string);
  return result;
}

inline std::string spelling(CXCursor cursor) { return text(clang_getCursorSpelling(cursor)); }
inline std::string spelling(CXType type) { return text(clang_getTypeSpelling(type)); }

inline void for_each_child(CXCursor cursor, const std::function<void(CXCursor)>& visit) {
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const std::function<void(CXCursor)>*>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<std::function<void(CXCursor)>*>(&visit));
}

// One parsed translation unit given as text; throws std::runtime_error with clang's messages on any error.
class Unit {
 public:
  Unit(const std::string& source, const std::vector<std::string>& arguments);
  ~Unit();
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;
  CXCursor root() const { return clang_getTranslationUnitCursor(unit_); }

 private:
  CXIndex index_ = nullptr;
  CXTranslationUnit unit_ = nullptr;
};

}  // namespace wedjat::interposer
