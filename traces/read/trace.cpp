#include "traces/read/trace.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "traces/format/error.h"
#include "traces/read/ctf_reader.h"
#include "traces/read/intern.h"

namespace wedjat::traces {
namespace {

// Numbers are dense from 0: every hole is an event that was lost, or a call that had begun when the program
// was killed and was not told yet.
void check_sequence(Trace& trace) {
  std::uint64_t expected = 0, holes = 0, first_hole = 0, twice = 0;
  std::vector<std::uint64_t> open = trace.manifest.open_calls;
  std::ranges::sort(open);
  open.erase(std::unique(open.begin(), open.end()), open.end());
  const auto skip = [&](std::uint64_t end) {
    if (end <= expected) return;
    auto untold = std::ranges::lower_bound(open, expected);
    const auto last = std::ranges::lower_bound(open, end);
    const auto lost = end - expected - static_cast<std::uint64_t>(last - untold);
    if (holes == 0 && lost != 0) {
      first_hole = expected;
      for (; untold != last && *untold == first_hole; ++untold) ++first_hole;
    }
    holes += lost;
  };
  for (const Event& event : trace.events) {
    if (event.sequence < expected) {
      ++twice;
      continue;
    }
    skip(event.sequence);
    expected = event.sequence + 1;
  }
  skip(trace.manifest.events_numbered);
  if (holes)
    trace.flaws.push_back(std::to_string(holes) + " events are missing, the first has seq " +
                          std::to_string(first_hole));
  if (twice) trace.flaws.push_back(std::to_string(twice) + " sequence numbers stand twice");
}

// An exit that is not its call's would leave that call out: for replay it would not have returned.
void check_exits(Trace& trace) {
  std::unordered_map<std::uint64_t, const Event*> open;  // entries whose exit has not come
  std::uint64_t strays = 0, first_stray = 0;
  for (const Event& event : trace.events) {
    if (event.provider != kCallProvider) continue;
    if (event.name.ends_with(kEntrySuffix)) {
      open[event.sequence] = &event;
      continue;
    }
    const auto entry = event.find("call") ? open.find(event.number("call")) : open.end();
    const auto symbol = [](const Event& one, std::string_view suffix) {
      return one.name.substr(0, one.name.size() - suffix.size());
    };
    if (entry != open.end() && event.name.ends_with(kExitSuffix) &&
        symbol(*entry->second, kEntrySuffix) == symbol(event, kExitSuffix) &&
        entry->second->process == event.process && entry->second->thread == event.thread) {
      open.erase(entry);
    } else if (strays++ == 0) {
      first_stray = event.sequence;
    }
  }
  if (strays)
    trace.flaws.push_back("exit events belong to no call: " + std::to_string(strays) +
                          ", the first has seq " + std::to_string(first_stray));
}

// Contents that were not written when the program was killed: in the place of their event it is told what is
// not there.
void add_untold(Trace& trace) {
  if (trace.manifest.untold.empty()) return;
  auto untold = trace.manifest.untold;
  std::unordered_map<std::uint64_t, std::pair<std::int32_t, std::int32_t>> callers;
  for (const Event& event : trace.events) {
    untold.erase(event.sequence);
    if (event.provider == kCallProvider) callers[event.sequence] = {event.process, event.thread};
  }
  for (const auto& [sequence, call] : untold) {
    Event& event = trace.events.emplace_back();
    event.provider = intern(kMetaProvider);
    event.name = intern("uncaptured");
    event.sequence = sequence;
    std::tie(event.process, event.thread) = callers[call];
    event.fields = {{intern("seq"), sequence},
                    {intern("call"), call},
                    {intern("name"), std::string("contents")},
                    {intern("reason"), std::string("the program was killed before they were written")}};
  }
}

// Flipped bits that leave CTF well-formed would pass for other events.
void check_event_files(const std::filesystem::path& folder, const Manifest& manifest) {
  if (manifest.event_files.empty()) return;  // a flaw: why_not_whole()
  const auto found = hash_event_files(folder);
  for (const auto& [name, hash] : found)
    if (!manifest.event_files.count(name))
      throw FormatError((folder / kEventsFolder / name).string(), "is not among the files of the manifest");
  for (const auto& [name, hash] : manifest.event_files) {
    const std::string path = (folder / kEventsFolder / name).string();
    const auto file = found.find(name);
    if (file == found.end()) throw FormatError(path, "is missing");
    if (file->second != hash)
      throw FormatError(path, "is damaged: its contents do not hash to what the manifest says");
  }
}

// What an event says of its contents.
struct Told {
  const Trace& trace;
  const Event& event;
  const Hash hash;
  const std::uint64_t size;

