#include "emulator/ptx/module/types.h"

#include <algorithm>
#include <array>

namespace wedjat::ptx {
namespace {

struct Row {
  std::string_view name;
  unsigned size;
};
// In the order of Type.
constexpr std::array<Row, 21> kTypes{
    {{"pred", 0}, {"b8", 1},    {"b16", 2}, {"b32", 4}, {"b64", 8},    {"b128", 16},   {"u8", 1},
     {"u16", 2},  {"u32", 4},   {"u64", 8}, {"s8", 1},  {"s16", 2},    {"s32", 4},     {"s64", 8},
     {"f16", 2},  {"f16x2", 4}, {"f32", 4}, {"f64", 8}, {"texref", 8}, {"surfref", 8}, {"samplerref", 8}}};
static_assert(static_cast<std::size_t>(Type::samplerref) + 1 == kTypes.size());

}  // namespace

unsigned size_of(Type type) { return kTypes[static_cast<std::size_t>(type)].size; }
bool is_float(Type type) { return type >= Type::f16 && type <= Type::f64; }
bool is_signed(Type type) { return type >= Type::s8 && type <= Type::s64; }
bool is_opaque(Type type) { return type >= Type::texref; }

std::string_view name_of(Type type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::string_view name_of(Space space) {
  constexpr std::array<std::string_view, 7> names{"reg",    "local", "shared", "param",
                                                  "global", "const", "generic"};
  return names[static_cast<std::size_t>(space)];
}

std::string_view name_of(Linkage linkage) {
  constexpr std::array<std::string_view, 5> names{"none", "extern", "visible", "weak", "common"};
  return names[static_cast<std::size_t>(linkage)];
}

std::optional<Type> type_named(std::string_view name) {
  const auto row = std::find_if(kTypes.begin(), kTypes.end(), [&](const Row& r) { return r.name == name; });
  if (row == kTypes.end()) return std::nullopt;
  return static_cast<Type>(row - kTypes.begin());
}

}  // namespace wedjat::ptx
