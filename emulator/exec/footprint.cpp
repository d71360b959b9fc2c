#include "emulator/exec/footprint.h"

namespace wedjat::exec {

std::pair<TouchedPage*, bool> Footprint::look_up(std::uintptr_t key) {
  const auto [place, is_new] = index_.try_emplace(key, nullptr);
  if (is_new) {
    place->second = &storage_.emplace_back();
    if (stamped_)
      place->second->stamps = std::make_unique<std::array<TouchedPage::Stamp, TouchedPage::lines>>();
  }
  return {place->second, is_new};
}

}  // namespace wedjat::exec
