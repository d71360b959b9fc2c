/* What calls that are right in themselves answer beside the capture of a stream, and do to it. */
#include <pthread.h>

#include "right_calls.h"

enum call_beside {
#define X(name, ...) name,
  CALLS_BESIDE(X)
#undef X
};
static CUresult make_call(enum call_beside which) {
  switch (which) {
#define X(name, ...) \
  case name:         \
    return __VA_ARGS__;
    CALLS_BESIDE(X)
#undef X
  }
  return CUDA_ERROR_UNKNOWN;
}
static void* make_call_elsewhere(void* which) {
  cuCtxSetCurrent(context);
  return (void*)(size_t)make_call((enum call_beside)(size_t)which);
}

enum { waits_for_default = 0, apart = 1, from_another_thread = 2 };
/* Its code; CUDA_ERROR_UNKNOWN if the capture does not end exactly where the code says that it does. */
static CUresult beside_capture(CUstreamCaptureMode mode, int how, enum call_beside which) {
  CUresult result, end;
  void* answer = NULL;
  pthread_t thread;
  int says_so;
  cuStreamCreate(&to_capture, how & apart ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT);
  cuStreamCreate(&aside, CU_STREAM_NON_BLOCKING);
  cuStreamBeginCapture(to_capture, mode);
  if (how & from_another_thread) {
    pthread_create(&thread, NULL, make_call_elsewhere, (void*)(size_t)which);
    pthread_join(thread, &answer);
    result = (CUresult)(size_t)answer;
  } else {
    result = make_call(which);
  }
  end = cuStreamEndCapture(to_capture, &a_graph);
  says_so =
      result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  return which == DESTROY_CAPTURED || (end != CUDA_SUCCESS) == says_so ? result : CUDA_ERROR_UNKNOWN;
}

