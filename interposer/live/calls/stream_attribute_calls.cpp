// Attributes of streams. None changes a result: they are kept, and told again.
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

using Attributes = std::map<int, CUlaunchAttributeValue>;

Attributes& attributes_of(CUstream handle) {
  CUstream_st* const stream = stream_of(handle);
  return stream != nullptr ? stream->attributes : context().stream_attributes;
}

void check(CUstreamAttrID id) {
  require(id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
          id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY || id == CU_LAUNCH_ATTRIBUTE_PRIORITY ||
          id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP || id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
}

void check(const CUaccessPolicyWindow& window) {
  const auto most = profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
  require(window.num_bytes <= static_cast<std::size_t>(most));
  require(window.hitRatio >= 0 && window.hitRatio <= 1);
}

CUlaunchAttributeValue unset(CUstreamAttrID id) {
  CUlaunchAttributeValue value{};
  if (id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = CU_SYNC_POLICY_AUTO;
  if (id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) value.memSyncDomainMap.remote = 1;
  return value;
}

}  // namespace

void cuStreamSetAttribute(CUstream handle, CUstreamAttrID id, const CUstreamAttrValue* value) {
  Attributes& attributes = attributes_of(handle);
  check(id);
  if (id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) check(value->accessPolicyWindow);
  if (CUstream_st* const stream = stream_of(handle); stream != nullptr && id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
    stream->priority = value->priority;
  attributes[static_cast<int>(id)] = *value;
}

void cuStreamGetAttribute(CUstream handle, CUstreamAttrID id, CUstreamAttrValue* value) {
  const Attributes& attributes = attributes_of(handle);
  check(id);
  const auto found = attributes.find(static_cast<int>(id));
  *value = found == attributes.end() ? unset(id) : found->second;
  if (const CUstream_st* const stream = stream_of(handle);
      stream != nullptr && id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
    value->priority = stream->priority;
}

void cuStreamCopyAttributes(CUstream to, CUstream from) { attributes_of(to) = attributes_of(from); }

}  // namespace wedjat::live::calls
