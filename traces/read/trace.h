// A whole recording: manifest, events in their order, contents.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/format/blob_reader.h"
#include "traces/format/manifest.h"
#include "traces/read/archive.h"
#include "traces/read/event.h"
#include "traces/read/limits.h"

namespace wedjat::traces {

struct Trace {
  std::filesystem::path folder;               // as named by the user: a folder, or a packed trace
  std::shared_ptr<TemporaryFolder> unpacked;  // where a packed trace lies while it is used
  Manifest manifest;
  BlobReader blobs;
  std::vector<Event> events;  // by sequence number
  std::vector<std::string>
      flaws;  // why it is not whole: what manifest, events and store say; empty for a good trace

  std::uint64_t memory_limit = 0;  // of contents

  // The contents a `payload`, `image` or `host_delta` event speaks of. Throws FormatError.
  Bytes contents(const Event& event) const;
  void contents(const Event& event, Bytes& bytes) const;  // into memory that is there already
  // The same in parts that follow one another (BlobReader::read_parts), whatever their size.
  void contents(const Event& event, const BlobReader::Take& take) const;
};

// `path`: a trace folder, or a packed trace (traces/read/archive.h). Throws FormatError if it is no trace, is
// of a newer format, or is so damaged that nothing can be said of it. Lost or cut events are no error here
// but `flaws`.
Trace open_trace(const std::filesystem::path& path, const ReadLimits& limits = {});

// One driver call: its entry, its exit (absent if the program ended before it), and the metadata events that
// name it.
struct Call {
  std::string_view symbol;  // "cuMemcpyHtoD_v2"
  std::string base;         // "cuMemcpyHtoD": without version and stream suffix
  const Event* entry = nullptr;
  const Event* exit = nullptr;
  std::vector<const Event*> attached;  // payload, image, host_range, host_delta …, by sequence

  std::uint64_t sequence() const { return entry->sequence; }
  bool succeeded() const { return exit && exit->number("result") == 0; }
  // The `payload` of that name, or null.
  const Event* payload(std::string_view name) const;
};

// The calls in order, and the events that belong to no call (process, device_info, kernel_info).
struct Calls {
  std::vector<Call> calls;
  std::vector<const Event*> loose;
  std::shared_ptr<std::deque<Event>> implied = {};  // exits that were not recorded, for all went well at once
};
Calls group_calls(const Trace& trace);

// The same, apart for every process that called the driver, in the order of their first calls.
std::vector<Calls> by_process(const Calls& calls);

// "cuMemcpyHtoDAsync_v2_ptsz" -> "cuMemcpyHtoDAsync"
std::string base_name(std::string_view symbol);

}  // namespace wedjat::traces
