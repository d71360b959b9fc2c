// Why bytes of one copy differ, where the order of threads explains it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "traces/order/write_log.h"

namespace wedjat::traces {

// A place whose content the hardware leaves open.
struct Open {
  std::uint64_t sequence = 0;         // of the copy that showed it
  std::uint64_t first = 0, last = 0;  // bytes of that copy, both included
  Place place;
  std::uint64_t launch = 0;  // that wrote it last
  std::vector<std::byte> hardware;
  std::string kind;            // "sum order", "last store", "tickets"
  std::string evidence;        // which instructions, which values, which order
  std::string writer, kernel;  // the instruction that wrote it last here
  std::uint32_t line = 0;      // of the PTX
};

// What a copy from `address` brought on the hardware and here.
struct Copied {
  std::uint64_t sequence = 0, address = 0;
  std::span<const std::byte> expected, got;
};

std::vector<Open> explain(const Copied& copied, const WriteLog& log);

}  // namespace wedjat::traces
