// What a host and an isolated tool tell each other: JSON objects, each after its length as a u32.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emulator/hooks/report/report.h"
#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

/// Of an answer: what a tool sends costs its host several times as much memory.
inline constexpr std::uint32_t longest_message = 1u << 24;

/// A kernel is told in parts, for it may have 100,000 instructions: its own fields, with empty lists ...
nlohmann::json describe(const wedjat_kernel& kernel);
/// ... and what its lists hold from element `first` on, at most `part_elements` of each; null behind the
/// last.
nlohmann::json describe_part(const wedjat_kernel& kernel, std::uint32_t first);
inline constexpr std::uint32_t part_elements = 1024;
nlohmann::json describe(const wedjat_launch& launch);
nlohmann::json describe(const wedjat_call& call);

/// A report as the tool's process sends it; throws nlohmann::json::exception if it is none.
Report report_of(const nlohmann::json& json);

}  // namespace wedjat::hooks
