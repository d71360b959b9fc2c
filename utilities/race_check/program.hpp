// What all host threads know of the program: nothing changes it while a launch runs, but what is found.
#pragma once
#include <cstdint>
#include <deque>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "streams.hpp"
#include "utilities/findings/first_findings.hpp"

namespace race_check {

using wedjat::Event;
using wedjat::Location;

/// An instruction, with what its spelling leaves out.
struct Site {
  const wedjat_instruction* at;
  const wedjat_kernel* kernel;
  std::uint32_t index;  // in Program::sites
  std::vector<wedjat_access> accesses;
  bool read_only;    // it reads what nothing may write while the kernel runs
  bool async_proxy;  // what it reads must go through a fence between the proxies

  Site(const wedjat_instruction& i, const wedjat_kernel& k, std::uint32_t number,
       std::vector<wedjat_access> what)
      : at(&i),
        kernel(&k),
        index(number),
        accesses(std::move(what)),
        read_only((i.what & WEDJAT_READ_ONLY) != 0),
        async_proxy((i.what & WEDJAT_ASYNCHRONOUS) &&
                    (i.group == WEDJAT_BULK_COPIES || i.group == WEDJAT_PRODUCTS)) {}
};

struct Program {
  std::deque<Site> sites;
  Streams streams;
  std::uint32_t launch_index = 0;
  findings::FirstFindings<std::tuple<std::uint32_t, std::uint32_t, bool>> races;  // by two sites, same value
  findings::FirstFindings<std::pair<std::uint32_t, std::string_view>> others;     // what is no race, by site
};

}  // namespace race_check
