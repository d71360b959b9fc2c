// Semantics text to a checked program, for tests.
#pragma once
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "semcc/check/check.h"

struct Compiled {
  std::unique_ptr<semcc::front::Library> library = std::make_unique<semcc::front::Library>();
  std::unique_ptr<semcc::front::Diagnostics> diagnostics;
  semcc::ir::Program program;

  std::vector<std::string> form_texts() const {
    std::vector<std::string> texts;
    for (const auto& family : program.families)
      for (const auto& form : family.forms) texts.push_back(form.text());
    return texts;
  }
};

inline Compiled compile(const std::vector<std::string>& paths) {
  Compiled result;
  result.diagnostics = std::make_unique<semcc::front::Diagnostics>(result.library->sources);
  semcc::front::Loader(*result.library, *result.diagnostics).load(paths, "sm_90");
  if (!result.diagnostics->any()) result.program = semcc::check::check(*result.library, *result.diagnostics);
  return result;
}

// A folder that lives as long as this object.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("semcc-" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

// The only form of a family of one form whose body is `body`, with operands a, b in T and d out T.
inline Compiled compile_body(const std::string& type, const std::string& body) {
  const Folder folder;
  return compile({folder.write(
      "x.psem",
      "instruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : x d, a, b;\n  operands a, b : in " +
          type + "; d : out " + type + ";\n  thread { " + body + " }\n  example \"x 1, 2\" -> 1;\n}\n")});
}
