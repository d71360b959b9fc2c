// What a GPU answered: one zstd frame, which holds a readable head and the output bytes of every form.
//
//   wedjat hardware truth 1
//   device NVIDIA H200
//   driver 580.159.03
//   date 2026-01-31
//   forms 6226
//   INPUT_HASH<tab>OUTPUT_BYTES<tab>FORM       one line a form; the hash is 16 hexadecimal digits
//   <empty line, then the outputs one after the other>
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "emulator/fidelity/packed.h"

namespace wedjat::fidelity {

struct Record {
  std::string form;
  std::uint64_t
      input_hash;  // of the input the output belongs to: a changed generator makes a truth stale, not wrong
  std::vector<std::byte> output;
};

struct Truth {
  std::string device, driver, date;
  std::vector<Record> records;
};

// Throws InputError if the file cannot be written.
void write_truth(const Truth& truth, const std::filesystem::path& file);

// Throws InputError naming the file and what is wrong with it.
Truth read_truth(const std::filesystem::path& file);

// One after the other; what a later part has of a form too takes the place of it. Device, driver and date are
// the last part's. Forms named in `without` are left out; throws InputError if no part has one of them.
Truth join_truth(std::vector<Truth> parts, const std::set<std::string>& without = {});

}  // namespace wedjat::fidelity