  Told(const Trace& whole, const Event& one)
      : trace(whole),
        event(one),
        hash{one.number("hash_high"), one.number("hash_low")},
        size(one.number("size")) {}

  FormatError wrong(const std::string& cause) const {
    return {trace.folder.string() + ": event " + std::string(event.name) + " (seq " +
                std::to_string(event.sequence) + ")",
            cause};
  }
  // The contents, if they stand in the event itself.
  const Bytes* here() const {
    if (size > kInlineBytes || !event.find("data") || event.bytes("data").size() != size) return nullptr;
    const Bytes& bytes = event.bytes("data");
    if (hash_bytes(bytes) != hash) throw wrong("the contents do not hash to " + to_hex(hash));
    return &bytes;
  }
  void require_stored() const {
    if (const std::uint64_t stored = trace.blobs.size(hash); stored != size)
      throw wrong("says " + std::to_string(size) + " bytes but its contents have " + std::to_string(stored));
  }
};

// What lies unpacked among temporary files is told as a part of its archive.
std::string told_of_archive(std::string text, const std::string& folder, const std::string& archive) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != text.npos; at += archive.size())
    text.replace(at, folder.size(), archive);
  return text;
}
template <class Work>
auto tell_of_archive(const TemporaryFolder* unpacked, const std::filesystem::path& archive, Work&& work) {
  try {
    return work();
  } catch (const FormatError& error) {
    if (unpacked == nullptr) throw;
    const std::string text = told_of_archive(error.what(), unpacked->path().string(), archive.string());
    const std::size_t file = text.find(": ");
    throw FormatError(text.substr(0, file), text.substr(file + 2));
  }
}

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

}  // namespace

namespace {

Trace read_trace(const std::filesystem::path& path, const std::filesystem::path& folder,
                 const std::shared_ptr<TemporaryFolder>& unpacked, const ReadLimits& limits) {
  Trace trace{path, unpacked, read_manifest(folder), BlobReader(folder / kBlobsFolder),
              {},   {},       limits.memory};
  check_event_files(folder, trace.manifest);
  trace.flaws = trace.manifest.why_not_whole();
  trace.events = read_ctf(folder / kEventsFolder, trace.flaws);
  if (trace.events.empty())
    throw FormatError((folder / kEventsFolder).string(),
                      trace.flaws.empty() ? "holds no events: the program never called the CUDA driver"
                                          : "holds no events: " + trace.flaws.back());
  add_untold(trace);
  // Those of one thread are in order already, and sorting takes half their memory again.
  if (!std::ranges::is_sorted(trace.events, {}, &Event::sequence))
    std::ranges::stable_sort(trace.events, {}, &Event::sequence);
  check_sequence(trace);
  check_exits(trace);
  for (const auto& damage : trace.blobs.damage()) trace.flaws.push_back(damage);
  if (unpacked != nullptr)
    for (std::string& flaw : trace.flaws) flaw = told_of_archive(flaw, folder.string(), path.string());
  return trace;
}

}  // namespace

Trace open_trace(const std::filesystem::path& path, const ReadLimits& limits) {
  if (!std::filesystem::exists(path)) throw FormatError(path.string(), "no such trace");
  if (std::filesystem::is_directory(path)) return read_trace(path, path, nullptr, limits);
  const auto unpacked = std::make_shared<TemporaryFolder>();
  return tell_of_archive(unpacked.get(), path, [&] {
    unpack_trace(path, unpacked->path(), limits.unpacked ? limits.unpacked : default_unpack_limit(path));
    return read_trace(path, unpacked->path(), unpacked, limits);
  });
}

Bytes Trace::contents(const Event& event) const {
  Bytes bytes;
  contents(event, bytes);
  return bytes;
}

void Trace::contents(const Event& event, Bytes& bytes) const {
  const Told told(*this, event);
  if (told.size > memory_limit)
    throw told.wrong("says " + std::to_string(told.size) + " bytes, and " + std::to_string(memory_limit) +
                     " are allowed (--memory-limit)");
  if (const Bytes* here = told.here()) {
    bytes = *here;
    return;
  }
  tell_of_archive(unpacked.get(), folder, [&] {
    told.require_stored();
    blobs.read(told.hash, bytes);  // which hashes them
  });
}

