#include "interposer/shim/memory/timeline.h"

#include <algorithm>

namespace wedjat::interposer {

void Timeline::stream_begins(StreamKey stream, std::uint64_t context, bool waits_for_legacy) {
  // Looked up on every use of a stream: a stream that is known keeps its history.
  const auto [place, is_new] = streams_.try_emplace(stream);
  if (!is_new) return;
  place->second.context = context;
  place->second.waits_for_legacy = waits_for_legacy;
}

std::uint64_t Timeline::context_of(StreamKey stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.context;
}

void Timeline::merge(Clock& into, const Clock& from) {
  for (const auto& [stream, operations] : from) {
    std::uint64_t& known = into[stream];
    known = std::max(known, operations);
  }
}

void Timeline::follow(Stream& stream, StreamKey key, const Stream& other) const {
  merge(stream.follows, other.follows);
  std::uint64_t& known = stream.follows[key];
  known = std::max(known, other.operations);
}

// Through the context's legacy stream.
void Timeline::follow_implied(Stream& stream, StreamKey key) const {
  const StreamKey legacy_key = legacy(stream.context);
  if (key == legacy_key) {
    for (const auto& [other_key, other] : streams_) {
      if (other_key != key && other.context == stream.context && other.waits_for_legacy)
        follow(stream, other_key, other);
    }
  } else if (stream.waits_for_legacy) {
    const auto other = streams_.find(legacy_key);
    if (other != streams_.end()) follow(stream, legacy_key, other->second);
  }
}

std::uint64_t Timeline::enqueue(StreamKey key) { return enqueue(streams_[key], key); }

std::uint64_t Timeline::enqueue(StreamKey key, std::uint64_t context) {
  auto place = streams_.find(key);
  if (place == streams_.end()) place = streams_.try_emplace(key, Stream{.context = context}).first;
  enqueue(place->second, key);
  return place->second.context;
}

std::uint64_t Timeline::enqueue(Stream& stream, StreamKey key) {
  follow_implied(stream, key);
  if (stream.done == stream.operations) ++at_work_;
  return ++stream.operations;
}

void Timeline::wait(StreamKey stream, std::uint64_t event) {
  enqueue(stream);
  const auto found = events_.find(event);
  if (found != events_.end()) merge(streams_[stream].follows, found->second);
}

void Timeline::stream_ends(StreamKey key) {
  const auto found = streams_.find(key);
  if (found == streams_.end()) return;
  stream_done(found->second, found->second.operations);
  streams_.erase(found);
}

void Timeline::stream_done(Stream& stream, std::uint64_t operations) {
  if (operations <= stream.done) return;
  stream.done = operations;
  if (stream.done == stream.operations) --at_work_;
}

void Timeline::done(const Clock& clock) {
  for (const auto& [key, operations] : clock) {
    const auto found = streams_.find(key);
    if (found != streams_.end()) stream_done(found->second, operations);
  }
}

Clock Timeline::reached_by_stream(StreamKey key) {
  Stream& stream = streams_[key];
  follow_implied(stream, key);
  Clock clock = stream.follows;
  clock[key] = stream.operations;
  return clock;
}

Clock Timeline::reached_by_event(std::uint64_t event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? Clock() : found->second;
}

Clock Timeline::reached_by_context(std::uint64_t context) const {
  Clock clock;
  for (const auto& [key, stream] : streams_)
    if (stream.context == context) clock[key] = stream.operations;
  return clock;
}

}  // namespace wedjat::interposer
