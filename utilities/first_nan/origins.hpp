// Instructions that first made a NaN or an infinity, launch by launch, and what became of such values.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

namespace first_nan {

inline constexpr const char *nan_input = "nan-input", *first_of_nan = "first-nan",
                            *first_of_infinity = "first-infinity";

struct Counts {
  std::uint64_t lanes = 0, stored = 0, copied = 0;
};

struct Origin {
  const wedjat_instruction* at;
  std::string kernel;
  std::uint64_t launch, cta;
  std::uint32_t thread;
  const char* kind;
  Counts counts;

  wedjat_finding finding(const wedjat_launch& of) const {
    return {sizeof(wedjat_finding),
            WEDJAT_WARNING,
            kind,
            kind == nan_input      ? "a load finds one that no kernel stored"
            : kind == first_of_nan ? "NaN of inputs that are none"
                                   : "infinity of finite inputs",
            &of,
            at,
            cta,
            thread};
  }
};

/// No origin.
inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// What the CTAs of one host thread make in a launch. Origins of earlier launches keep their numbers; those
/// from `known` on are its own, until number() says what they are for all.
class Made {
 public:
  explicit Made(std::uint32_t known) : known_(known) {}

  /// The number of the origin; a new one if no lane made such a thing there yet.
  std::uint32_t origin(const wedjat::Event& event, unsigned lane, const char* kind) {
    const auto [found, is_new] =
        by_place_.try_emplace({event.instruction->id, kind}, static_cast<std::uint32_t>(own_.size()));
    Origin here{event.instruction,
                event.launch->kernel->name,
                event.launch->index,
                event.cta,
                32 * event.warp + lane,
                kind,
                {}};
    if (is_new) {
      own_.push_back({std::move(here), sequence_++, 0});
    } else if (Own& own = own_[found->second]; event.cta < own.origin.cta) {
      here.counts = own.origin.counts;
      own = {std::move(here), sequence_++, 0};
    }
    ++own_[found->second].origin.counts.lanes;
    return known_ + found->second;
  }
  Counts& counts(std::uint32_t number) {
    return number < known_ ? of_known_[number] : own_[number - known_].origin.counts;
  }
  /// For all, after Origins::add().
  std::uint32_t number(std::uint32_t here) const { return here < known_ ? here : own_[here - known_].number; }

 private:
  friend class Origins;
  struct Own {
    Origin origin;
    std::uint64_t sequence;  // of what its thread found, and so of its CTA
    std::uint32_t number;
  };
  std::uint32_t known_;
  std::vector<Own> own_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> by_place_;  // by instruction and kind
  std::map<std::uint32_t, Counts> of_known_;
  std::uint64_t sequence_ = 0;
};

class Origins {
 public:
  std::uint32_t count() const { return static_cast<std::uint32_t>(all_.size()); }
  Origin& operator[](std::uint32_t number) { return all_[number]; }
  const std::vector<Origin>& all() const { return all_; }

  /// What the threads made in the launch. Returns the new origins: each of the least CTA that made it, in the
  /// order of CTAs.
  std::vector<const Origin*> add(const std::vector<Made*>& made) {
    std::map<std::pair<std::uint32_t, std::string_view>, const Made::Own*> first;
    for (const Made* part : made)
      for (const auto& [place, index] : part->by_place_) {
        const auto [found, is_new] = first.try_emplace(place, &part->own_[index]);
        if (!is_new && part->own_[index].origin.cta < found->second->origin.cta)
          found->second = &part->own_[index];
      }
    std::vector<std::pair<std::pair<std::uint32_t, std::string_view>, const Made::Own*>> in_order(
        first.begin(), first.end());
    std::ranges::sort(in_order, {}, [](const auto& entry) {
      return std::pair(entry.second->origin.cta, entry.second->sequence);
    });
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> number;
    for (const auto& [place, own] : in_order) {
      number[place] = count();
      all_.push_back(own->origin);
      all_.back().counts = {};
    }
    for (Made* part : made) {
      for (const auto& [place, index] : part->by_place_) {
        part->own_[index].number = number.at(place);
        add(number.at(place), part->own_[index].origin.counts);
      }
      for (const auto& [known, counts] : part->of_known_) add(known, counts);
    }
    std::vector<const Origin*> added;
    for (std::size_t i = all_.size() - in_order.size(); i < all_.size(); ++i) added.push_back(&all_[i]);
    return added;
  }

 private:
  void add(std::uint32_t number, const Counts& more) {
    all_[number].counts.lanes += more.lanes;
    all_[number].counts.stored += more.stored;
    all_[number].counts.copied += more.copied;
  }
  std::vector<Origin> all_;
};

}  // namespace first_nan
