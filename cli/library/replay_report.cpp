#include "cli/library/replay_report.h"

namespace wedjat::library {

nlohmann::json to_json(const traces::Trace& trace, const traces::ReplayReport& report) {
  nlohmann::json copies = nlohmann::json::array(), kernels = nlohmann::json::array();
  for (const auto& checked : report.checked) {
    const auto& difference = checked.difference;
    nlohmann::json row = {{"seq", checked.sequence},       {"call", checked.call},
                          {"address", checked.address},    {"kernels", checked.kernels},
                          {"bytes", difference.bytes},     {"differing_bytes", difference.differing_bytes},
                          {"addresses", checked.addresses}};
    if (!difference.same())
      row["first"] = {{"offset", difference.element_offset},
                      {"address", checked.address + difference.element_offset},
                      {"type", traces::element_name(difference.element)},
                      {"expected", difference.expected},
                      {"got", difference.got},
                      {"largest_ulps", difference.largest_ulps},
                      {"differing_elements", difference.differing_elements}};
    copies.push_back(std::move(row));
  }
  for (const auto& launched : report.launched)
    kernels.push_back({{"seq", launched.sequence},
                       {"kernel", launched.kernel},
                       {"seconds", launched.seconds},
                       {"thread_instructions", launched.thread_instructions},
                       {"warp_instructions", launched.warp_instructions},
                       {"steps", launched.steps},
                       {"native_steps", launched.native_steps}});
  return {{"trace", trace.folder.string()},
          {"program", trace.manifest.argv},
          {"device", trace.manifest.device ? trace.manifest.device->name : ""},
          {"verdict", traces::agreement_name(report.agreement())},
          {"calls", report.calls},
          {"copies", std::move(copies)},
          {"launches", std::move(kernels)},
          {"stepped_over", report.stepped_over},
          {"not_compared", report.not_compared},
          {"flaws", trace.flaws},
          {"hardware_failed", report.hardware_failed},
          {"compared_bytes", report.compared_bytes()},
          {"recorded_bytes", report.recorded_bytes},
          {"not_compared_bytes", report.left_bytes},
          {"differing_bytes", report.differing_bytes()},
          {"seconds", report.kernel_seconds()},
          {"thread_instructions", report.thread_instructions()},
          {"warp_instructions", report.warp_instructions()}};
}

}  // namespace wedjat::library
