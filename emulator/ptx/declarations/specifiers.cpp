// Types, vectors, alignment and attributes of a declaration (PTX ISA 5.2, 5.4).
#include <bit>

#include "emulator/ptx/declarations/specified.h"

namespace wedjat::ptx {
namespace {

constexpr unsigned kMaxVectorBytes = 16;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 31;

}  // namespace

void Declarations::fail(const antlr4::Token* where, const std::string& message) const {
  source_.fail(offset_of(where), message);
}

std::uint32_t Declarations::alignment(const antlr4::Token* number) const {
  const std::uint64_t value = expressions_.number(number, kMaxAlignment);
  if (!std::has_single_bit(value)) fail(number, "an alignment is a power of two");
  return static_cast<std::uint32_t>(value);
}

void Declarations::pointer_space(const antlr4::Token* token, Specified& out) {
  const std::string_view name = text(token);
  if (!out.is_pointer) fail(token, "syntax error near '" + std::string(name) + "'");
  if (name == ".global") {
    out.pointer_space = Space::global;
  } else if (name == ".const") {
    out.pointer_space = Space::constant;
  } else if (name == ".shared") {
    out.pointer_space = Space::shared;
  } else if (name == ".local") {
    out.pointer_space = Space::local;
  } else {
    fail(token, "a pointer points to .global, .const, .shared or .local");
  }
}

void Declarations::word(const antlr4::Token* token, Specified& out) {
  const std::string_view name = text(token).substr(1);
  if (name == "ptr" && out.has_type) {
    out.is_pointer = true;
  } else if (name == "v2" || name == "v4") {
    if (out.has_type || out.vector_width != 1) fail(token, "a vector length stands once, before the type");
    out.vector_width = name == "v2" ? 2 : 4;
  } else if (const auto type = type_named(name)) {
    if (out.is_pointer && is_opaque(*type)) return;  // `.ptr .texref`
    if (out.has_type) fail(token, "a second type");
    require(token, text(token));
    out.type = *type;
    out.has_type = true;
  } else {
    fail(token, "'." + std::string(name) + "' is no type that can be declared");
  }
}

void Declarations::attribute(const Grammar::AttributeContext& attribute, Specified& out) {
  for (const Grammar::AttributeItemContext* item : attribute.items) {
    const std::string_view name = text(item->word);
    require(item->word, ".attribute");
    require(item->word, name);
    if (name == ".managed" && item->values.empty()) {
      out.managed = true;
    } else if (name == ".unified" && item->values.size() == 2) {
      out.unified.emplace(expressions_.number(item->values[0]), expressions_.number(item->values[1]));
    } else {
      fail(item->word, "an attribute is .managed or .unified(a, b)");
    }
  }
}

Declarations::Specified Declarations::specifiers(const std::vector<Grammar::SpecifierContext*>& list,
                                                 const antlr4::Token* space) {
  Specified out;
  for (const Grammar::SpecifierContext* specifier : list) {
    if (specifier->alignment != nullptr) {
      (out.is_pointer ? out.pointer_alignment : out.alignment) = alignment(specifier->alignment);
    } else if (specifier->word == nullptr) {
      attribute(*specifier->attribute_, out);
    } else if (specifier->word->getType() == Grammar::SPACE) {
      pointer_space(specifier->word, out);
    } else {
      word(specifier->word, out);
    }
  }
  if (!out.has_type) fail(space, "declaration without a type");
  if (out.vector_width * size_of(out.type) > kMaxVectorBytes) fail(space, "a vector is at most 128 bits");
  if (out.vector_width > 1 && (out.type == Type::pred || is_opaque(out.type)))
    fail(space, "type ." + std::string(name_of(out.type)) + " makes no vectors");
  return out;
}

void Declarations::attributes(const std::vector<Grammar::AttributeContext*>& list, Directives& out) {
  Specified specified;
  for (const Grammar::AttributeContext* one : list) attribute(*one, specified);
  out.unified = specified.unified;
}

}  // namespace wedjat::ptx
