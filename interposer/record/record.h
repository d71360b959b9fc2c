// `wedjat record`: runs a program under a private LTTng session with the recorder preloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "traces/format/names.h"

namespace CLI {
class App;
}

namespace wedjat::interposer {

struct RecordOptions {
  std::filesystem::path output;      // the trace folder to make; empty: NAME.wedjat here
  std::vector<std::string> command;  // program and arguments, at least the program
  std::filesystem::path driver;      // the real libcuda.so.1; empty: searched for
  bool time = false;                 // keep how long each launch took
  bool verify = false;               // keep what each launch changes; every launch is waited for
  bool last_memory_always = false;   // keep what is left in device memory also if results reach the host
  std::uint64_t last_memory = traces::kLastMemoryBytes;  // bytes of it that are read
  bool keep_ptx = false;               // compilers in the program leave PTX as it is (interposer/keep_ptx)
  bool emulated = false;               // the driver is that of `wedjat live`
  std::filesystem::path installation;  // folder that holds lib/wedjat; empty: the one above this executable's
};

// Records and returns the program's exit code (128 + signal if it was killed), also when the trace is not
// whole: that is reported on stderr and in the manifest. Throws std::runtime_error if the recording could not
// begin.
int record(const RecordOptions& options);

// Registers the subcommand `record`. Its callback throws CLI::RuntimeError with the exit code record()
// returned, or 125 after printing why the recording could not begin.
void add_record_command(CLI::App& app);

}  // namespace wedjat::interposer
