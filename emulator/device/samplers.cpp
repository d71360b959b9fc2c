#include "emulator/device/samplers.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/legality/refusal.h"

namespace wedjat::device {
namespace {

using memory::AddressMode;
using memory::Filter;

template <class T>
struct Word {
  std::string_view word;
  T meaning;
};
constexpr Word<AddressMode> address_modes[] = {{"wrap", AddressMode::wrap},
                                               {"mirror", AddressMode::mirror},
                                               {"clamp_to_edge", AddressMode::clamp},
                                               {"clamp_to_border", AddressMode::border}};
constexpr Word<Filter> filters[] = {{"nearest", Filter::point}, {"linear", Filter::linear}};
constexpr Word<bool> normalized[] = {{"0", true}, {"1", false}};

template <class T, std::size_t count>
bool set(T& to, const Word<T> (&words)[count], std::string_view word) {
  const auto* const found = std::ranges::find(words, word, &Word<T>::word);
  if (found == std::end(words)) return false;
  to = found->meaning;
  return true;
}

bool set(memory::Sampler& sampler, std::string_view property, std::string_view value) {
  constexpr std::string_view axes = "addr_mode_";
  if (property == "filter_mode") return set(sampler.filter, filters, value);
  if (property == "force_unnormalized_coords") return set(sampler.normalized_coordinates, normalized, value);
  if (!property.starts_with(axes) || property.size() != axes.size() + 1) return false;
  const auto axis = static_cast<unsigned>(property.back() - '0');
  return axis < 3 && set(sampler.address[axis], address_modes, value);
}

}  // namespace

memory::Sampler declared_sampler(const ptx::Module& module, const ptx::Variable& variable) {
  memory::Sampler sampler;
  sampler.normalized_coordinates = true;
  for (const auto& [property, value] : variable.properties)
    if (!set(sampler, property, value))
      kernel::refuse(module, variable.where, fmt::format("{} = {} has no semantics here", property, value));
  return sampler;
}

}  // namespace wedjat::device
