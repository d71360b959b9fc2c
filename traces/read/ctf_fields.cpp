#include "traces/read/ctf_fields.h"

#include "traces/read/intern.h"

namespace wedjat::traces {
namespace {

// LTTng puts an underscore in front of every name of an event's field.
std::string_view without_underscore(std::string_view name) {
  if (name.size() > 1 && name[0] == '_') name.remove_prefix(1);
  return name;
}

}  // namespace

CtfFieldReader::Type CtfFieldReader::read_integer() {
  Type type;
  std::uint64_t bits = 0, align = 0;
  tokens_.expect("{");
  while (!tokens_.take_if("}")) {
    const std::string_view key = tokens_.take_word();
    tokens_.expect("=");
    if (key == "size") {
      bits = tokens_.take_number();
    } else if (key == "align") {
      align = tokens_.take_number();
    } else if (key == "signed") {
      type.field.is_signed = tokens_.is("1") || tokens_.is("true");
      tokens_.take();
    } else if (key == "encoding") {
      tokens_.expect("none");
    } else if (key == "base" || key == "map") {
      tokens_.take();  // how people see it
    } else {
      tokens_.fail("an integer with '" + std::string(key) + "'");
    }
    tokens_.expect(";");
  }
  type.whole_bytes = align == 8 && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
  if (type.whole_bytes) type.field.size = static_cast<std::uint8_t>(bits / 8);
  return type;
}

CtfField CtfFieldReader::read_real() {
  std::uint64_t exponent = 0, mantissa = 0, align = 0;
  tokens_.expect("{");
  while (!tokens_.take_if("}")) {
    const std::string_view key = tokens_.take_word();
    tokens_.expect("=");
    const std::uint64_t value = tokens_.take_number();
    (key == "exp_dig" ? exponent : key == "mant_dig" ? mantissa : align) = value;
    tokens_.expect(";");
  }
  CtfField field;
  field.kind = CtfField::Kind::real;
  const bool single = exponent == 8 && mantissa == 24, twice = exponent == 11 && mantissa == 53;
  if (align != 8 || (!single && !twice)) tokens_.fail("a number that is neither float nor double");
  field.size = single ? 4 : 8;
  return field;
}

void CtfFieldReader::read_alias() {
  tokens_.expect("integer");
  const Type type = read_integer();
  tokens_.expect(":");
  tokens_.expect("=");
  std::string name(tokens_.take_word());
  while (!tokens_.is(";")) name.append(" ").append(tokens_.take_word());
  aliases_.insert_or_assign(std::move(name), type);
}

// TYPE NAME, up to what follows the name.
CtfField CtfFieldReader::read_field() {
  Type type;
  std::string name(tokens_.take_word());
  if (name == "integer" || name == "floating_point" || name == "string") {
    if (name == "integer")
      type = read_integer();
    else if (name == "string")
      type.field.kind = CtfField::Kind::text;
    else
      type.field = read_real();
    name = tokens_.take_word();
  } else {  // the words of an alias, then the name
    std::string alias = std::move(name);
    name = tokens_.take_word();
    while (!tokens_.is(";") && !tokens_.is("[")) {
      alias.append(" ").append(name);
      name = tokens_.take_word();
    }
    const auto found = aliases_.find(alias);
    if (found == aliases_.end()) tokens_.fail("a type we do not know: '" + alias + "'");
    type = found->second;
  }
  if (!type.whole_bytes) tokens_.fail("field '" + name + "' does not consist of whole bytes");
  type.field.name = intern(without_underscore(name));
  return type.field;
}

void CtfFieldReader::read_extent(CtfField& field, std::vector<CtfField>& before) {
  if (field.kind != CtfField::Kind::integer) tokens_.fail("an array of something other than integers");
  if (tokens_.next().kind == CtfToken::Kind::number) {
    field.extent = CtfField::Extent::fixed;
    field.count = tokens_.take_number();
    if (field.count == 0) tokens_.fail("an array of nothing");
  } else {
    const std::string_view counter = without_underscore(tokens_.take_word());
    if (before.empty() || before.back().name != counter || before.back().kind != CtfField::Kind::integer ||
        before.back().extent != CtfField::Extent::one || before.back().is_signed)
      tokens_.fail("'" + std::string(counter) + "' is no count in front of its sequence");
    field.extent = CtfField::Extent::counted;
    field.count = before.back().size;
    before.pop_back();
  }
  tokens_.expect("]");
}

std::vector<CtfField> CtfFieldReader::read_struct() {
  std::vector<CtfField> fields;
  tokens_.expect("{");
  while (!tokens_.take_if("}")) {
    CtfField field = read_field();
    if (tokens_.take_if("[")) read_extent(field, fields);
    tokens_.expect(";");
    fields.push_back(field);
  }
  return fields;
}

}  // namespace wedjat::traces
