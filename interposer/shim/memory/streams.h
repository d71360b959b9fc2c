// Streams, events and waits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interposer/shim/events/call.h"
#include "interposer/shim/memory/timeline.h"

namespace wedjat::interposer {

std::uint64_t current_context();

// Tells in which context the call does its work, if that is another than the thread was last told to be in:
// one of a kernel's instances, and one of a library's variables, belongs to each.
void tell_context(const Call& call);
StreamKey stream_key(const Call& call);
std::uint64_t enqueue(StreamKey stream);
Clock reached_by_stream(StreamKey stream);
bool capturing(const Call& call);  // the call's stream records a graph instead of working
void capture_begins();
void capture_ends();
bool captures_under_way();  // of any stream: the driver may not be asked to wait

// What a call waits for is what the device had when it began, not what other threads gave it meanwhile:
// before a wait, or before an event is recorded.
void covers_stream(const Call& call);
void covers_event(CUevent event);
void covers_context(CUcontext context);
void covers_copies();  // of the context, and nothing else

void stream_begins(CUstream stream, unsigned flags);
void stream_ends(CUstream stream);
std::vector<CUstream> streams_apart();  // of the current context, that the legacy stream does not wait for
void stream_waits(const Call& call, CUevent event);
void event_recorded(const Call& call, CUevent event);
void event_ends(CUevent event);

// Before the device gets something to do in the call's stream; launches tell their context too, and wait for
// nothing.
enum class Tell { nothing, context };
void work_given(const Call& call, Tell tell = Tell::nothing, std::span<const std::byte> pointers = {});
// After the driver has it: a wait that began before does not cover it, and counts it as waited for.
void work_taken();
// Counts work_given. At rest when the application has waited for all of it.
struct Work {
  std::uint64_t given = 0;
  bool at_rest = false;
};
Work work();

// The application has waited for: a stream, an event, a context, the current context.
void stream_done(const Call& call);
void event_done(const Call& call);
void context_done(const Call& call, CUcontext context);
void everything_done(const Call& call);
void freed(const Call& call);   // cuMemFree waits, though the manual does not promise it
void copied(const Call& call);  // a copy that returns when it is done
void stream_finished();         // and before its own contents are recorded

}  // namespace wedjat::interposer
