#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "meta_provider.h"

void wj_emit_process(uint64_t seq, uint32_t format, int32_t pid, int32_t parent, const char* exe,
                     uint32_t cuda_header) {
  lttng_ust_tracepoint(wedjat_meta, process, seq, format, pid, parent, exe, cuda_header);
}

void wj_emit_process_end(uint64_t seq, int32_t pid) {
  lttng_ust_tracepoint(wedjat_meta, process_end, seq, pid);
}

void wj_emit_device_info(const struct wj_device_info* e) {
  lttng_ust_tracepoint(wedjat_meta, device_info, e);
}

void wj_emit_payload(const struct wj_contents* e) { lttng_ust_tracepoint(wedjat_meta, payload, e); }

void wj_emit_host_delta(const struct wj_contents* e) { lttng_ust_tracepoint(wedjat_meta, host_delta, e); }

void wj_emit_device_delta(const struct wj_contents* e) { lttng_ust_tracepoint(wedjat_meta, device_delta, e); }

void wj_emit_device_memory(const struct wj_contents* e) {
  lttng_ust_tracepoint(wedjat_meta, device_memory, e);
}
void wj_emit_image(const struct wj_image* e) { lttng_ust_tracepoint(wedjat_meta, image, e); }

void wj_emit_made_of(const struct wj_made_of* e) { lttng_ust_tracepoint(wedjat_meta, made_of, e); }

void wj_emit_context(uint64_t seq, uint64_t call, uint64_t context, int32_t device) {
  lttng_ust_tracepoint(wedjat_meta, context, seq, call, context, device);
}

void wj_emit_kernel_info(const struct wj_kernel_info* e) {
  lttng_ust_tracepoint(wedjat_meta, kernel_info, e);
}

void wj_emit_launch_time(uint64_t seq, uint64_t call, uint64_t nanoseconds) {
  lttng_ust_tracepoint(wedjat_meta, launch_time, seq, call, nanoseconds);
}

void wj_emit_host_range(uint64_t seq, uint64_t call, uint8_t operation, uint8_t kind, uint64_t address,
                        uint64_t device_address, uint64_t size) {
  lttng_ust_tracepoint(wedjat_meta, host_range, seq, call, operation, kind, address, device_address, size);
}

void wj_emit_host_function(uint64_t seq, uint64_t call) {
  lttng_ust_tracepoint(wedjat_meta, host_function, seq, call);
}

void wj_emit_host_idle(uint64_t seq, uint64_t call) {
  lttng_ust_tracepoint(wedjat_meta, host_idle, seq, call);
}

void wj_emit_host_rest(uint64_t seq, uint64_t call) {
  lttng_ust_tracepoint(wedjat_meta, host_rest, seq, call);
}

void wj_emit_uncaptured(uint64_t seq, uint64_t call, const char* name, const char* reason) {
  lttng_ust_tracepoint(wedjat_meta, uncaptured, seq, call, name, reason);
}

void wj_emit_escaped(uint64_t seq, uint64_t call, const char* symbol, int32_t version) {
  lttng_ust_tracepoint(wedjat_meta, escaped, seq, call, symbol, version);
}

void wj_emit_trouble(uint64_t seq, uint64_t call, const char* text) {
  lttng_ust_tracepoint(wedjat_meta, trouble, seq, call, text);
}
