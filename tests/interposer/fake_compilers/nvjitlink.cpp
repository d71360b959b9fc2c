#include <string>

#include "tests/interposer/fake_compilers/machine_code.h"

namespace {

constexpr int kPtx = 2, kLtoIr = 3, kLibrary = 6;

struct Link {
  bool lto = false, ptx = false, library = false;
  std::string text;
};

}  // namespace

FAKE int nvJitLinkCreate(Link** link, unsigned count, const char** options) {
  *link = new Link;
  for (unsigned i = 0; i < count; ++i) {
    if (std::strcmp(options[i], "-lto") == 0) (*link)->lto = true;
    if (std::strcmp(options[i], "-ptx") == 0) (*link)->ptx = true;
  }
  return 0;
}
// LTO-IR is PTX with every byte turned round.
FAKE int nvJitLinkAddData(Link* link, int type, const char* data, std::size_t size, const char*) {
  if (type == kLibrary) return link->library = true, 0;  // nothing of it is needed
  if (type != kPtx && !(type == kLtoIr && link->lto)) return 4;
  for (std::size_t i = 0; i < size; ++i) link->text += type == kLtoIr ? static_cast<char>(~data[i]) : data[i];
  return 0;
}
FAKE int nvJitLinkComplete(Link* link) {
  return link->ptx && link->library ? 6 : 0;
}  // it holds machine code
FAKE int nvJitLinkGetLinkedCubinSize(Link* link, std::size_t* size) {
  return *size = sizeof(Elf64_Ehdr), link->ptx ? 6 : 0;
}
FAKE int nvJitLinkGetLinkedCubin(Link* link, void* cubin) {
  const Elf64_Ehdr code = machine_code(link->text);
  return std::memcpy(cubin, &code, sizeof code), link->ptx ? 6 : 0;
}
FAKE int nvJitLinkGetLinkedPtxSize(Link* link, std::size_t* size) {
  return *size = link->text.size(), link->lto && link->ptx ? 0 : 3;
}
FAKE int nvJitLinkGetLinkedPtx(Link* link, char* ptx) {
  return std::memcpy(ptx, link->text.data(), link->text.size()), link->lto && link->ptx ? 0 : 3;
}
FAKE int nvJitLinkDestroy(Link** link) {
  delete *link;
  return *link = nullptr, 0;
}

// The names that the header of a toolkit gives them.
FAKE int __nvJitLinkCreate_13_0(Link** link, unsigned count, const char** options) {
  return nvJitLinkCreate(link, count, options);
}
FAKE int __nvJitLinkAddData_13_0(Link* link, int type, const char* data, std::size_t size, const char* name) {
  return nvJitLinkAddData(link, type, data, size, name);
}
FAKE int __nvJitLinkGetLinkedCubin_13_0(Link* link, void* cubin) {
  return nvJitLinkGetLinkedCubin(link, cubin);
}
FAKE int __nvJitLinkDestroy_13_0(Link** link) { return nvJitLinkDestroy(link); }
