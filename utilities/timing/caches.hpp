// Which sectors the L1 of an SM, and the L2, hold: sets of four, the one used longest ago goes.
#pragma once
#include <cstdint>
#include <vector>

namespace timing {

class Sectors {
 public:
  explicit Sectors(std::uint64_t bytes) : sets_(bytes / (kSector * kWays)), places_(sets_ * kWays) {}

  /// Whether it is there; puts it in if it `stays`.
  bool access(std::uint64_t sector, bool stays) {
    Place* const set = set_of(sector);
    Place* oldest = set;
    for (Place* place = set; place != set + kWays; ++place) {
      if (place->sector == sector && place->used > cleared_) return place->used = ++clock_, true;
      if (place->used < oldest->used) oldest = place;
    }
    if (stays) *oldest = {sector, ++clock_};
    return false;
  }
  void drop(std::uint64_t sector) {
    for (Place *place = set_of(sector), *const end = place + kWays; place != end; ++place)
      if (place->sector == sector) *place = {};
  }
  void clear() { cleared_ = clock_; }

  static constexpr std::uint64_t kSector = 32;

 private:
  static constexpr std::uint64_t kWays = 4;
  struct Place {
    std::uint64_t sector = 0, used = 0;
  };
  Place* set_of(std::uint64_t sector) {
    return places_.data() + (sector * 0x9E3779B97F4A7C15u >> 20) % sets_ * kWays;
  }
  std::uint64_t sets_, clock_ = 0, cleared_ = 0;
  std::vector<Place> places_;
};

/// From where a sector of the L2 comes: the half of it that is near the SM, the other half, device memory.
enum class Level : std::uint8_t { near, far, device };

/// The L2: two halves, of which one is the home of each sector; the other keeps a copy when an SM near it has
/// read it. What SMs ask for at about the same time all of them wait for, whoever is told of first.
class Halves {
 public:
  explicit Halves(std::uint64_t bytes) : sets_(bytes / (Sectors::kSector * kWays)), places_(sets_ * kWays) {}

  void launch_begins() { ++launch_; }
  void host_wrote(std::uint64_t sector) {
    *find(sector) = {sector, ++clock_, 0, 0, home(sector), Level::near};
  }

  /// A read by this SM in this wave of CTAs.
  Level read(std::uint64_t sector, std::uint32_t sm, std::uint64_t wave) {
    Place& place = *find(sector);
    const bool is_there = place.sector == sector && place.used != 0;
    const auto half = static_cast<std::uint8_t>(1u << (sm & 1));
    const std::uint64_t time = launch_ << 16 | wave;
    Level level = Level::near;
    if (!is_there)
      level = Level::device, place = {sector, 0, time, sm, home(sector), level};
    else if ((place.halves & half) == 0)
      level = Level::far, place.time = time, place.sm = sm, place.level = level;
    else if (place.time == time && place.sm != sm)
      level = place.level;
    place.halves |= half, place.used = ++clock_;
    return level;
  }
  /// Whether it was there.
  bool write(std::uint64_t sector, std::uint32_t sm) {
    Place& place = *find(sector);
    const bool is_there = place.sector == sector && place.used != 0;
    place = {sector, ++clock_, launch_ << 16, sm, home(sector), Level::near};
    return is_there;
  }

 private:
  static constexpr std::uint64_t kWays = 4;
  struct Place {
    std::uint64_t sector = 0, used = 0, time = 0;  // time: launch and wave in which it came
    std::uint32_t sm = 0;
    std::uint8_t halves = 0;
    Level level = Level::near;
  };
  static std::uint64_t mixed(std::uint64_t line) { return line * 0x9E3779B97F4A7C15u >> 20; }
  static std::uint8_t home(std::uint64_t sector) {
    return static_cast<std::uint8_t>(1u << (mixed(sector / 4) >> 7 & 1));
  }
  // Where it is, or what it takes the place of.
  Place* find(std::uint64_t sector) {
    Place* const set = places_.data() + mixed(sector) % sets_ * kWays;
    Place* oldest = set;
    for (Place* place = set; place != set + kWays; ++place) {
      if (place->sector == sector && place->used != 0) return place;
      if (place->used < oldest->used) oldest = place;
    }
    return oldest;
  }

  std::uint64_t sets_, clock_ = 0, launch_ = 0;
  std::vector<Place> places_;
};

}  // namespace timing
