#include "interposer/shim/memory/pending.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "interposer/shim/events/payload.h"
#include "interposer/shim/events/process_end.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/launch_times.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

struct Copy {
  std::uint64_t number;
  std::uint64_t call;
  std::string name;
  Box box;
  StreamKey stream;
  std::uint64_t operation;  // its number in the stream
  std::uint64_t context;
  bool shared;  // into memory both sides see: whatever is not told of the copy shows as a change there
};

struct Pending {
  std::mutex telling;  // held while copies that a wait took out are recorded: no other wait returns before
  std::mutex mutex;
  std::vector<Copy> copies;
  std::uint64_t expected = 0;
};

Pending& pending() {
  static Pending& all = *new Pending;
  return all;
}

// Takes out the copies that `which` picks, in order.
template <typename Which>
std::vector<Copy> take(const Which& which) {
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  std::vector<Copy> taken;
  if (std::ranges::none_of(all.copies, which)) return taken;
  std::vector<Copy> kept;
  for (Copy& copy : all.copies) (which(copy) ? taken : kept).push_back(std::move(copy));
  all.copies = std::move(kept);
  return taken;
}

bool overlap(const Box& a, const Box& b) {
  return a.base < b.base + b.extent() && b.base < a.base + a.extent();
}

template <typename Which>
void tell(const Which& which) {
  const std::lock_guard lock(pending().telling);
  const std::vector<Copy> taken = take(which);
  std::vector<Copied> copies;
  copies.reserve(taken.size());
  for (const Copy& copy : taken) copies.push_back({copy.call, Phase::later, copy.name.c_str(), copy.box});
  tell_copied(copies);
}

void abandon(const std::vector<Copy>& copies, const char* reason) {
  for (const Copy& copy : copies)
    if (!copy.shared) uncaptured(copy.call, copy.name.c_str(), reason);
}

}  // namespace

void expect_copy(const Call& call, const std::string& name, const Box& box) {
  if (box.empty()) return;
  abandon_copies(box, "a later copy wrote there before it was waited for");
  const StreamKey stream = stream_key(call);
  const std::uint64_t operation = enqueue(stream);
  const bool shared = in_host_range(box);
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  all.copies.push_back(
      {all.expected++, call.sequence, name, box, stream, operation, current_context(), shared});
}

void copies_done(const Clock& done) {
  tell([&](const Copy& copy) {
    const auto reached = done.find(copy.stream);
    return reached != done.end() && copy.operation <= reached->second;
  });
}

std::uint64_t copies_expected() {
  Pending& all = pending();
  const std::lock_guard lock(all.mutex);
  return all.expected;
}

void copies_of_context_done(std::uint64_t context, std::uint64_t end) {
  tell([&](const Copy& copy) { return copy.context == context && copy.number < end; });
}

void abandon_copies(const Box& box, const char* reason) {
  abandon(take([&](const Copy& copy) { return overlap(copy.box, box); }), reason);
}

void abandon_all_copies(const char* reason) {
  abandon(take([](const Copy&) { return true; }), reason);
}

void before_process_end() {
  tell_launch_times();
  abandon_all_copies("the program ended without waiting for it");
}

}  // namespace wedjat::interposer
