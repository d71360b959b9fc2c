#include "emulator/fidelity/inventory.h"

#include "emulator/fidelity/embedded.h"
#include "emulator/fidelity/fields.h"

namespace wedjat::fidelity {

const std::vector<InventoryRow>& inventory() {
  static const std::string text = unpack(embedded_forms(), "the inventory of forms");
  static const std::vector<InventoryRow> rows = [] {
    std::vector<InventoryRow> all;
    for (const auto& f : fields_of<9>(text, "the inventory of forms"))
      all.push_back({f[0], f[1] == "yes", f[2], f[3], f[4], f[5], f[6], f[7], f[8]});
    all.erase(all.begin());  // the head
    return all;
  }();
  return rows;
}

}  // namespace wedjat::fidelity
