/* The events that are not calls (FORMAT.md, provider wedjat_meta): what the shim fills, and the functions
 * that fire them. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wj_contents {
  uint64_t seq;
  uint64_t call;
  uint8_t phase;
  uint8_t kept;     /* device_memory only */
  const char* name; /* payload only */
  uint64_t address;
  uint64_t size;
  uint64_t hash_high;
  uint64_t hash_low;
  const void* data; /* inline_size bytes of it go into the event */
  uint32_t inline_size;
};

struct wj_image {
  uint64_t seq;
  uint64_t call;
  uint32_t index;
  uint8_t kind;
  uint64_t address;
  uint64_t size;
  uint64_t hash_high;
  uint64_t hash_low;
  const char* origin;
};

struct wj_made_of {
  uint64_t seq;
  uint64_t made_high;
  uint64_t made_low;
  uint32_t index;
  uint8_t kind;
  uint64_t size;
  uint64_t hash_high;
  uint64_t hash_low;
  const char* origin;
};

struct wj_kernel_info {
  uint64_t seq;
  uint64_t function;
  uint8_t is_kernel;
  const char* name;
  uint64_t parent;
  uint32_t count;
  const uint32_t* offsets;
  const uint32_t* sizes;
  uint8_t known;
  uint32_t registers; /* of a thread; 0: the driver did not say */
};

struct wj_device_info {
  uint64_t seq;
  int32_t ordinal;
  const char* name;
  int32_t driver_version;
  int32_t major_version;
  int32_t minor_version;
  uint64_t total_memory;
  const uint8_t* uuid; /* 16 bytes */
  uint32_t attribute_count;
  const int32_t* attributes;
};

void wj_emit_process(uint64_t seq, uint32_t format, int32_t pid, int32_t parent, const char* exe,
                     uint32_t cuda_header);
void wj_emit_process_end(uint64_t seq, int32_t pid);
void wj_emit_device_info(const struct wj_device_info* e);
void wj_emit_payload(const struct wj_contents* e);
void wj_emit_host_delta(const struct wj_contents* e);
void wj_emit_device_delta(const struct wj_contents* e);
void wj_emit_device_memory(const struct wj_contents* e);
void wj_emit_image(const struct wj_image* e);
void wj_emit_made_of(const struct wj_made_of* e);
void wj_emit_context(uint64_t seq, uint64_t call, uint64_t context, int32_t device);
void wj_emit_kernel_info(const struct wj_kernel_info* e);
void wj_emit_launch_time(uint64_t seq, uint64_t call, uint64_t nanoseconds);
void wj_emit_host_range(uint64_t seq, uint64_t call, uint8_t operation, uint8_t kind, uint64_t address,
                        uint64_t device_address, uint64_t size);
void wj_emit_host_function(uint64_t seq, uint64_t call);
void wj_emit_host_idle(uint64_t seq, uint64_t call);
void wj_emit_host_rest(uint64_t seq, uint64_t call);
void wj_emit_uncaptured(uint64_t seq, uint64_t call, const char* name, const char* reason);
void wj_emit_escaped(uint64_t seq, uint64_t call, const char* symbol, int32_t version);
void wj_emit_trouble(uint64_t seq, uint64_t call, const char* text);

#ifdef __cplusplus
}
#endif
