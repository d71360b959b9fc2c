// Machine code of a text: nothing can be learnt from it but which text it was.
#pragma once

#include <elf.h>

#include <cstring>
#include <functional>
#include <string_view>

#define FAKE extern "C" __attribute__((visibility("default")))

inline Elf64_Ehdr machine_code(std::string_view text) {
  Elf64_Ehdr code{};
  std::memcpy(code.e_ident, ELFMAG, SELFMAG);
  code.e_ident[EI_CLASS] = ELFCLASS64;
  code.e_machine = 190;  // EM_CUDA
  code.e_ehsize = sizeof code;
  code.e_entry = std::hash<std::string_view>()(text);
  return code;
}
