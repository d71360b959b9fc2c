#include "interposer/live/work/made_of.h"

#include <mutex>
#include <unordered_map>

#include "interposer/shim/calls/made_of.h"
#include "traces/format/hash.h"

namespace wedjat::live {
namespace {

// Programs compile in any thread, and while they end.
struct Known {
  std::mutex mutex;
  std::unordered_map<traces::Hash, MadeOf> code;
};

Known& known() {
  static Known& all = *new Known;
  return all;
}

}  // namespace

MadeOf made_of(std::span<const std::byte> code) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().code.find(traces::hash_bytes(code));
  return found == known().code.end() ? MadeOf{} : found->second;
}

}  // namespace wedjat::live

extern "C" __attribute__((visibility("default"))) void wedjat_made_of(const void* code, std::size_t size,
                                                                      const wedjat_part* parts,
                                                                      std::size_t count, int most_registers) {
  using namespace wedjat;
  live::MadeOf all{{}, most_registers};
  for (const wedjat_part& part : std::span(parts, count)) {
    const auto* const bytes = static_cast<const std::byte*>(part.data);
    all.parts.push_back({part.origin ? part.origin : "", {bytes, bytes + part.size}});
  }
  const traces::Hash hash = traces::hash_bytes({static_cast<const std::byte*>(code), size});
  const std::lock_guard lock(live::known().mutex);
  live::known().code[hash] = std::move(all);
}
