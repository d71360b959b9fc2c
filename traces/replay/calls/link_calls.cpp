// The linker of the driver API, and what the recorder kept of others.
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace {

Links::Contents contents_of(const Event& image) {
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

// Once for every part; the same code may be made again.
void Links::learn(const Event& made_of) {
  Images& images = by_contents_[{made_of.number("made_high"), made_of.number("made_low")}];
  if (images.size() == made_of.number("index")) images.push_back(&made_of);
}

// A damaged trace may say that something is made of itself, or of a great many of the same.
void Links::collect(const Part& part, std::size_t depth, std::set<Contents>& seen,
                    std::vector<Part>& parts) const {
  constexpr std::size_t deepest = 16;
  const Contents contents = contents_of(*part.image);
  const auto found = by_contents_.find(contents);
  const bool first = seen.insert(contents).second;
  if (found == by_contents_.end() || depth == deepest) {
    if (first) parts.push_back(part);
    return;
  }
  for (const Event* image : first ? found->second : Images())
    collect({image, part.image}, depth + 1, seen, parts);
}

std::vector<Links::Part> Links::parts_of(const Event& image) const {
  std::set<Contents> seen;
  std::vector<Part> parts;
  collect({&image, nullptr}, 0, seen, parts);
  return parts;
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
