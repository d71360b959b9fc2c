#include "traces/order/write_log.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

// Whether it orders accesses, or is one that programs order by hand: a volatile one is a strong one of the
// whole system.
bool orders(const wedjat_instruction& at) {
  constexpr std::uint8_t system = 4;
  return (at.what & WEDJAT_FENCE) != 0 || std::ranges::any_of(accesses(at), [](const wedjat_access& a) {
           return a.acquires || a.releases || (a.strong && !a.atomic && a.scope == system);
         });
}

// What is stored, or what an atomic combines with what lies there: the operand after the address. Null: none.
const wedjat_operand* value_of(const wedjat_instruction& at) {
  const std::size_t value = at.accesses[0].operand + 1;
  return value < at.operand_count ? &at.operands[value] : nullptr;
}

Write::Kind kind_of(const wedjat_instruction& at, bool is_atomic) {
  if (!is_atomic) return Write::Kind::store;
  if (at.update == WEDJAT_COPY) return Write::Kind::exchange;
  const wedjat_operand* const value = value_of(at);
  if (at.update != WEDJAT_SUM || value == nullptr) return Write::Kind::update;
  const std::string_view format = value->format;
  return format == "f32"   ? Write::Kind::sum_f32
         : format == "f64" ? Write::Kind::sum_f64
                           : Write::Kind::update;
}

class Watcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& i : instructions(kernel)) {
      if (orders(i)) log_.has_order(kernel);
      if ((i.what & WEDJAT_ATOMIC) && (i.what & WEDJAT_MBARRIER) == 0 && has_result(i))
        before<&Watcher::ticket>(i, WEDJAT_MASKS);
      const bool writes =
          std::ranges::any_of(accesses(i), [](const wedjat_access& a) { return a.writes != 0; });
      if (writes) before<&Watcher::write>(i, WEDJAT_ROWS | WEDJAT_ADDRESSES | WEDJAT_OLD);
    }
  }
  void memory(const wedjat_memory& memory) override {
    if (memory.what != WEDJAT_HOST_WROTE || !log_.watches(memory.address, memory.bytes)) return;
    Write write;
    write.kind = Write::Kind::host;
    write.place = {memory.address, memory.bytes};
    log_.add(write);
  }

 private:
  static bool has_result(const wedjat_instruction& at) {
    return at.operand_count > 0 && at.operands[0].out && at.operands[0].kind != WEDJAT_ADDRESS &&
           std::string_view(at.operands[0].text) != "_";
  }

  void ticket(const wedjat::Event& event) {
    if (event.executed != 0) log_.ran(event.launch->index, *event.instruction);
  }

  void write(const wedjat::Event& event) {
    const wedjat_access& access = event.instruction->accesses[0];
    if (event.addresses == nullptr || (access.space != WEDJAT_GLOBAL && access.space != WEDJAT_GENERIC))
      return;
    each_lane(event.executed, [&](unsigned lane) {
      const Place place{event.addresses[0][lane], access.bytes};
      if (!log_.watches(place.address, place.bytes)) return;
      Write write;
      write.kind = kind_of(*event.instruction, access.atomic != 0);
      write.place = place;
      write.at = event.instruction;
      write.kernel = event.launch->kernel;
      write.launch = event.launch->index;
      write.cta = event.cta;
      write.thread = 32 * event.warp + lane;
      fill_value(event, lane, write);
      if (write.is_sum() && event.old != nullptr)
        std::memcpy(write.old.data(),
                    static_cast<const std::byte*>(event.old) + std::size_t{lane} * access.bytes,
                    std::min<std::size_t>(access.bytes, Write::most_bytes));
      log_.add(write);
    });
  }

  // Element by element.
  static void fill_value(const wedjat::Event& event, unsigned lane, Write& write) {
    const wedjat_operand* const value = value_of(*event.instruction);
    if (value == nullptr) return;
    const std::size_t bytes = value->bits / 8;
    for (std::size_t e = 0; e < value->count && (e + 1) * bytes <= Write::most_bytes; ++e) {
      const void* row = event.rows[value->first + e];
      if (row == nullptr) return;
      std::memcpy(write.value.data() + e * bytes, static_cast<const std::byte*>(row) + lane * bytes, bytes);
    }
  }

  WriteLog& log_ = *attaching<WriteLog>;
};

