// Type names, state spaces and linkage of PTX (PTX ISA 5.1, 5.2, 10.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wedjat::ptx {

/// Types a variable or register can be declared with (5.2). Types that only instructions use
/// (.bf16, .tf32, .e4m3 ...) are words of a mnemonic and never appear here.
enum class Type : std::uint8_t {
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  f32,
  f64,
  texref,
  surfref,
  samplerref,
};

enum class Space : std::uint8_t { reg, local, shared, param, global, constant, generic };

enum class Linkage : std::uint8_t { none, external, visible, weak, common };

/// Bytes one value takes in memory; .pred has none (0), an opaque reference is a 64-bit handle.
unsigned size_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
bool is_opaque(Type type);

/// "u32" for Type::u32, and back (no leading dot).
std::string_view name_of(Type type);
std::string_view name_of(Space space);
std::string_view name_of(Linkage linkage);
std::optional<Type> type_named(std::string_view name);

}  // namespace wedjat::ptx
