// What calls do to captures that are under way, beside what they do in a stream that is captured: many end
// them. Measured on an H100 (tests/interposer/live/captures.c).
#pragma once

#include <memory>
#include <thread>

#include "cuda_abi.h"

namespace wedjat::live {

// Of one cuStreamBeginCapture; every stream that joined has it.
struct Capture {
  CUgraph graph = nullptr;
  CUstream origin = nullptr;  // not the number that stands for a default stream
  CUstreamCaptureMode mode{};
  unsigned long long id = 0;
  std::thread::id thread;  // that began it
  bool broken = false;
  bool over = false;        // events that it marked can be recorded, and nothing else
  bool into_given = false;  // a graph that the program had before, and keeps whatever becomes of the capture
};

// Of the calling thread; the old one comes back.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

// By what calls.yaml says of a call. `stream`: where it works.
namespace beside_captures {

// Where it works in the default stream of the device, it would wait for streams that wait for that one: their
// captures end (CUDA_ERROR_STREAM_CAPTURE_IMPLICIT).
void default_stream(CUstream stream);
bool would_wait(CUstream stream);

// It may not be made beside a capture, unless the mode of the capture or the thread's allows that
// (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED). What it does in a stream that is captured is the call's.
void unsafe(CUstream stream);

// It waits for all of its context: every capture there ends (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED).
void waits(CUstream stream);

}  // namespace beside_captures

}  // namespace wedjat::live
