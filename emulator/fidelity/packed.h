// Texts as one zstd frame with its size and a checksum.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wedjat::fidelity {

// A malformed truth file, list or table; the message names it and what is wrong.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `name` is what errors call it. Throws InputError.
std::string unpack(std::string_view packed, std::string_view name);
std::string read_packed(const std::filesystem::path& file);
void write_packed(std::string_view content, const std::filesystem::path& file);

}  // namespace wedjat::fidelity