#define BESIDE(X, mode, how)                        \
  X(beside_capture(mode, how, ALLOCATE))            \
  X(beside_capture(mode, how, ALLOCATE_ROWS))       \
  X(beside_capture(mode, how, ALLOCATE_MANAGED))    \
  X(beside_capture(mode, how, ALLOCATE_PINNED))     \
  X(beside_capture(mode, how, ALLOCATE_ASIDE))      \
  X(beside_capture(mode, how, ALLOCATE_BY_DEFAULT)) \
  X(beside_capture(mode, how, ALLOCATE_CAPTURED))   \
  X(beside_capture(mode, how, FREE))                \
  X(beside_capture(mode, how, FREE_NOTHING))        \
  X(beside_capture(mode, how, FREE_PINNED))         \
  X(beside_capture(mode, how, FREE_ASIDE))          \
  X(beside_capture(mode, how, FREE_BY_DEFAULT))     \
  X(beside_capture(mode, how, REGISTER))            \
  X(beside_capture(mode, how, UNREGISTER))          \
  X(beside_capture(mode, how, COPY))                \
  X(beside_capture(mode, how, COPY_BACK))           \
  X(beside_capture(mode, how, COPY_ON_DEVICE))      \
  X(beside_capture(mode, how, COPY_ROWS))           \
  X(beside_capture(mode, how, COPY_TO_ARRAY))       \
  X(beside_capture(mode, how, COPY_ASIDE))          \
  X(beside_capture(mode, how, COPY_BY_DEFAULT))     \
  X(beside_capture(mode, how, FILL))                \
  X(beside_capture(mode, how, FILL_ASIDE))          \
  X(beside_capture(mode, how, FILL_BY_DEFAULT))     \
  X(beside_capture(mode, how, LAUNCH_ASIDE))        \
  X(beside_capture(mode, how, LAUNCH))              \
  X(beside_capture(mode, how, CALL_ASIDE))          \
  X(beside_capture(mode, how, CALL_BY_DEFAULT))     \
  X(beside_capture(mode, how, CALL_BACK_ASIDE))     \
  X(beside_capture(mode, how, CALL_BACK_CAPTURED))  \
  X(beside_capture(mode, how, RUN_GRAPH_ASIDE))     \
  X(beside_capture(mode, how, RUN_GRAPH))           \
  X(beside_capture(mode, how, RUN_GRAPH_CAPTURED))  \
  X(beside_capture(mode, how, UPLOAD))              \
  X(beside_capture(mode, how, UPLOAD_CAPTURED))     \
  X(beside_capture(mode, how, INSTANTIATE))         \
  X(beside_capture(mode, how, MAKE_GRAPH))          \
  X(beside_capture(mode, how, DESTROY_GRAPH))       \
  X(beside_capture(mode, how, DESTROY_EXECUTABLE))  \
  X(beside_capture(mode, how, WAIT))                \
  X(beside_capture(mode, how, WAIT_ASIDE))          \
  X(beside_capture(mode, how, WAIT_BY_DEFAULT))     \
  X(beside_capture(mode, how, WAIT_CAPTURED))       \
  X(beside_capture(mode, how, WAIT_EVENT))          \
  X(beside_capture(mode, how, QUERY_ASIDE))         \
  X(beside_capture(mode, how, QUERY_DEFAULT))       \
  X(beside_capture(mode, how, QUERY_CAPTURED))      \
  X(beside_capture(mode, how, QUERY_EVENT))         \
  X(beside_capture(mode, how, TIME_EVENTS))         \
  X(beside_capture(mode, how, RECORD_ASIDE))        \
  X(beside_capture(mode, how, RECORD_BY_DEFAULT))   \
  X(beside_capture(mode, how, ORDER_ASIDE))         \
  X(beside_capture(mode, how, ORDER_DEFAULT))       \
  X(beside_capture(mode, how, MAKE_STREAM))         \
  X(beside_capture(mode, how, DESTROY_STREAM))      \
  X(beside_capture(mode, how, DESTROY_CAPTURED))    \
  X(beside_capture(mode, how, MAKE_EVENT))          \
  X(beside_capture(mode, how, DESTROY_EVENT))       \
  X(beside_capture(mode, how, LOAD))                \
  X(beside_capture(mode, how, UNLOAD))              \
  X(beside_capture(mode, how, LOAD_LIBRARY))        \
  X(beside_capture(mode, how, UNLOAD_LIBRARY))      \
  X(beside_capture(mode, how, MAKE_ARRAY))          \
  X(beside_capture(mode, how, DESTROY_ARRAY))       \
  X(beside_capture(mode, how, MAKE_TEXTURE))        \
  X(beside_capture(mode, how, DESTROY_TEXTURE))     \
  X(beside_capture(mode, how, MAKE_POOL))           \
  X(beside_capture(mode, how, DESTROY_POOL))        \
  X(beside_capture(mode, how, TRIM_POOL))           \
  X(beside_capture(mode, how, MAKE_MEMORY))         \
  X(beside_capture(mode, how, RESERVE))             \
  X(beside_capture(mode, how, SET_LIMIT))           \
  X(beside_capture(mode, how, GET_LIMIT))           \
  X(beside_capture(mode, how, FREE_ROOM))           \
  X(beside_capture(mode, how, ATTRIBUTE))           \
  X(beside_capture(mode, how, SET_ATTRIBUTE))       \
  X(beside_capture(mode, how, ADVISE))              \
  X(beside_capture(mode, how, PREFETCH_ASIDE))      \
  X(beside_capture(mode, how, PREFETCH_CAPTURED))   \
  X(beside_capture(mode, how, ATTACH_ASIDE))        \
  X(beside_capture(mode, how, CAPTURES))            \
  X(beside_capture(mode, how, LINK))
#define CAPTURE_CASES(X)                                                      \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_GLOBAL, waits_for_default)                 \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_GLOBAL, apart)                             \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_GLOBAL, apart | from_another_thread)       \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, apart | from_another_thread) \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_RELAXED, waits_for_default)                \
  BESIDE(X, CU_STREAM_CAPTURE_MODE_RELAXED, apart)
