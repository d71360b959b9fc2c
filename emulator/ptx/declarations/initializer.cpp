#include "emulator/ptx/declarations/initializer.h"

#include <bit>
#include <limits>
#include <string>

namespace wedjat::ptx {
namespace {

/// Most initial bytes: above it a text could ask for more memory than it has bytes many times over.
constexpr std::uint64_t kMaxInitializedBytes = std::uint64_t{1} << 28;

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

std::uint64_t Initializer::count_at(std::size_t level) const {
  return level < variable_.extents.size() ? variable_.extents[level] : variable_.vector_width;
}

std::uint64_t Initializer::stride_at(std::size_t level) const {
  std::uint64_t stride = size_of(variable_.type);
  for (std::size_t inner = level + 1; inner < levels(); ++inner) stride *= count_at(inner);
  return stride;
}

void Initializer::claim(std::uint64_t index, std::size_t level, std::size_t where) const {
  const bool is_open = level == 0 && variable_.is_unsized();
  if (!is_open && index >= count_at(level))
    source_.fail(where, "more initial values than elements in " + quoted(variable_.name));
}

void Initializer::settle_open_extent(std::uint64_t count, std::size_t where) {
  if (!variable_.is_unsized()) return;
  if (count == 0) source_.fail(where, quoted(variable_.name) + " has no size and no initial values");
  variable_.extents.front() = count;
}

void Initializer::put(std::uint64_t bits, unsigned size, std::uint64_t offset) {
  if (offset + size > kMaxInitializedBytes)
    source_.fail(variable_.where, "initial values of " + quoted(variable_.name) + " exceed 256 MiB");
  if (variable_.data.size() < offset + size) variable_.data.resize(offset + size);
  for (unsigned i = 0; i < size; ++i) variable_.data[offset + i] = static_cast<std::byte>(bits >> (8 * i));
}

void Initializer::store_constant(const Constant& constant, std::uint64_t offset, std::size_t where) {
  const Type type = variable_.type;
  const bool is_bits = type >= Type::b8 && type <= Type::b64;
  std::uint64_t bits = constant.bits;
  if (type == Type::f16 || type == Type::f16x2 || type == Type::b128 || is_opaque(type))
    source_.fail(where, "no initial value is allowed for type ." + std::string(name_of(type)));
  if (constant.is_integer() ? is_float(type) : !is_float(type) && !(is_bits && size_of(type) >= 4))
    source_.fail(where, std::string(constant.is_integer() ? "an integer" : "a float") +
                            " is no initial value for type ." + std::string(name_of(type)));
  if (constant.kind == Constant::Kind::f64 && size_of(type) == 4)
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(constant.as_double()));
  put(bits, size_of(type), offset);
}

Relocation Initializer::relocation(const Grammar::ExpressionContext& value, std::uint64_t offset) const {
  const Grammar::TermContext& term = *value.terms.front();
  Relocation result{.offset = offset, .size = size_of(variable_.type)};
  const antlr4::Token* name = term.name;
  if (term.argument != nullptr) {
    const auto* inner = Expressions::single_term(*term.argument);
    if (text_of(source_, name) != "generic" || inner == nullptr || inner->name == nullptr)
      source_.fail(offset_of(name),
                   "an initial address is a name, generic(name), or one of them + a constant");
    require(source_, version_, offset_of(name), "generic()");
    result.generic = true;
    name = inner->name;
  }
  result.symbol = text_of(source_, name);
  result.where = source_.location(offset_of(name));
  result.addend = expressions_.offset_after_first(value);
  return result;
}

void Initializer::store_symbol(const Grammar::ExpressionContext& value, const Grammar::TermContext& term,
                               std::uint64_t offset) {
  const unsigned size = size_of(variable_.type);
  if (is_float(variable_.type) || is_opaque(variable_.type) || (size != 4 && size != 8))
    source_.fail(offset_of(term.name),
                 "an address is no initial value for type ." + std::string(name_of(variable_.type)));
  variable_.relocations.push_back(relocation(value, offset));
  put(0, size, offset);
}

/// `0xff00(x)`: one byte of an address or of a constant.
void Initializer::store_masked(const Grammar::TermContext& term, std::uint64_t offset) {
  require(source_, version_, offset_of(term.number), "a mask of an initial value");
  const std::uint64_t mask = expressions_.number(term.number);
  const int shift = std::countr_zero(mask);
  if (mask == 0 || mask >> shift != 0xff || shift % 8 != 0)
    source_.fail(offset_of(term.number), "a mask selects one whole byte (0xff, 0xff00, ...)");
  if (size_of(variable_.type) != 1 || is_opaque(variable_.type))
    source_.fail(offset_of(term.number), "a masked initial value is for variables of one-byte types");
  if (!expressions_.is_symbolic(*term.argument)) {
    const Constant constant = expressions_.evaluate(*term.argument);
    if (!constant.is_integer()) source_.fail(offset_of(term.number), "a mask takes an integer or an address");
    put((constant.bits & mask) >> shift, 1, offset);
    return;
  }
  Relocation result = relocation(*term.argument, offset);
  result.mask = mask;
  variable_.relocations.push_back(result);
  put(0, 1, offset);
}

void Initializer::store(const Grammar::ExpressionContext& value, std::uint64_t offset) {
  const Grammar::TermContext& first = *value.terms.front();
  if (expressions_.is_symbolic(value)) {
    store_symbol(value, first, offset);
  } else if (first.number != nullptr && first.argument != nullptr &&
             Expressions::single_term(value) != nullptr) {
    store_masked(first, offset);
  } else {
    store_constant(expressions_.evaluate(value), offset, offset_of(value.start));
  }
}

void Initializer::set_scalar(const Grammar::ExpressionContext& value) {
  if (levels() != 0)
    source_.fail(offset_of(value.start), "initial values of an array or vector stand in braces");
  variable_.has_initializer = true;
  store(value, 0);
}

void Initializer::set_properties(const Grammar::InitializerContext& list) {
  for (const Grammar::ElementContext* element : list.elements) {
    const auto* name = element->value != nullptr ? Expressions::single_term(*element->value) : nullptr;
    const auto* value = element->property != nullptr ? Expressions::single_term(*element->property) : nullptr;
    if (name == nullptr || value == nullptr || name->name == nullptr ||
        (value->name == nullptr && value->number == nullptr))
      source_.fail(offset_of(element->start), "properties of an opaque variable are written name = value");
    variable_.properties.emplace_back(text_of(source_, name->name),
                                      text_of(source_, value->name != nullptr ? value->name : value->number));
  }
}

void Initializer::fill(const Grammar::InitializerContext& list, std::size_t level, std::uint64_t offset) {
  if (level >= levels())
    source_.fail(offset_of(list.open), "braces deeper than the extents of " + quoted(variable_.name));
  const std::uint64_t stride = stride_at(level);
  std::uint64_t index = 0;
  for (const Grammar::ElementContext* element : list.elements) {
    claim(index, level, offset_of(element->start));
    const std::uint64_t at = offset + index++ * stride;
    if (element->list != nullptr) {
      fill(*element->list, level + 1, at);
    } else if (level + 1 != levels() || element->property != nullptr) {
      source_.fail(offset_of(element->start),
                   "this initial value stands at the wrong depth of braces for " + quoted(variable_.name));
    } else {
      store(*element->value, at);
    }
  }
  if (level == 0) settle_open_extent(index, offset_of(list.open));
}

void Initializer::set_list(std::size_t begin, std::size_t end) {
  variable_.has_initializer = true;
  if (scan_numbers(begin, end)) return;
  variable_.data.clear();
  Parser parser(source_, begin - 1, end + 1);
  const Grammar::InitializerContext& list = parser.initializer();
  if (is_opaque(variable_.type)) return set_properties(list);
  fill(list, 0, 0);
}

}  // namespace wedjat::ptx