// The first and the last piece of Write::most_bytes that it touches.
std::pair<std::uint64_t, std::uint64_t> pieces_of(Place place) {
  return {place.address / Write::most_bytes, (place.address + place.bytes - 1) / Write::most_bytes};
}

}  // namespace

std::vector<Place> differing_places(const ReplayReport& report) {
  constexpr std::uint64_t most_watched = std::uint64_t{1} << 24;  // bytes
  std::vector<Place> places;
  std::uint64_t bytes = 0;
  for (const Checked& checked : report.checked) {
    for (const auto& [first, last] : checked.difference.ranges) {
      bytes += last - first + 1;
      if (bytes > most_watched) return places;
      places.push_back({checked.address + first, last - first + 1});
    }
  }
  return places;
}

WriteLog::WriteLog(std::vector<Place> places) {
  std::ranges::sort(places);
  for (const Place& place : places) {
    if (!places_.empty() && place.address <= places_.back().address + places_.back().bytes)
      places_.back().bytes =
          std::max(places_.back().bytes, place.address + place.bytes - places_.back().address);
    else
      places_.push_back(place);
  }
  noted_.resize(places_.size());
}

WriteLog::~WriteLog() = default;

void WriteLog::attach(hooks::Hooks& hooks) {
  attach_tool<Watcher>(hooks, *this, "write_log", "writes of places that differ");
}

std::pair<std::size_t, std::size_t> WriteLog::touched(Place place) const {
  const auto begin = std::ranges::partition_point(
      places_, [&](const Place& p) { return p.address + p.bytes <= place.address; });
  const auto end = std::partition_point(
      begin, places_.end(), [&](const Place& p) { return p.address < place.address + place.bytes; });
  return {begin - places_.begin(), end - places_.begin()};
}

bool WriteLog::watches(std::uint64_t address, std::uint64_t bytes) const {
  const auto [first, end] = touched({address, bytes});
  return first != end;
}

void WriteLog::add(const Write& write) {
  const auto [first, end] = touched(write.place);
  for (std::size_t i = first; i < end; ++i) {
    Noted& noted = noted_[i];
    const auto index = static_cast<std::uint32_t>(noted.writes.size());
    noted.writes.push_back(write);
    if (write.place.bytes > Write::most_bytes) {
      noted.large.push_back(index);
      continue;
    }
    const auto [piece, last_piece] = pieces_of(write.place);
    for (std::uint64_t at = piece; at <= last_piece; ++at) noted.small[at].push_back(index);
  }
}

std::vector<const Write*> WriteLog::writes(Place place) const {
  std::vector<const Write*> found;
  const auto [first, end] = touched(place);
  for (std::size_t i = first; i < end; ++i) {
    const Noted& noted = noted_[i];
    std::vector<std::uint32_t> candidates = noted.large;
    const auto [piece, last_piece] = pieces_of(place);
    for (std::uint64_t at = piece; at <= last_piece; ++at)
      if (const auto known = noted.small.find(at); known != noted.small.end())
        candidates.insert(candidates.end(), known->second.begin(), known->second.end());
    std::ranges::sort(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    for (const std::uint32_t index : candidates) {
      const Place& to = noted.writes[index].place;
      if (to.address < place.address + place.bytes && place.address < to.address + to.bytes)
        found.push_back(&noted.writes[index]);
    }
  }
  return found;
}

std::vector<const wedjat_instruction*> WriteLog::tickets(std::uint64_t launch) const {
  const auto found = tickets_.find(launch);
  if (found == tickets_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

bool WriteLog::orders_threads(const wedjat_kernel& kernel) const { return ordering_.contains(&kernel); }

}  // namespace wedjat::traces
