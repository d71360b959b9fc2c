#include "interposer/shim/calls/host_functions.h"

#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/pending.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

struct Planned {
  std::uint64_t call;
  CUhostFn function;
  CUstreamCallback callback;
  void* data;
  Clock before;  // what is done when it runs
};

template <typename Body>
void run(const Planned& planned, const Body& body) {
  if (!recording()) return body();
  const auto safely = [&](const auto& part) {
    try {
      part();
    } catch (const std::exception& error) {
      trouble(planned.call, error.what());
    }
  };
  safely([&] {
    copies_done(planned.before);
    device_wrote_before(planned.call);
  });
  body();
  safely([&] {
    wj_emit_host_function(next_sequence(), planned.call);
    host_function_wrote(planned.call);
  });
}

void run_function(void* data) {
  const auto* planned = static_cast<const Planned*>(data);
  run(*planned, [&] { planned->function(planned->data); });
}

void run_callback(CUstream stream, CUresult status, void* data) {
  const auto* planned = static_cast<const Planned*>(data);
  run(*planned, [&] { planned->callback(stream, status, planned->data); });
}

// Never freed: a captured graph runs it at every launch.
Planned* plan(const Call& call, CUhostFn function, CUstreamCallback callback, void* data) {
  if (capturing(call)) return new Planned{call.sequence, function, callback, data, Clock()};
  const StreamKey stream = stream_key(call);
  enqueue(stream);
  return new Planned{call.sequence, function, callback, data, reached_by_stream(stream)};
}

}  // namespace

void host_function(const Call& call, CUhostFn& function, void*& data) {
  if (function == nullptr) return;
  data = plan(call, function, nullptr, data);
  function = run_function;
}

void node_function(const Call& call, CUhostFn& function, void*& data) {
  if (function == nullptr || function == run_function) return;  // ours: the application asked for it
  data = new Planned{call.sequence, function, nullptr, data, Clock()};
  function = run_function;
}

void stream_callback(const Call& call, CUstreamCallback& function, void*& data) {
  if (function == nullptr) return;
  data = plan(call, nullptr, function, data);
  function = run_callback;
}

}  // namespace wedjat::interposer
