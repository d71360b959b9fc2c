#include "traces/judge/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace wedjat::traces {
namespace {

using nlohmann::json;

json json_of(const std::vector<Evidence>& evidence) {
  json all = json::array();
  for (const Evidence& one : evidence)
    all.push_back({{"cause", one.cause}, {"text", one.text}, {"says", judged_name(one.says)}});
  return all;
}

json json_of(const std::optional<FirstFault>& fault) {
  if (!fault) return nullptr;
  json slice = json::array();
  for (const JudgedStep& step : fault->slice) {
    json row = {{"line", step.line}, {"instruction", step.text}, {"value", step.value}};
    if (!step.source.empty()) row["source"] = step.source;
    if (!step.remark.empty()) row["remark"] = step.remark;
    if (step.address != 0) row["address"] = step.address;
    slice.push_back(std::move(row));
  }
  return {{"launch", fault->launch},
          {"cta", fault->cta},
          {"thread", fault->thread},
          {"line", fault->line},
          {"store", fault->store},
          {"source", fault->source},
          {"address", fault->address},
          {"hardware", fault->hardware},
          {"here", fault->here},
          {"slice", std::move(slice)},
          {"instructions", fault->instructions}};
}

}  // namespace

json to_json(const LaunchJudged& judged) {
  return {{"verdict", judged_name(judged.verdict)},
          {"compared_bytes", judged.compared},
          {"differing_bytes", judged.differing},
          {"evidence", json_of(judged.evidence)},
          {"first", json_of(judged.fault)}};
}

json to_json(const Judgement& judgement) {
  json kernels = json::array();
  for (const KernelJudged& kernel : judgement.kernels)
    kernels.push_back({{"kernel", kernel.kernel},
                       {"verdict", judged_name(kernel.verdict)},
                       {"launches", kernel.launches},
                       {"evidence", json_of(kernel.evidence)},
                       {"first", json_of(kernel.fault)}});
  return {{"verdict", judged_name(judgement.verdict())},
          {"kernels", std::move(kernels)},
          {"notes", judgement.notes}};
}

std::vector<std::string> lines_of(const std::vector<Evidence>& evidence,
                                  const std::optional<FirstFault>& fault) {
  std::vector<std::string> lines;
  for (const Evidence& one : evidence) lines.push_back(fmt::format("  {}: {}", one.cause, one.text));
  if (!fault) return lines;
  lines.push_back(
      fmt::format("  first wrong store: '{}', line {} of the PTX{}, launch {}, CTA {} thread {}, at {:#x}",
                  fault->store, fault->line, fault->source.empty() ? "" : " (" + fault->source + ")",
                  fault->launch, fault->cta, fault->thread, fault->address));
  lines.push_back(fmt::format("    the hardware has {}, the PTX means {}", fault->hardware, fault->here));
  if (!fault->slice.empty())
    lines.push_back("    its value comes from (line of the PTX, instruction, result):");
  for (const JudgedStep& step : fault->slice) {
    std::string line = fmt::format("      {:>6}  {:<52} {}", step.line, step.text, step.value);
    if (step.address != 0) line += fmt::format("  at {:#x}", step.address);
    if (!step.remark.empty()) line += fmt::format("  <- {}", step.remark);
    if (!step.source.empty()) line += "  " + step.source;
    lines.push_back(std::move(line));
  }
  if (!fault->instructions.empty())
    lines.push_back(
        fmt::format("    the smallest set that shows it: these {} instructions", fault->instructions.size()));
  for (const std::string& text : fault->instructions) lines.push_back("      " + text);
  return lines;
}

}  // namespace wedjat::traces
