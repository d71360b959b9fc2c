// The formats that a replay is exported to. README.md has their columns.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "emulator/hooks/hooks.h"
#include "emulator/hooks/report/report.h"
#include "traces/export/activity.h"

namespace wedjat::traces {

// All throw FormatError if the file cannot be written. `device`: its name.
void write_sqlite(const std::filesystem::path& file, const Activity& activity, const std::string& device,
                  const std::vector<hooks::Report>& tools);
void write_perfetto(const std::filesystem::path& file, const Activity& activity);

enum class Lines : std::uint8_t { csv, ndjson };
void write_launches(const std::filesystem::path& file, const Activity& activity, Lines format);

// Every access to memory, or every value written to registers, as it happens. Without finish() the file is
// removed.
class LineWriter {
 public:
  enum class What : std::uint8_t { memory, registers };
  LineWriter(const std::filesystem::path& file, Lines format, What what);
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;

  void attach(hooks::Hooks& hooks);
  void finish();  // throws FormatError if not all could be written

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace wedjat::traces