void Trace::contents(const Event& event, const BlobReader::Take& take) const {
  const Told told(*this, event);
  if (const Bytes* here = told.here()) return take(0, *here);
  tell_of_archive(unpacked.get(), folder, [&] {
    told.require_stored();
    blobs.read_parts(told.hash, take);
  });
}

std::string base_name(std::string_view symbol) {
  for (std::string_view suffix : {"_ptsz", "_ptds"})
    if (ends_with(symbol, suffix)) symbol.remove_suffix(suffix.size());
  for (std::string_view suffix : {"_v2", "_v3", "_v4"})
    if (ends_with(symbol, suffix)) symbol.remove_suffix(suffix.size());
  return std::string(symbol);
}

const Event* Call::payload(std::string_view name) const {
  for (const Event* event : attached)
    if (event->name == "payload" && event->text("name") == name) return event;
  return nullptr;
}

namespace {

// The calls without exit event that did not return: what the recording says, or if it was never closed, the
// last one of each thread.
std::unordered_set<std::uint64_t> open_calls(const Trace& trace, const Calls& calls) {
  std::unordered_set<std::uint64_t> open(trace.manifest.open_calls.begin(), trace.manifest.open_calls.end());
  if (!trace.manifest.event_files.empty()) return open;
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> last;
  for (const Call& call : calls.calls) last[{call.entry->process, call.entry->thread}] = call.sequence();
  for (const auto& [thread, sequence] : last) open.insert(sequence);
  return open;
}

void imply_exits(const Trace& trace, Calls& calls) {
  if (trace.manifest.format < kImpliedExits) return;
  const auto open = open_calls(trace, calls);
  calls.implied = std::make_shared<std::deque<Event>>();
  for (Call& call : calls.calls) {
    if (call.exit != nullptr || open.contains(call.sequence())) continue;
    Event& exit = calls.implied->emplace_back();
    exit.provider = call.entry->provider;
    exit.name = intern(std::string(call.symbol) + kExitSuffix);
    exit.sequence = call.sequence();
    exit.process = call.entry->process;
    exit.thread = call.entry->thread;
    exit.fields = {{intern("seq"), call.sequence()},
                   {intern("call"), call.sequence()},
                   {intern("result"), std::int64_t{0}}};
    call.exit = &exit;
  }
}

}  // namespace

Calls group_calls(const Trace& trace) {
  Calls result;
  std::unordered_map<std::uint64_t, std::size_t> by_sequence;  // entry seq -> index
  for (const Event& event : trace.events) {
    if (event.provider != kCallProvider) continue;
    if (ends_with(event.name, kEntrySuffix)) {
      const auto symbol = event.name.substr(0, event.name.size() - std::string_view(kEntrySuffix).size());
      by_sequence.emplace(event.sequence, result.calls.size());
      result.calls.push_back({symbol, base_name(symbol), &event, nullptr, {}});
    }
  }
  const auto call_of = [&](const Event& event) -> Call* {
    const Value* call = event.find("call");
    if (!call) return nullptr;
    const auto found = by_sequence.find(event.number("call"));
    return found == by_sequence.end() ? nullptr : &result.calls[found->second];
  };
  for (const Event& event : trace.events) {
    const bool is_call = event.provider == kCallProvider;
    if (is_call && !ends_with(event.name, kExitSuffix)) continue;
    if (Call* call = call_of(event)) {
      if (is_call)
        call->exit = &event;
      else
        call->attached.push_back(&event);
    } else if (!is_call) {
      result.loose.push_back(&event);
    }
  }
  imply_exits(trace, result);
  return result;
}

std::vector<Calls> by_process(const Calls& calls) {
  std::vector<Calls> result;
  std::unordered_map<std::int32_t, std::size_t> index;
  const auto of = [&](const Event& event) -> Calls& {
    const auto [place, is_new] = index.try_emplace(event.process, result.size());
    if (is_new) result.emplace_back().implied = calls.implied;
    return result[place->second];
  };
  for (const Call& call : calls.calls) of(*call.entry).calls.push_back(call);
  for (const Event* event : calls.loose)
    if (index.contains(event->process)) of(*event).loose.push_back(event);
  return result;
}

}  // namespace wedjat::traces
