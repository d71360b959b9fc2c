// Which functions the live driver carries out, and what it answers for the device: interposer/live/*.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interposer/gen/model.h"

namespace wedjat::interposer {

struct LiveCall {
  std::string needs;                         // nothing, driver, object, context
  std::set<std::string> optional;            // pointers that may be null
  std::set<std::string> beside_captures;     // default_stream, unsafe, waits
  bool tells_failure = false;                // before all else, once a kernel has failed
  std::vector<std::string> looked_at_first;  // parameters; then it tells
  bool looks_itself = false;                 // interposer/live/work/looks.h
};

struct LiveModel {
  std::map<std::string, LiveCall> calls;  // by name without the stream flavour
  std::map<std::string, std::int64_t> numbers;
  std::string device_name;
  std::map<std::int64_t, std::int64_t> attributes, limits;  // by value of the enumeration
  std::vector<std::pair<std::int64_t, std::string>> error_texts;
};

// Reads DIR/calls.yaml, DIR/after_failures.yaml and DIR/h200.yaml. Throws std::runtime_error naming what is
// not in the API table.
LiveModel load_live(const std::filesystem::path& directory, const Model& model);

// "cuMemcpyHtoD_v2_ptds" -> "cuMemcpyHtoD_v2"
std::string without_flavour(const Function& function);

std::string emit_live_calls(const Model& model,
                            const LiveModel& live);  // declarations of what is carried out
std::string emit_live_entries(const Model& model, const LiveModel& live, int part, int parts);
std::string emit_live_profile(const Model& model, const LiveModel& live);

}  // namespace wedjat::interposer
