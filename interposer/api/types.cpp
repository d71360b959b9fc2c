#include "interposer/api/types.h"

#include <set>
#include <stdexcept>

namespace wedjat::interposer {
using nlohmann::ordered_json;
namespace {

bool from_cuda_headers(CXCursor cursor) {
  const CXSourceLocation location = clang_getCursorLocation(cursor);
  return clang_Location_isInSystemHeader(location) == 0 && clang_Location_isFromMainFile(location) == 0;
}

bool is_record(CXCursorKind kind) { return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl; }
const char* record_word(CXCursorKind kind) { return kind == CXCursor_UnionDecl ? "union" : "struct"; }

bool unnamed(CXCursor record) {
  const std::string name = spelling(record);
  return name.empty() || name.find('(') != std::string::npos || clang_Cursor_isAnonymous(record) != 0;
}

ordered_json fields_of(CXCursor record);

// A record declared in place: named through the field that follows it, or anonymous.
ordered_json in_place(CXCursor record, const std::string& name) {
  return {{"name", name}, {record_word(clang_getCursorKind(record)), ""}, {"fields", fields_of(record)}};
}

ordered_json fields_of(CXCursor record) {
  ordered_json fields = ordered_json::array();
  CXCursor pending = clang_getNullCursor();  // an unnamed record that may belong to the next field
  const auto flush = [&] {
    if (!clang_Cursor_isNull(pending)) fields.push_back(in_place(pending, ""));
    pending = clang_getNullCursor();
  };
  for_each_child(record, [&](CXCursor child) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (is_record(kind)) {
      flush();
      pending = child;
    } else if (kind == CXCursor_FieldDecl) {
      if (clang_Cursor_isBitField(child)) throw std::runtime_error("bit-field " + spelling(child));
      const CXCursor declaration =
          clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(child)));
      if (!clang_Cursor_isNull(pending) && clang_equalCursors(declaration, pending)) {
        fields.push_back(in_place(pending, spelling(child)));
        pending = clang_getNullCursor();
      } else {
        flush();
        fields.push_back({{"name", spelling(child)},
                          {"type", spelling(clang_getCursorType(child))},
                          {"offset", clang_Cursor_getOffsetOfField(child) / 8}});
      }
    }
  });
  flush();
  return fields;
}

ordered_json describe_record(CXCursor cursor) {
  ordered_json entry = {{record_word(clang_getCursorKind(cursor)), spelling(cursor)}};
  if (!clang_isCursorDefinition(cursor)) return entry;
  const CXType type = clang_getCursorType(cursor);
  entry["size"] = clang_Type_getSizeOf(type);
  entry["align"] = clang_Type_getAlignOf(type);
  entry["fields"] = fields_of(cursor);
  return entry;
}

ordered_json describe_enum(CXCursor cursor) {
  ordered_json values = ordered_json::array();
  for_each_child(cursor, [&](CXCursor child) {
    values.push_back(ordered_json::array({spelling(child), clang_getEnumConstantDeclValue(child)}));
  });
  // `typedef enum {...} NAME` has no tag: its type goes by the typedef's name.
  const std::string tag = spelling(cursor).empty() ? spelling(clang_getCursorType(cursor)) : spelling(cursor);
  return {{"enum", tag}, {"values", values}};
}

ordered_json describe_typedef(CXCursor cursor) {
  const CXType type = clang_getTypedefDeclUnderlyingType(cursor);
  const CXType pointee = clang_getPointeeType(type);
  const CXType canonical = clang_getCanonicalType(pointee);
  const char* key = canonical.kind == CXType_FunctionProto ? "callback" : "type";
  return {{"typedef", spelling(cursor)}, {key, spelling(type)}};
}

}  // namespace

ordered_json describe_types(CXCursor root) {
  ordered_json types = ordered_json::array();
  std::set<std::string> seen;
  for_each_child(root, [&](CXCursor cursor) {
    if (!from_cuda_headers(cursor)) return;
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const std::string name = spelling(cursor);
    if (name.rfind("PFN_", 0) == 0) return;
    if (is_record(kind)) {
      if (unnamed(cursor)) throw std::runtime_error("a record without a tag: " + name);
      // A forward declaration of something defined later adds nothing but order; keep the first of each sort.
      const bool definition = clang_isCursorDefinition(cursor) != 0;
      if (seen.insert((definition ? "definition " : "tag ") + name).second)
        types.push_back(describe_record(cursor));
    } else if (kind == CXCursor_EnumDecl) {
      types.push_back(describe_enum(cursor));
    } else if (kind == CXCursor_TypedefDecl && seen.insert("typedef " + name).second) {
      types.push_back(describe_typedef(cursor));
    }
  });
  return types;
}

}  // namespace wedjat::interposer
