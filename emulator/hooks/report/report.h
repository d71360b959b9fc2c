// What tools report: tables and findings. Text, JSON and HTML are made of them in one place.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace wedjat::hooks {

using Cell = std::variant<std::uint64_t, std::int64_t, double, std::string>;  ///< signed: negative ones only

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<Cell> cells;  ///< row after row
  std::size_t rows() const { return columns.empty() ? 0 : cells.size() / columns.size(); }
};

struct Finding {
  std::string severity;  ///< "error", "warning", "info"
  std::string kind, message, kernel, instruction, ptx_file, source_file;
  std::uint32_t ptx_line = 0, source_line = 0;
  std::uint64_t cta = 0;
  std::uint32_t thread = 0;
};

struct Report {
  std::string tool;
  std::vector<Table> tables;
  std::vector<Finding> findings;           ///< the first of them
  std::uint64_t errors = 0, warnings = 0;  ///< all that were not suppressed
  std::uint64_t suppressed = 0;
  std::string detached;       ///< why the tool was given up; empty: it was not
  std::string printed;        ///< the end of what one that was given up wrote to its standard error
  std::uint64_t dropped = 0;  ///< events an isolated tool did not get
  std::string chose_nothing;  ///< why its options chose nothing of the program; empty: they did
  bool checks = false;        ///< it is a checker: that it finds nothing says something
  std::uint64_t launches = 0, accesses = 0;  ///< watched: launches; accesses to memory by single threads
};

/// The text without what a terminal would obey.
std::string printable(std::string text);
std::string to_text(const Report& report);
nlohmann::json to_json(const Report& report);
/// How it ended, a sentence each: errors and warnings, what was dropped, why it was given up.
std::vector<std::string> conclusions(const Report& report);

}  // namespace wedjat::hooks
