// What code knows of the rows that it leaves behind, for code that goes on from there: it need not look.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>

#include "emulator/compile/analysis/shape.h"

namespace wedjat::compile {

/// Of one kernel. Ways out of code have numbers, and code has, for the place where it begins, the numbers of
/// those ways that lead there with rows of the shapes it wants. Numbers and wants come in any order: code
/// that is made later fills in what it offers to code that there is.
class Certificates {
 public:
  /// Ways of one kernel that can have a number; others have number 0, which nobody accepts.
  static constexpr std::uint32_t most = 1024;
  /// Of one entry, by number of the way: not 0, the rows are as wanted. Code reads it while others write.
  using Accepted = std::array<std::atomic<std::uint8_t>, most>;
  using Shapes = std::map<std::uint32_t, Shape>;  ///< by offset of the row

  /// Where code begins that a way leads to.
  struct Place {
    std::uint32_t function, block, step;
    bool operator==(const Place&) const = default;
  };

  /// A way out that leads to a place, with rows of these shapes: its number.
  std::uint32_t offer(const Place& place, Shapes shapes);
  /// Code that begins at a place wants these shapes. What it gets stays where it is.
  const Accepted& want(const Place& place, Shapes shapes);

 private:
  struct Offer {
    Place place;
    Shapes shapes;
  };
  struct Want {
    Place place;
    Shapes shapes;
    Accepted accepted{};
  };
  static void compare(const Offer& offer, std::uint32_t number, Want& want);

  std::deque<Offer> offers_;
  std::deque<Want> wants_;
};

}  // namespace wedjat::compile
