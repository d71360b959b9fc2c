#include "emulator/kernel/check.h"

#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/lower.h"

namespace wedjat::kernel {
namespace {

// Nothing is loaded: any address will do.
struct Anywhere : Addresses {
  std::uint64_t variable(ptx::SymbolId) const override { return 0x1000; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
  std::uint64_t function(ptx::SymbolId) const override { return 0x10; }
};

}  // namespace

std::optional<FoundRefusal> refusal_of(const ptx::Program& program, ptx::SymbolId function) {
  try {
    lower(program, function, Anywhere());
    return {};
  } catch (const NotRun& error) {
    return FoundRefusal{error, true};
  } catch (const ptx::Error& error) {
    return FoundRefusal{error, false};
  }
}

}  // namespace wedjat::kernel
