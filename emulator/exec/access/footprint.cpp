#include "emulator/exec/access/footprint.h"

#include <new>

namespace wedjat::exec {

std::pair<TouchedPage*, bool> Footprint::look_up(std::uintptr_t key) {
  const auto [page, is_new] = index_.try_emplace(key);
  if (is_new) {
    using Stamps = std::array<TouchedPage::Stamp, TouchedPage::lines>;
    *page = new (storage_.take(sizeof(TouchedPage))) TouchedPage;
    if (stamped_) (*page)->stamps = new (storage_.take(sizeof(Stamps))) Stamps;
    if (owned_) {
      (*page)->owners = new (storage_.take(sizeof(TouchedPage::Owners))) TouchedPage::Owners;
      (*page)->owners->fill(TouchedPage::nobody);
    }
  }
  return {*page, is_new};
}

}  // namespace wedjat::exec
