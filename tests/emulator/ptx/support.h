// Shared by the tests of ptx: text in, module or message out.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "emulator/ptx/module/module.h"

namespace wedjat::ptx {

inline const std::string kHeader = ".version 9.0\n.target sm_90a\n.address_size 64\n";

inline std::unique_ptr<const Module> parse(const std::string& text) {
  return Module::parse("t.ptx", kHeader + text);
}

inline void parse_bodies(const Module& module) {
  for (const Function& function : module.functions)
    if (function.has_body) function.body();
}

/// A module of one kernel k whose body is text.
inline std::unique_ptr<const Module> kernel(const std::string& body, const std::string& before = "") {
  return parse(before + ".visible .entry k(.param .u64 p)\n{\n" + body + "\n}\n");
}
inline const Body& body_of(const Module& module, const char* function = "k") {
  return module.functions[module.find_function(function)].body();
}

/// The message module and bodies of text are refused with; empty if they are not.
inline std::string refusal(const std::string& text) {
  try {
    parse_bodies(*parse(text));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}
inline std::string body_refusal(const std::string& body) {
  return refusal(".global .u32 g[4];\n.visible .entry k(.param .u64 p)\n{\n" + body + "\n}\n");
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::filesystem::path folder() {
  return std::filesystem::path(WEDJAT_SOURCE_DIR) / "tests" / "emulator" / "ptx";
}

}  // namespace wedjat::ptx
