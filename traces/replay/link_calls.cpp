// The linker of the driver API.
#include "traces/replay/handlers.h"

namespace wedjat::traces {
namespace {

std::pair<std::uint64_t, std::uint64_t> contents_of(const Event& image) {
  return {image.number("hash_high"), image.number("hash_low")};
}

}  // namespace

void Links::add(std::uint64_t state, const Call& call) {
  for (const Event* event : call.attached)
    if (event->name == "image") parts_[state].push_back(event);
}

void Links::complete(std::uint64_t state, const Call& call) {
  for (const Event* event : call.attached)
    if (event->name == "image") by_contents_[contents_of(*event)] = parts_[state];
}

const Links::Images* Links::parts_of(const Event& image) const {
  const auto found = by_contents_.find(contents_of(image));
  return found == by_contents_.end() ? nullptr : &found->second;
}

namespace handle {

void link_add(Replayer& replayer, const Call& call) {
  replayer.links().add(call.entry->number("state"), call);
}

void link_complete(Replayer& replayer, const Call& call) {
  replayer.links().complete(call.entry->number("state"), call);
}

void link_destroy(Replayer& replayer, const Call& call) {
  replayer.links().destroy(call.entry->number("state"));
}

}  // namespace handle
}  // namespace wedjat::traces
