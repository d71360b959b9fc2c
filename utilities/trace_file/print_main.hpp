// The main() of a program that prints a trace file: what it takes, and how it ends.
#pragma once
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace trace_file {

/// `print` writes the lines of a file to standard output, and throws what is wrong with it. Gives the exit
/// code: 0 well, 2 wrong arguments, 3 the file is broken or standard output cannot be written.
inline int print_main(int argc, char** argv, const char* program, const char* what,
                      void (*print)(const char* file)) {
  const bool help = argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
  if (argc != 2 || help) {
    std::fprintf(help ? stdout : stderr, "usage: %s FILE\n%s\n", program, what);
    return help ? 0 : 2;
  }
  try {
    print(argv[1]);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw std::runtime_error("standard output cannot be written");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: error: %s\n", program, error.what());
    return 3;
  }
}

}  // namespace trace_file
