#include "cli/reduce/bundled.h"

#include <fmt/format.h>

#include "cli/expect/bundle.h"
#include "emulator/device/error.h"
#include "emulator/ptx/text/error.h"
#include "traces/bundle/bundle.h"

namespace wedjat::reduce {
namespace {

std::string none(const std::string& why) { return "There is no program in C: " + why + ".\n"; }

}  // namespace

std::string write_bundle(const std::filesystem::path& folder, const Case& of, kernel::Contract contract,
                         const device::LaunchLimits& limits) {
  if (traces::is_bundle(folder)) std::filesystem::remove_all(folder);
  if (of.launches.size() != 1) return none("it would launch once, and this takes several launches");
  try {
    const traces::Bundle bundle =
        expect::bundle_of("reduced.ptx", of.ptx(), of.launches[0], contract, limits);
    traces::write_bundle(folder, bundle);
  } catch (const device::Failed& error) {
    return none(fmt::format("the launch ends here with an error, \"{}\"", error.what()));
  } catch (const device::Refused& error) {
    return none(error.what());
  } catch (const ptx::Error& error) {
    return none(error.what());
  }
  return "`make -C bundle run` launches it with a program in C (`bundle/main.c`), of the driver API alone, "
         "and says which bytes differ from what the emulator leaves. `make -C bundle answers` compiles it at "
         "every level of ptxas and through the driver, for `wedjat judge --answer bundle`.\n";
}

}  // namespace wedjat::reduce
