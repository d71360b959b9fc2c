// What becomes of the contents that a recording holds: all that the hardware brought forth is compared, or
// listed with the reason why it was not.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/read/trace.h"

namespace wedjat::traces {

// Every event with contents is open from the start; what nobody closes is listed. So nothing is dropped
// without a word, whatever the events ask for.
class Accounts {
 public:
  // Opens those of the whole trace, also of events that belong to no call.
  explicit Accounts(const Trace& trace, const Calls& calls);

  void compared(const Event& event);
  // Contents that were given to the device or to the program's memory, as they were on the hardware.
  void used(const Event& event) { open_.erase(&event); }
  // Why it will stay open.
  void because(const Event& event, std::string reason);

  // What is still open, by sequence: one line each.
  struct Left {
    std::uint64_t bytes = 0;
    std::string text;
  };
  std::vector<Left> left() const;
  // Bytes of results: contents that the hardware brought forth.
  std::uint64_t recorded() const { return recorded_; }

 private:
  struct Open {
    bool is_result = false;
    std::string call, reason;
  };
  std::unordered_map<const Event*, Open> open_;
  std::uint64_t recorded_ = 0;
};

}  // namespace wedjat::traces
