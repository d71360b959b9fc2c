#include "traces/extract/code_words.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace wedjat::traces {
namespace {

constexpr std::uint64_t word = 8;

// Where a variable lies in the recording, of each of its words that is loaded as the address of a function.
std::set<std::uint64_t> code_words(const Bundle& bundle, device::Device& device) {
  std::map<std::string, std::uint64_t> placements;
  for (const auto& variable : bundle.variables)
    if (!variable.chosen) placements[variable.label] = variable.address;
  device::Module* const module = device.load_module(bundle.sources, placements);
  std::set<std::uint64_t> found;
  for (const auto& variable : bundle.variables) {
    const auto placed = device.variable(module, variable.label);
    if (!placed) continue;
    std::vector<std::byte> contents(placed->size);
    device.read(placed->address, contents);
    for (std::uint64_t at = 0; at + word <= contents.size(); at += word) {
      std::uint64_t value = 0;
      std::memcpy(&value, contents.data() + at, word);
      if (device.chosen(value) == device::Chosen::function) found.insert(variable.address + at);
    }
  }
  return found;
}

// The run without the bytes of these words.
void add_without(Runs& to, const Run& run, const std::set<std::uint64_t>& words) {
  const std::vector<std::byte> contents = run.contents();
  const std::uint64_t end = run.address + run.bytes;
  std::uint64_t at = run.address;
  const auto add_up_to = [&](std::uint64_t until) {
    if (at < until)
      add_contents(to, at, std::span(contents).subspan(at - run.address, std::min(until, end) - at));
  };
  for (auto next = words.lower_bound(run.address < word ? 0 : run.address - word + 1);
       next != words.end() && *next < end; ++next) {
    add_up_to(*next);
    at = std::max(at, *next + word);
  }
  add_up_to(end);
}

}  // namespace

bool leave_out_code(Bundle& bundle, device::Device& device) {
  const std::set<std::uint64_t> words = code_words(bundle, device);
  if (words.empty()) return false;
  Runs input;
  for (const Run& run : bundle.input) add_without(input, run, words);
  const bool fewer = bytes_of(input) != bytes_of(bundle.input);
  bundle.input = std::move(input);
  return fewer;
}

}  // namespace wedjat::traces
