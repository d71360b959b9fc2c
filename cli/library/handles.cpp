#include "cli/library/handles.h"

#include <fmt/format.h>

#include <atomic>

namespace wedjat::library {
namespace {

std::atomic<std::uint64_t> given_out{0};

}  // namespace

// Odd, so that no address of an object is one by chance.
std::uint64_t new_handle() { return 2 * ++given_out + 1; }

void wrong_handle(std::uint64_t number, const char* kind) {
  if (number == 0) throw WrongArgument(fmt::format("the {} is NULL", kind));
  if (number % 2 == 1 && number <= 2 * given_out + 1)
    throw WrongArgument(fmt::format("the {} is gone, or it was never a {}", kind, kind));
  throw WrongArgument(fmt::format("{:#x} is no {}: the library never gave it out", number, kind));
}

}  // namespace wedjat::library
