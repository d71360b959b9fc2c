// Functions of one number that ptxas rounds correctly where the number is a literal, and what they give then.
// Which they are: semantics/profiles/sm_90_contraction.psem.
#pragma once
#include <mpfr.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

class LiteralFunctions {
 public:
  /// As the profile lists them; read once.
  static const LiteralFunctions& generated();
  LiteralFunctions();

  bool know(const Form* form) const { return steps_.contains(form) || exact_.contains(form); }
  /// The pattern of the result, of a pattern of f32; `form` is known.
  std::uint32_t of(const Form* form, std::uint32_t x) const;

 private:
  using Exact = int (*)(mpfr_t, const __mpfr_struct*, mpfr_rnd_t);
  void add(const char* list, Exact function);

  std::unordered_map<const Form*, std::vector<const Form*>> steps_;  // one after the other
  std::unordered_map<const Form*, Exact> exact_;                     // what no instruction computes
};

}  // namespace wedjat::kernel
