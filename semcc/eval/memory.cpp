#include "semcc/eval/memory.h"

namespace semcc::eval {

std::uint64_t address_of(const Word& word) {
  if (!word.known()) throw Unsupported("an unspecified address");
  mpz_class low;
  mpz_fdiv_r_2exp(low.get_mpz_t(), word.bits.get_mpz_t(), 64);
  return mpz_get_ui(low.get_mpz_t());
}

Word load(const Memory& memory, const ir::Stmt& statement, std::uint64_t where) {
  Word word;
  const unsigned bits = statement.type.bits();
  for (unsigned byte = bits / 8; byte-- > 0;) {
    const auto found = memory.find({statement.labels.space, where + byte});
    word.bits = (word.bits << 8) + (found == memory.end() ? 0 : found->second);
  }
  const bool is_signed = statement.type.kind == ir::Kind::Integer && statement.type.is_signed;
  if (is_signed && mpz_tstbit(word.bits.get_mpz_t(), bits - 1) != 0) word.bits -= mpz_class(1) << bits;
  return word;
}

void store(Memory& memory, const ir::Stmt& statement, std::uint64_t where, const Word& word) {
  if (!word.known() && !word.nan) throw Unsupported("unspecified bits reach memory");
  for (unsigned byte = 0; byte < statement.type.bits() / 8; ++byte) {
    mpz_class low;
    mpz_fdiv_r_2exp(low.get_mpz_t(), mpz_class(word.bits >> (8 * byte)).get_mpz_t(), 8);
    memory[{statement.labels.space, where + byte}] = static_cast<std::uint8_t>(low.get_ui());
  }
}

}  // namespace semcc::eval
