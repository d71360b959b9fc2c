// Devices and what their tools report.
#include <nlohmann/json.hpp>

#include "cli/library/objects.h"
#include "cli/library/release.h"

using namespace wedjat;
using namespace wedjat::library;

extern "C" {

WedjatStatus wedjat_device_create(const WedjatRunOptions* options, WedjatDevice** device) {
  return guarded(__func__, [&] {
    need(device, "device");
    auto made = std::make_shared<Device>();
    made->parts = run_parts(options);
    device::DeviceOptions how;
    how.threads = made->parts.threads;
    how.launch_limits = made->parts.limits;
    how.contract = made->parts.contract;
    how.native = made->parts.native;
    how.hooks = made->parts.hooks.get();
    if (made->parts.print)
      how.print = [self = made.get()](std::string_view text) {
        const CallingBack here(self);
        self->parts.print(text);
      };
    made->device = std::make_unique<device::Device>(std::move(how));
    *device = devices().add(std::move(made));
  });
}

WedjatStatus wedjat_device_free(WedjatDevice* device) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    devices().drop(device);
    Device& state = turn.state();
    for (WedjatModule* const module : state.modules) release(module);
    for (WedjatArray* const array : state.arrays) release(array);
    state.device.reset();
    state.parts = {};
  });
}

WedjatStatus wedjat_device_report(WedjatDevice* device, char** json) {
  return guarded(__func__, [&] {
    const Turn turn(devices().at(device));
    need(json, "json");
    Device& state = turn.state();
    if (state.reported) throw WrongArgument("the tools of this device have reported already");
    state.reported = state.parts.hooks != nullptr;
    nlohmann::json report;
    report_tools(state.parts.hooks.get(), report);
    *json = json_for_caller(report);
  });
}
}
