// What conditional nodes of graphs look at, and what they then run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda_abi.h"
#include "emulator/device/device.h"
#include "emulator/memory/host_pages.h"

namespace wedjat::interposer {

// Kernels get its number as the handle: 1, 2, 3 … of a graph, as a GPU counts them.
struct Condition {
  std::uint64_t handle = 0;
  unsigned at_first = 0;
  bool begins_anew = false;  // each launch of the graph begins with `at_first`
  unsigned value = 0;        // between launches
};

constexpr std::uint64_t most_conditions = 0x3000;  // of a graph, as far as there are addresses

// What the conditions of a graph hold while it runs.
class ConditionWords {
 public:
  // Throws device::Refused if there are too many.
  explicit ConditionWords(std::vector<Condition*> conditions);
  ~ConditionWords();  // the conditions keep what was left
  ConditionWords(const ConditionWords&) = delete;

  unsigned value(const Condition& condition) const { return words()[condition.handle]; }

  // Kernels of the graph find them in the device's memory as long as this object lives.
  class Lent {
   public:
    Lent(ConditionWords& words, device::Device& device);
    ~Lent();
    Lent(const Lent&) = delete;

   private:
    device::Device& device_;
  };

 private:
  unsigned* words() const { return reinterpret_cast<unsigned*>(pages_.data()); }  // by handle

  std::vector<Condition*> conditions_;
  memory::HostPages pages_;
};

// Runs what the node decides for: `run(i)` runs body i, `value()` is what the condition holds by then.
template <class Value, class Run>
void decide(CUgraphConditionalNodeType type, std::size_t bodies, const Value& value, const Run& run) {
  const unsigned chosen = value();
  switch (type) {
    case CU_GRAPH_COND_TYPE_IF:
      if (chosen != 0)
        run(0);
      else if (bodies > 1)
        run(1);
      break;
    case CU_GRAPH_COND_TYPE_WHILE:
      while (value() != 0) run(0);
      break;
    case CU_GRAPH_COND_TYPE_SWITCH:
      if (chosen < bodies) run(chosen);
  }
}

// How many bodies a node of that type may have.
bool may_have_bodies(CUgraphConditionalNodeType type, unsigned bodies);

}  // namespace wedjat::interposer
