// What the command writes to its streams: harmless, whatever is in it.
#pragma once

#include <cstdio>
#include <string_view>

namespace wedjat::cli {

// Colours, inside text that goes through the streams: bytes that no text of anybody else keeps its sense
// with.
inline constexpr char kGood = 0x11, kBad = 0x12, kPlain = 0x13;

// From here on control characters in what is printed to stdout and stderr are shown, not sent
// (emulator/text), also by a library. Call it first.
void guard_output();

// What kernels print: for a terminal as all else, for a file or a pipe byte for byte.
void print_device(std::FILE* stream, std::string_view text);

// False if standard output could not take all of it.
bool finish_output();

// Ours alone, past the guard; errors are of no interest.
void write_raw(int descriptor, std::string_view text);

}  // namespace wedjat::cli
