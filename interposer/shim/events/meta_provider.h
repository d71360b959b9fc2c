/* LTTng-UST provider wedjat_meta. Read several times by LTTng's own headers. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER wedjat_meta
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "meta_provider.h"

#if !defined(WEDJAT_META_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define WEDJAT_META_PROVIDER_H

#include <lttng/tracepoint.h>

#include "interposer/shim/events/meta_events.h"

#define U64(name) lttng_ust_field_integer(uint64_t, name, name)
#define I32(name) lttng_ust_field_integer(int32_t, name, name)
#define E_INT(type, name) lttng_ust_field_integer(type, name, e->name)
#define E_HEX(name) lttng_ust_field_integer_hex(uint64_t, name, e->name)

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, process,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint32_t, format, int32_t, pid, int32_t, parent,
                                             const char*, exe, uint32_t, cuda_header),
                           LTTNG_UST_TP_FIELDS(U64(seq) lttng_ust_field_integer(uint32_t, format, format)
                                                   I32(pid) I32(parent) lttng_ust_field_string(exe, exe)
                                                       lttng_ust_field_integer(uint32_t, cuda_header,
                                                                               cuda_header)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, process_end, LTTNG_UST_TP_ARGS(uint64_t, seq, int32_t, pid),
                           LTTNG_UST_TP_FIELDS(U64(seq) I32(pid)))

LTTNG_UST_TRACEPOINT_EVENT(
    wedjat_meta, device_info, LTTNG_UST_TP_ARGS(const struct wj_device_info*, e),
    LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(int32_t, ordinal) lttng_ust_field_string(name, e->name)
                            E_INT(int32_t, driver_version)
                                lttng_ust_field_integer(int32_t, major, e->major_version)
                                    lttng_ust_field_integer(int32_t, minor, e->minor_version)
                                        E_INT(uint64_t, total_memory)
                                            lttng_ust_field_array(uint8_t, uuid, e->uuid, 16)
                                                lttng_ust_field_sequence(int32_t, attributes, e->attributes,
                                                                         uint32_t, e->attribute_count)))

#define CONTENTS        \
  E_HEX(address)        \
  E_INT(uint64_t, size) \
  E_HEX(hash_high)      \
  E_HEX(hash_low) lttng_ust_field_sequence(uint8_t, data, (const uint8_t*)e->data, uint32_t, e->inline_size)

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, payload, LTTNG_UST_TP_ARGS(const struct wj_contents*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(uint64_t, call)
                                                   E_INT(uint8_t, phase) lttng_ust_field_string(name, e->name)
                                                       CONTENTS))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, host_delta, LTTNG_UST_TP_ARGS(const struct wj_contents*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(uint64_t, call)
                                                   E_INT(uint8_t, phase) CONTENTS))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, device_delta, LTTNG_UST_TP_ARGS(const struct wj_contents*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(uint64_t, call) CONTENTS))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, device_memory, LTTNG_UST_TP_ARGS(const struct wj_contents*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(uint64_t, call) E_INT(uint8_t, kept)
                                                   CONTENTS))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, image, LTTNG_UST_TP_ARGS(const struct wj_image*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_INT(uint64_t, call)
                                                   E_INT(uint32_t, index) E_INT(uint8_t, kind) E_HEX(address)
                                                       E_INT(uint64_t, size) E_HEX(hash_high) E_HEX(hash_low)
                                                           lttng_ust_field_string(origin, e->origin)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, made_of, LTTNG_UST_TP_ARGS(const struct wj_made_of*, e),
                           LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_HEX(made_high) E_HEX(made_low)
                                                   E_INT(uint32_t, index) E_INT(uint8_t, kind)
                                                       E_INT(uint64_t, size) E_HEX(hash_high) E_HEX(hash_low)
                                                           lttng_ust_field_string(origin, e->origin)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, context,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, uint64_t, context, int32_t,
                                             device),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call)
                                                   lttng_ust_field_integer_hex(uint64_t, context, context)
                                                       I32(device)))

LTTNG_UST_TRACEPOINT_EVENT(
    wedjat_meta, kernel_info, LTTNG_UST_TP_ARGS(const struct wj_kernel_info*, e),
    LTTNG_UST_TP_FIELDS(E_INT(uint64_t, seq) E_HEX(function) E_INT(uint8_t, is_kernel)
                            lttng_ust_field_string(name, e->name) E_HEX(parent)
                                lttng_ust_field_sequence(uint32_t, offsets, e->offsets, uint32_t, e->count)
                                    lttng_ust_field_sequence(uint32_t, sizes, e->sizes, uint32_t, e->count)
                                        E_INT(uint8_t, known) E_INT(uint32_t, registers)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, launch_time,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, uint64_t, nanoseconds),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call) U64(nanoseconds)))

LTTNG_UST_TRACEPOINT_EVENT(
    wedjat_meta, host_range,
    LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, uint8_t, operation, uint8_t, kind, uint64_t, address,
                      uint64_t, device_address, uint64_t, size),
    LTTNG_UST_TP_FIELDS(U64(seq) U64(call) lttng_ust_field_integer(uint8_t, operation, operation)
                            lttng_ust_field_integer(uint8_t, kind, kind)
                                lttng_ust_field_integer_hex(uint64_t, address, address)
                                    lttng_ust_field_integer_hex(uint64_t, device_address, device_address)
                                        U64(size)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, host_function, LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, host_idle, LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, host_rest, LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, uncaptured,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, const char*, name, const char*,
                                             reason),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call) lttng_ust_field_string(name, name)
                                                   lttng_ust_field_string(reason, reason)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, escaped,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, const char*, symbol, int32_t,
                                             version),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call) lttng_ust_field_string(symbol, symbol)
                                                   I32(version)))

LTTNG_UST_TRACEPOINT_EVENT(wedjat_meta, trouble,
                           LTTNG_UST_TP_ARGS(uint64_t, seq, uint64_t, call, const char*, text),
                           LTTNG_UST_TP_FIELDS(U64(seq) U64(call) lttng_ust_field_string(text, text)))

#endif

#include <lttng/tracepoint-event.h>
