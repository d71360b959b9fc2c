// A committed table as plain text, for what reads no zstd: unpack_table FROM TO. A build step.
#include <fmt/format.h>

#include <fstream>

#include "emulator/fidelity/packed.h"

int main(int argc, char** argv) try {
  if (argc != 3) throw wedjat::fidelity::InputError("usage: unpack_table FROM TO");
  std::ofstream out(argv[2], std::ios::binary);
  out << wedjat::fidelity::read_packed(argv[1]);
  if (!out.flush()) throw wedjat::fidelity::InputError(fmt::format("{}: cannot be written", argv[2]));
} catch (const wedjat::fidelity::InputError& error) {
  fmt::print(stderr, "unpack_table: {}\n", error.what());
  return 1;
}
