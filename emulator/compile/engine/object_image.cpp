#include "emulator/compile/engine/object_image.h"

#include <fmt/format.h>
#include <llvm/Object/ELFObjectFile.h>

#include <cstring>
#include <map>
#include <stdexcept>

#include "emulator/compile/engine/good.h"

namespace wedjat::compile {

namespace {

namespace object = llvm::object;
namespace elf = llvm::ELF;

constexpr std::size_t alignment = 64;

class Linker {
 public:
  Linker(const object::ELF64LEObjectFile& file) : file_(file) {}

  Image link(const std::string& name) {
    for (const object::ELFSectionRef section : file_.sections())
      if (is_loaded(section)) add(section);
    collect();
    append_table();
    for (const object::ELFSectionRef section : file_.sections())
      each_relocation(section, [&](auto&&... where) { patch(where...); });
    for (const object::ELFSymbolRef symbol : file_.symbols())
      if (symbol.getELFType() == elf::STT_FUNC && good(symbol.getName()) == name) {
        image_.entry = static_cast<std::uint32_t>(address(symbol));
        return std::move(image_);
      }
    throw std::runtime_error("the object of native code has no function '" + name + "'");
  }

 private:
  static bool is_loaded(const object::ELFSectionRef& section) {
    return (section.getFlags() & elf::SHF_ALLOC) != 0 && section.getSize() != 0;
  }

  void align(std::size_t to) { image_.bytes.resize((image_.bytes.size() + to - 1) / to * to); }

  void add(const object::ELFSectionRef& section) {
    if (section.getAlignment().value() > alignment)
      throw std::runtime_error("native code wants to lie at a multiple of " +
                               std::to_string(section.getAlignment().value()));
    if ((section.getFlags() & elf::SHF_WRITE) != 0)
      throw std::runtime_error("native code wants memory of its own: " + good(section.getName()).str());
    align(section.getAlignment().value());
    const std::size_t begin = image_.bytes.size();
    sections_[section.getIndex()] = begin;
    const llvm::StringRef contents = good(section.getContents());
    image_.bytes.resize(begin + contents.size());
    std::memcpy(image_.bytes.data() + begin, contents.data(), contents.size());
    if (good(section.getName()) != ".eh_frame") return;
    image_.frames = static_cast<std::uint32_t>(begin);
    image_.bytes.resize(image_.bytes.size() + sizeof(std::uint32_t));  // ends it
  }

  // Calls `what` with the place in the image, the kind, the symbol and the addend.
  template <class What>
  void each_relocation(const object::ELFSectionRef& of, What&& what) {
    const object::section_iterator patched = good(of.getRelocatedSection());
    if (patched == file_.section_end()) return;
    const auto place = sections_.find(patched->getIndex());
    if (place == sections_.end()) return;
    for (const object::ELFRelocationRef relocation : of.relocations()) {
      const object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == file_.symbol_end()) throw std::runtime_error("native code refers to nothing");
      what(place->second + relocation.getOffset(), relocation.getType(), object::ELFSymbolRef(*symbol),
           good(relocation.getAddend()));
    }
  }

  bool is_defined(const object::ELFSymbolRef& symbol) {
    return good(symbol.getSection()) != file_.section_end();
  }

  std::uint64_t address(const object::ELFSymbolRef& symbol) {
    return sections_.at(good(symbol.getSection())->getIndex()) + good(symbol.getValue());
  }

  // What it refers to elsewhere, and what of that it calls.
  void collect() {
    for (const object::ELFSectionRef section : file_.sections())
      each_relocation(
          section, [&](std::uint64_t, std::uint64_t type, const object::ELFSymbolRef& symbol, std::int64_t) {
            if (is_defined(symbol)) return;
            const std::string name = good(symbol.getName()).str();
            const auto [word, is_new] = words_.try_emplace(name, image_.links.size());
            if (is_new) image_.links.push_back(link_of(name));
            if (type == elf::R_X86_64_PLT32 || type == elf::R_X86_64_PC32) jumps_.try_emplace(name, 0);
          });
  }

  // Behind the table, jumps to where words of it say.
  void append_table() {
    align(alignment);
    image_.table = static_cast<std::uint32_t>(image_.bytes.size());
    image_.bytes.resize(image_.bytes.size() + sizeof(std::uint64_t) * image_.links.size());
    for (auto& [name, jump] : jumps_) {
      align(8);
      jump = image_.bytes.size();
      // jmp *word(%rip)
      constexpr unsigned char code[6] = {0xff, 0x25};
      image_.bytes.resize(jump + sizeof code);
      std::memcpy(image_.bytes.data() + jump, code, sizeof code);
      put(jump + 2, word(name) - static_cast<std::int64_t>(jump + sizeof code));
    }
  }

  std::int64_t word(const std::string& name) {
    return static_cast<std::int64_t>(image_.table + sizeof(std::uint64_t) * words_.at(name));
  }

  void put(std::uint64_t place, std::int64_t distance) {
    const auto small = static_cast<std::int32_t>(distance);
    if (small != distance) throw std::runtime_error("native code is too large");
    std::memcpy(image_.bytes.data() + place, &small, sizeof small);
  }

  void patch(std::uint64_t place, std::uint64_t type, const object::ELFSymbolRef& symbol,
             std::int64_t addend) {
    const std::int64_t from = addend - static_cast<std::int64_t>(place);
    const bool defined = is_defined(symbol);
    switch (type) {
      case elf::R_X86_64_PC32:
      case elf::R_X86_64_PLT32:
        return put(place, (defined ? static_cast<std::int64_t>(address(symbol))
                                   : static_cast<std::int64_t>(jumps_.at(good(symbol.getName()).str()))) +
                              from);
      case elf::R_X86_64_GOTPCREL:
      case elf::R_X86_64_GOTPCRELX:
      case elf::R_X86_64_REX_GOTPCRELX:
        if (!defined) return put(place, word(good(symbol.getName()).str()) + from);
        break;
      default:
        break;
    }
    throw std::runtime_error(fmt::format("native code refers to '{}' in a way that is not known: {}",
                                         good(symbol.getName()).str(), type));
  }

  const object::ELF64LEObjectFile& file_;
  Image image_;
  std::map<std::uint64_t, std::uint64_t> sections_;  // where those of a number lie
  std::map<std::string, std::size_t> words_;         // of the table
  std::map<std::string, std::uint64_t> jumps_;
};

}  // namespace

Image image_of(llvm::MemoryBufferRef bytes, const std::string& name) {
  const auto file = good(object::ObjectFile::createELFObjectFile(bytes));
  const auto* const known = llvm::dyn_cast<object::ELF64LEObjectFile>(file.get());
  if (known == nullptr) throw std::runtime_error("native code is of another kind of processor");
  return Linker(*known).link(name);
}

}  // namespace wedjat::compile
