// Which work a wait waits for: a vector clock a stream and an event.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace wedjat::interposer {

using StreamKey = std::uint64_t;
using Clock = std::unordered_map<StreamKey, std::uint64_t>;  // stream -> how many of its operations

class Timeline {
 public:
  void stream_begins(StreamKey stream, std::uint64_t context, bool waits_for_legacy);
  void stream_ends(StreamKey stream);
  std::uint64_t context_of(StreamKey stream) const;

  // One more operation of the stream: it follows all earlier ones and, through the context's legacy stream,
  // those that this implicitly waits for. Returns its number.
  std::uint64_t enqueue(StreamKey stream);
  // The same of a stream that may not be known yet: then it is one of this context. Returns the context that
  // it works in.
  std::uint64_t enqueue(StreamKey stream, std::uint64_t context);

  void record(std::uint64_t event, Clock reached) { events_[event] = std::move(reached); }
  void wait(StreamKey stream, std::uint64_t event);
  void event_ends(std::uint64_t event) { events_.erase(event); }

  void done(const Clock& clock);                  // the application waited for this
  bool at_rest() const { return at_work_ == 0; }  // it has waited for every operation there ever was

  // What is done once the stream's tail is, once the event is reached, once all streams of the context rest.
  Clock reached_by_stream(StreamKey stream);
  Clock reached_by_event(std::uint64_t event) const;
  Clock reached_by_context(std::uint64_t context) const;

  // The key of the legacy default stream of a context.
  static StreamKey legacy(std::uint64_t context) { return context | 1; }

 private:
  struct Stream {
    std::uint64_t context = 0;
    bool waits_for_legacy = true;
    std::uint64_t operations = 0;
    std::uint64_t done = 0;  // of these the application has waited for
    Clock follows;           // operations of other streams before its tail
  };
  static void merge(Clock& into, const Clock& from);
  void follow(Stream& stream, StreamKey key, const Stream& other) const;
  void follow_implied(Stream& stream, StreamKey key) const;
  std::uint64_t enqueue(Stream& stream, StreamKey key);
  void stream_done(Stream& stream, std::uint64_t operations);

  std::unordered_map<StreamKey, Stream> streams_;
  std::size_t at_work_ = 0;  // streams with operations that the application has not waited for
  std::unordered_map<std::uint64_t, Clock> events_;
};

}  // namespace wedjat::interposer
