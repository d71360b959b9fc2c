// Runs a kernel under tools and gives what they report.
#pragma once
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "emulator/hooks/hooks.h"

namespace wedjat::test {

struct Watched {
  std::vector<nlohmann::json> tools;
  std::vector<hooks::Report> reports;
  std::vector<std::byte> memory;
  std::string failure;
  std::string printed;  ///< by isolated tools

  /// Cell of the first row of a table whose first column is `key` (any row if empty).
  nlohmann::json cell(const std::string& table, const std::string& column, const std::string& key = {},
                      std::size_t tool = 0) const {
    for (const auto& t : tools.at(tool)["tables"])
      if (t["title"] == table)
        for (const auto& row : t["rows"])
          if (key.empty() || row[t["columns"][0].get<std::string>()] == key) return row[column];
    return nullptr;
  }
  /// Numbers of a table of two columns, by what stands in the first.
  std::uint64_t number(const std::string& table, const std::string& key, std::size_t tool = 0) const {
    for (const auto& t : tools.at(tool)["tables"])
      if (t["title"] == table)
        for (const auto& row : t["rows"])
          if (row[t["columns"][0].get<std::string>()] == key) return row[t["columns"][1].get<std::string>()];
    return 0;
  }
  std::uint32_t word(std::size_t index) const {
    std::uint32_t value;
    std::memcpy(&value, memory.data() + 4 * index, sizeof value);
    return value;
  }
  std::vector<std::string> kinds(std::size_t tool = 0) const {
    std::vector<std::string> all;
    for (const auto& finding : tools.at(tool)["findings"]) all.push_back(finding["kind"]);
    return all;
  }
};

struct Grid {
  std::uint32_t ctas = 1, threads = 32;
  unsigned host_threads = 1;
  bool host_writes = true;
  unsigned launches = 1;
  std::string suppressions;  // file
  std::shared_ptr<compile::Tier> native = nullptr;
};

/// Kernel `k(.param .u64 buffer)` over a buffer of 64 KiB, zero; texture 0x77 is a line of its first 1,024
/// words, surface 0x78 an array of 64 by 16 words.
inline Watched watch(const std::string& body, const std::vector<std::string>& tools, Grid grid = {},
                     const wedjat_tool* own = nullptr) {
  constexpr std::uint64_t address = 0x7f0000000000, bytes = 1 << 16;
  Watched out;
  hooks::Hooks hooks;
  hooks.print_to([&](bool, std::string_view text) { out.printed += text; });
  for (const std::string& tool : tools) hooks.add(tool, grid.suppressions);
  if (own != nullptr) hooks.add(*own);
  device::DeviceOptions options;
  options.threads = grid.host_threads;
  options.native = grid.native;
  options.hooks = tools.empty() && own == nullptr ? nullptr : &hooks;
  device::Device device(options);
  device::Module* module =
      device.load_module({{"k.ptx", ".version 8.7\n.target sm_90a\n.address_size 64\n" + body}}, {});
  device.allocate_at(address, bytes, "buffer");
  memory::Texture& line = device.textures().textures[0x77];
  line.texels.shape = {1024, 0, 0, memory::ChannelFormat::u32, 1};
  line.texels.address = address;
  device.textures().surfaces[0x78] = {device.make_array({64, 16, 0, memory::ChannelFormat::u32, 1})};
  out.memory.resize(bytes);
  if (grid.host_writes) device.write(address, out.memory);
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &address, 8);
  device::LaunchConfig config;
  config.grid[0] = grid.ctas;
  config.block[0] = grid.threads;
  try {
    for (unsigned i = 0; i < grid.launches; ++i)
      device.launch(device.function(module, "k"), config, parameters);
    device.read(address, out.memory);
    device.free(address);
  } catch (const device::Failed& failed) {
    out.failure = failed.what();
  }
  out.reports = hooks.finish();
  for (const hooks::Report& report : out.reports) out.tools.push_back(to_json(report));
  return out;
}

}  // namespace wedjat::test
