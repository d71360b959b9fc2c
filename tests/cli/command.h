// Runs the command as a user does.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shell.h"

// `arguments` go through the shell.
inline Outcome wedjat(const std::string& arguments) {
  return shell(std::string(WEDJAT_COMMAND) + " " + arguments);
}

// A scratch folder.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("wedjat-cli-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};
