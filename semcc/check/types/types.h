// Type names and type functions.
#pragma once
#include <optional>

#include "semcc/check/types/value.h"

namespace semcc::check {

std::optional<ir::Type> type_named(const std::string& word);  // u32, b64, bf16x2, pred, integer …
ir::Type integer_type(unsigned width, bool is_signed, bool is_bits = false);
inline ir::Type pred_type() { return {ir::Kind::Pred, false, false, 1}; }
inline ir::Type exact_type() { return {ir::Kind::Integer}; }

// wide, half, part, packed (as many as fill 32 bits), bits, signed, unsigned; nothing if there is no function
// of that name. An unpacked type is its own part. Throws Refusal.
bool is_type_function(const std::string& name);
ir::Type apply_type_function(const std::string& name, const ir::Type& type, Location at);

mpz_class canonical_nan(const ir::Type& type, Location at);  // the pattern of one part

}  // namespace semcc::check
