// Streams, events and waits.
#pragma once

#include "interposer/shim/call.h"
#include "interposer/shim/timeline.h"

namespace wedjat::interposer {

std::uint64_t current_context();
StreamKey stream_key(const Call& call);
std::uint64_t enqueue(StreamKey stream);
Clock reached_by_stream(StreamKey stream);
bool capturing(const Call& call);  // the call's stream records a graph instead of working

void stream_begins(CUstream stream, unsigned flags);
void stream_waits(const Call& call, CUevent event);
void event_recorded(const Call& call, CUevent event);
void event_ends(CUevent event);

// The application has waited for: a stream, an event, a context, the current context.
void stream_done(const Call& call);
void event_done(const Call& call, CUevent event);
void context_done(const Call& call, CUcontext context);
void everything_done(const Call& call);
void copied(const Call& call);  // a copy that returns when it is done

}  // namespace wedjat::interposer
