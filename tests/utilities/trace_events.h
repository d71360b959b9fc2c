// What the Trace Event Format asks of a file that Perfetto and chrome://tracing are to show.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trace_events {

/// What is wrong with it, a sentence each.
class TraceEvents {
 public:
  explicit TraceEvents(const nlohmann::json& trace) {
    const bool is_whole =
        trace.is_object() && trace.contains("traceEvents") && trace["traceEvents"].is_array();
    expect(is_whole, "it is no object with a list of events", trace);
    if (!is_whole) return;
    for (const auto& event : trace["traceEvents"]) look_at(event);
    for (auto& [thread, slices] : slices_) {
      expect(named_.contains(thread), "a slice is on a thread without a name", thread.second);
      look_at_nesting(slices);
    }
    expect(!slices_.empty(), "there is no slice", nullptr);
  }

  std::vector<std::string> faults;

 private:
  using Slices = std::vector<std::pair<double, double>>;  // begin, and end below 0: the longest first

  void expect(bool holds, const char* fault, const nlohmann::json& of) {
    if (!holds && faults.size() < 10) faults.push_back(std::string(fault) + ": " + of.dump().substr(0, 200));
  }
  static bool has_number(const nlohmann::json& event, const char* key) {
    return event.contains(key) && event[key].is_number() && event[key].get<double>() >= 0;
  }
  // Process and thread 0 are the idle one of Perfetto, which shows no slices of it.
  static bool has_id(const nlohmann::json& event, const char* key) {
    return event.contains(key) && event[key].is_number_integer() && event[key].get<std::int64_t>() > 0 &&
           event[key].get<std::int64_t>() < std::int64_t{1} << 31;
  }

  void look_at(const nlohmann::json& event) {
    const bool is_event = event.is_object() && event.contains("ph") && event["ph"].is_string() &&
                          event.contains("name") && event["name"].is_string();
    expect(is_event, "an event has no phase or no name", event);
    if (!is_event) return;
    if (event.contains("args")) expect(event["args"].is_object(), "arguments are no object", event);
    if (event["ph"] == "X") {
      const bool is_slice = has_id(event, "pid") && has_id(event, "tid") && has_number(event, "ts") &&
                            has_number(event, "dur") && !event["name"].get<std::string>().empty();
      expect(is_slice, "a slice lacks its place, its time or its name", event);
      if (!is_slice) return;
      const double begin = event["ts"], length = event["dur"];
      slices_[{event["pid"], event["tid"]}].emplace_back(begin, -(begin + length));
    } else if (event["ph"] == "M") {
      const std::string name = event["name"];
      const bool is_thread = name.starts_with("thread_");
      const char* const key = name.ends_with("_name") ? "name" : "sort_index";
      expect(has_id(event, "pid") && (!is_thread || has_id(event, "tid")) && event.contains("args") &&
                 event["args"].contains(key),
             "a name lacks its place or what it says", event);
      if (name == "thread_name") named_.insert({event.value("pid", 0), event.value("tid", 0)});
    } else {
      expect(false, "an event is neither a slice nor a name", event);
    }
  }

  // Slices of a thread lie beside or within each other.
  void look_at_nesting(Slices& slices) {
    std::sort(slices.begin(), slices.end());
    std::vector<double> open;
    for (const auto& [begin, end] : slices) {
      while (!open.empty() && open.back() <= begin) open.pop_back();
      expect(open.empty() || -end <= open.back(), "slices of a thread overlap", {begin, -end});
      open.push_back(-end);
    }
  }

  std::map<std::pair<std::int64_t, std::int64_t>, Slices> slices_;
  std::set<std::pair<std::int64_t, std::int64_t>> named_;
};

inline std::string faults_of_trace(const nlohmann::json& trace) {
  std::string all;
  for (const std::string& fault : TraceEvents(trace).faults) all += fault + "\n";
  return all;
}

}  // namespace trace_events
