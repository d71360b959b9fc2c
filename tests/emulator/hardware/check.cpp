// Runs every form of a truth file on the emulator and compares with what the hardware answered, bit for bit.
// Forms listed in the open file are expected to be refused or to differ; one of them that agrees is a failure
// too, so the list stays honest.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "emulator/fidelity/truth_file.h"
#include "emulator/ptx/text/error.h"
#include "tests/emulator/hardware/cases/matrix_case.h"
#include "tests/emulator/hardware/cases/row_case.h"
#include "tests/emulator/hardware/cases/texel_case.h"
#include "tests/emulator/hardware/devices/emulated_scenes.h"
#include "tests/emulator/hardware/forms/kernel.h"
#include "tests/emulator/hardware/forms/random.h"
#include "tests/emulator/hardware/forms/rounds.h"

using namespace wedjat;
using namespace wedjat::fidelity;
using namespace wedjat::hardware_truth;

namespace {

constexpr std::uint64_t input_address = 0x7f0000000000, output_address = 0x7f1000000000,
                        texture_variable = 0x7f3000000000, surface_variable = 0x7f3000001000;
constexpr std::size_t group_size = 200;  // kernels in one module

// How the records of a truth file are meant.
enum class Kind { forms, matrix, rows, texels };

// Truth of matrix instructions and of rows is a hash for each warp.
std::string differing_warps(const std::vector<std::byte>& hashes, std::span<const std::byte> expected) {
  if (hashes.size() != expected.size()) return "stale: another number of warps";
  std::string warps;
  for (std::size_t at = 0; at < hashes.size(); at += 8)
    if (!std::equal(hashes.begin() + static_cast<std::ptrdiff_t>(at),
                    hashes.begin() + static_cast<std::ptrdiff_t>(at + 8),
                    expected.begin() + static_cast<std::ptrdiff_t>(at)))
      warps += fmt::format(" {}", at / 8);
  return warps.empty() ? "" : "other results in warps" + warps;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string digits;
  for (const std::byte byte : bytes) digits += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return digits;
}

// Whole answers of a row: how many records differ, and the first of them.
std::string differing_records(const Case& one, std::span<const std::byte> expected,
                              std::span<const std::byte> got) {
  std::size_t different = 0;
  std::string first;
  for (std::size_t at = 0; at < got.size(); at += kRecord) {
    if (std::ranges::equal(expected.subspan(at, kRecord), got.subspan(at, kRecord))) continue;
    if (different++ > 0) continue;
    first = fmt::format("record {}:\n      input    {}\n      expected {}\n      got      {}", at / kRecord,
                        hexadecimal(std::span(one.input).subspan(at, kRecord)),
                        hexadecimal(expected.subspan(at, kRecord)), hexadecimal(got.subspan(at, kRecord)));
  }
  return different == 0 ? "" : fmt::format("{} records differ, {}", different, first);
}

// After this no device can be used any more.
constexpr std::string_view failed = "failed: ";

// Packed as a kernel's parameters.
template <class... Numbers>
std::vector<std::byte> packed(const Numbers&... numbers) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& number) {
    const auto words = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), words.begin(), words.end());
  };
  (add(numbers), ...);
  return bytes;
}

void launch(device::Device& device, device::Module* module, const Case& one,
            std::span<const std::byte> parameters) {
  device::LaunchConfig config;
  config.grid[0] = kBlocks;
  config.block[0] = kThreads;
  device.launch(device.function(module, one.entry), config, parameters);
}

std::vector<std::byte> output_of(device::Device& device, std::size_t bytes) {
  std::vector<std::byte> output(bytes);
  device.read(output_address, output);
  return output;
}

// As gpu_child.cpp does.
std::vector<std::byte> run_with_scenes(device::Device& device, device::Module* module, const Case& one) {
  EmulatedScenes scenes(device, *one.scenes);
  const auto launch_one = [&](std::uint32_t only) {
    launch(device, module, one, packed(input_address, output_address, scenes.handles(), only));
  };
  if (one.variable.empty()) launch_one(~0u);
  for (std::uint32_t i = 0; !one.variable.empty() && i < one.scenes->scenes.size(); ++i) {
    scenes.bind(one.scenes->surfaces ? surface_variable : texture_variable, i);
    launch_one(i);
  }
  std::vector<std::byte> output = output_of(device, std::size_t{kTexelOutput} * kLanes);
  if (one.scenes->stored) {
    const std::vector<std::byte> stored = scenes.contents();
    output.insert(output.end(), stored.begin(), stored.end());
  }
  return output;
}

std::string difference(const Case& one, std::span<const std::byte> got, const Record& record, Kind kind) {
  switch (kind) {
    case Kind::forms:
      if (input_rounds.count > 0 && record.output.size() != got.size())
        return differing_warps(round_hashes(got), record.output);
      return describe_difference(one, record.output, got);
    case Kind::matrix:
      return differing_warps(warp_hashes(one, got), record.output);
    case Kind::rows:
      if (record.output.size() == got.size() && one.input.size() == got.size())
        return differing_records(one, record.output, got);
      return differing_warps(record_hashes(got), record.output);
    case Kind::texels:
      if (record.output.size() == got.size()) return differing_lanes(one, record.output, got);
      break;
  }
  return differing_warps(texel_hashes(one, got), record.output);
}

