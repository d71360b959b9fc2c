#include "interposer/meaning/conditions.h"

#include <algorithm>

#include "emulator/device/error.h"

namespace wedjat::interposer {
namespace {

// Where cudaGraphSetConditional writes (interposer/images/device_runtime.ptx): word `handle` from here on.
// Neither a host nor a GPU gives out addresses below 64 KiB.
constexpr std::uint64_t words_begin = 0x1000;
static_assert(words_begin + (most_conditions + 1) * sizeof(unsigned) <= 0x10000);

}  // namespace

ConditionWords::ConditionWords(std::vector<Condition*> conditions) : conditions_(std::move(conditions)) {
  std::uint64_t highest = 0;
  for (const Condition* condition : conditions_) highest = std::max(highest, condition->handle);
  if (highest > most_conditions) throw device::Refused("the graph has more conditions than are emulated");
  pages_ = memory::HostPages((highest + 1) * sizeof(unsigned));
  for (const Condition* condition : conditions_)
    words()[condition->handle] = condition->begins_anew ? condition->at_first : condition->value;
}

ConditionWords::~ConditionWords() {
  for (Condition* condition : conditions_) condition->value = words()[condition->handle];
}

ConditionWords::Lent::Lent(ConditionWords& words, device::Device& device) : device_(device) {
  device.adopt_at(words_begin, words.pages_.data(), words.pages_.size(), "conditions of a graph");
}

ConditionWords::Lent::~Lent() {
  try {
    device_.free(words_begin);
  } catch (const std::exception&) {
    // A kernel failed, and the device with it.
  }
}

bool may_have_bodies(CUgraphConditionalNodeType type, unsigned bodies) {
  switch (type) {
    case CU_GRAPH_COND_TYPE_IF:
      return bodies == 1 || bodies == 2;
    case CU_GRAPH_COND_TYPE_WHILE:
      return bodies == 1;
    case CU_GRAPH_COND_TYPE_SWITCH:
      return bodies != 0;
    default:
      return false;
  }
}

}  // namespace wedjat::interposer
