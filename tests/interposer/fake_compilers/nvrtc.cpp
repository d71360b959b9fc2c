#include "tests/interposer/fake_compilers/machine_code.h"

FAKE int nvrtcGetCUBINSize(const char*, std::size_t* size) { return *size = sizeof(Elf64_Ehdr), 0; }
FAKE int nvrtcGetCUBIN(const char* program, char* cubin) {
  const Elf64_Ehdr code = machine_code(program);
  return std::memcpy(cubin, &code, sizeof code), 0;
}
FAKE int nvrtcGetPTXSize(const char* program, std::size_t* size) {
  return *size = std::strlen(program) + 1, 0;
}
FAKE int nvrtcGetPTX(const char* program, char* ptx) { return std::strcpy(ptx, program), 0; }