// Empty if the emulator agrees, else why not.
std::string run_one(device::Device& device, device::Module* module, const Case& one, const Record& record,
                    Kind kind) {
  if (one.input_hash() != record.input_hash)
    return "stale: the generator makes other inputs than when the truth was recorded";
  device.allocate_at(input_address, std::max<std::size_t>(one.input.size(), 1), "pin");
  device.allocate_at(output_address, one.output_bytes, "pout");
  std::string problem;
  try {
    device.write(input_address, one.input);
    if (one.scenes != nullptr) {
      problem = difference(one, run_with_scenes(device, module, one), record, kind);
    } else {
      std::vector<std::byte> parameters = packed(input_address, output_address);
      parameters.insert(parameters.end(), one.parameters.begin(), one.parameters.end());
      launch(device, module, one, parameters);
      problem = difference(one, output_of(device, one.output_bytes), record, kind);
    }
  } catch (const device::Refused& error) {
    problem = std::string("refused: ") + error.what();
  } catch (const device::Failed& error) {
    return std::string(failed) + error.what();
  } catch (const ptx::Error& error) {
    problem = std::string("not parsed: ") + error.what();
  }
  device.free(input_address);
  device.free(output_address);
  return problem;
}

std::set<std::string> read_lines(const std::string& path) {
  std::set<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.insert(line);
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  std::string truth_path, open_path, only;
  unsigned shown = 20;
  Kind kind = Kind::forms;
  CLI::App app("Compare the emulator with what a GPU answered, form by form.");
  app.add_option("truth", truth_path, "truth file")->required();
  app.add_option("--open", open_path, "file of forms that are known to be refused or to differ, one a line");
  app.add_option("--only", only, "only forms whose text contains this");
  app.add_option("--seed", input_seed, "that the truth was recorded with")->capture_default_str();
  app.add_option("--rounds", input_rounds.count, "that the truth was recorded with");
  app.add_flag("--guarded", input_rounds.guarded, "that the truth was recorded with");
  app.add_flag("--same", input_rounds.same, "that the truth was recorded with");
  app.add_option("--show", shown, "failures to print in full")->capture_default_str();
  app.add_option("--kind", kind, "what the truth holds")
      ->transform(CLI::Transformer(std::map<std::string, Kind>{
          {"forms", Kind::forms}, {"matrix", Kind::matrix}, {"rows", Kind::rows}, {"texels", Kind::texels}}));
  CLI11_PARSE(app, argc, argv);

  Truth truth = read_truth(truth_path);
  const std::set<std::string> open = open_path.empty() ? std::set<std::string>{} : read_lines(open_path);
  std::erase_if(truth.records,
                [&](const Record& record) { return record.form.find(only) == record.form.npos; });

  std::map<std::string, const InventoryRow*> rows;
  if (kind == Kind::rows)
    for (const InventoryRow* row : shown_rows()) rows[shape_of(*row).name] = row;
  if (kind == Kind::texels)
    for (const InventoryRow* row : texel_rows()) rows[shape_of(*row).name] = row;

  auto device = std::make_unique<device::Device>(device::DeviceOptions{});
  std::size_t exact = 0, expected_open = 0, failures = 0, outputs = 0;
  for (std::size_t begin = 0, end = 0; begin < truth.records.size(); begin = end) {
    std::vector<Case> cases;
    for (std::size_t i = begin; i < std::min(begin + group_size, truth.records.size()); ++i) {
      const std::string &form = truth.records[i].form, entry = fmt::format("form_{}", i - begin);
      cases.push_back(kind == Kind::matrix   ? make_matrix_case(form, entry)
                      : kind == Kind::rows   ? make_row_case(*rows.at(form), entry)
                      : kind == Kind::texels ? make_texel_case(*rows.at(form), entry)
                                             : make_case(parse_form(form), entry));
    }
    cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(one_module(cases, cases.size())), cases.end());
    end = begin + cases.size();
    const auto load = [&] {
      return device->load_module({{fmt::format("forms {}-{}", begin, end - 1), module_text(cases)}},
                                 {{"texr", texture_variable}, {"sfr", surface_variable}});
    };
    device::Module* module = load();
    for (std::size_t i = begin; i < end; ++i) {
      const Record& record = truth.records[i];
      std::string problem = run_one(*device, module, cases[i - begin], record, kind);
      if (problem.starts_with(failed)) {
        device = std::make_unique<device::Device>(device::DeviceOptions{});
        module = load();
      }
      const bool known = open.count(record.form) != 0;
      if (problem.empty() && !known) {
        ++exact;
        outputs += kLanes * std::max(input_rounds.count, 1u);
      } else if (!problem.empty() && known) {
        ++expected_open;
      } else {
        if (problem.empty()) problem = "agrees with the hardware, but is listed as open";
        if (++failures <= shown) fmt::print("{}\n    {}\n", record.form, problem);
      }
    }
    device->unload_module(module);
  }
  fmt::print("{}, driver {}, {}: {} forms exact ({} hardware outputs), {} open, {} failures\n", truth.device,
             truth.driver, truth.date, exact, outputs, expected_open, failures);
  return failures ? 1 : 0;
}
