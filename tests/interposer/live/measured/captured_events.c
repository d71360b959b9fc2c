/* Events that a capture marked: while it is under way, and when it is over. */
#include "tell.h"

static CUstream s, t;
static CUevent e;
static CUgraph g;

static void mark(CUstreamCaptureMode mode) {
  cuStreamBeginCapture(s, mode);
  T(cuEventRecord(e, s));
}
static void end(void) { T(cuStreamEndCapture(s, &g)); }
static void use_again(void) {
  T(cuEventRecord(e, t));
  T(cuEventSynchronize(e));
}

int main() {
  CUcontext c;
  float ms;
  CUstreamCaptureStatus st;
  cuInit(0);
  cuCtxCreate(&c, 0, 0, 0);
  cuStreamCreate(&s, 0);
  cuStreamCreate(&t, 0);
  cuEventCreate(&e, 0);
  for (int mode = CU_STREAM_CAPTURE_MODE_GLOBAL; mode <= CU_STREAM_CAPTURE_MODE_RELAXED; ++mode) {
    mark((CUstreamCaptureMode)mode);
    T(cuEventQuery(e));
    end();
  }
  mark(CU_STREAM_CAPTURE_MODE_RELAXED);
  end();
  T(cuEventSynchronize(e));
  use_again();
  mark(CU_STREAM_CAPTURE_MODE_RELAXED);
  end();
  T(cuEventQuery(e));
  use_again();
  mark(CU_STREAM_CAPTURE_MODE_RELAXED);
  end();
  T(cuStreamWaitEvent(t, e, 0));
  use_again();
  mark(CU_STREAM_CAPTURE_MODE_RELAXED);
  end();
  T(cuEventElapsedTime(&ms, e, e));
  use_again();
  mark(CU_STREAM_CAPTURE_MODE_RELAXED);
  end();
  T(cuStreamBeginCapture(t, CU_STREAM_CAPTURE_MODE_RELAXED));
  T(cuStreamWaitEvent(t, e, 0));
  T(cuStreamIsCapturing(t, &st));
  printf("%d\n", st);
  T(cuStreamEndCapture(t, &g));
  use_again();
  return 0;
}
