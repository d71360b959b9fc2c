#include "emulator/hooks/page/definitions.h"

#include <filesystem>
#include <fstream>

namespace wedjat::hooks {

std::string definitions_beside(const std::string& library) {
  constexpr std::size_t most = 64 * 1024;
  std::ifstream in(std::filesystem::path(library).replace_extension(".md"), std::ios::binary);
  std::string text(most, '\0');
  in.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(in.gcount()));
  // The heading is the tool's name, which the page shows already.
  if (text.starts_with("# ")) text.erase(0, text.find('\n'));
  return text;
}

}  // namespace wedjat::hooks
