// wedjat run FILE.ptx --entry NAME --grid … --block … --arg …
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/page_options.h"
#include "cli/options/run_objects.h"
#include "cli/options/tool_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

struct Options {
  std::string file, entry, grid = "1", block = "1", cluster = "1";
  std::vector<std::string> arguments, bindings;
  std::uint32_t shared = 0;
  unsigned threads = 0;
  bool json = false;
  ToolOptions tools;
  PageOptions page;
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
  JitOption jit;
};

void write_file(const std::string& path, const device::Device& device, std::uint64_t address,
                std::uint64_t size) {
  std::ofstream out(path, std::ios::binary);
  std::vector<std::byte> block(std::min<std::uint64_t>(size, 1 << 20));
  for (std::uint64_t done = 0; out && done < size; done += block.size()) {
    block.resize(std::min<std::uint64_t>(block.size(), size - done));
    device.read(address + done, block);
    out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size()));
  }
  out.close();
  if (!out) throw traces::FormatError(path, "cannot be written");
}

// Places each argument at its parameter's offset; buffers of one file named twice are one buffer.
struct Placed {
  std::vector<std::byte> parameters;
  std::vector<std::pair<std::uint64_t, const Argument*>> buffers;
};

Placed place(device::Device& device, const device::Function& function, const std::vector<Argument>& arguments,
             RunObjects& objects) {
  const auto slots = device.parameters(function);
  if (slots.size() != arguments.size())
    throw std::invalid_argument(fmt::format("kernel {} takes {} arguments, {} are given",
                                            device.name(function), slots.size(), arguments.size()));
  Placed placed;
  std::uint64_t next = 0x7f0000000000;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Argument& argument = arguments[i];
    std::vector<std::byte> bytes = argument.bytes;
    if (argument.kind == Argument::Kind::buffer) {
      device.allocate_at(next, argument.size, "--arg " + argument.text);
      if (argument.text.starts_with("zeros:")) bytes.resize(argument.size);
      if (!bytes.empty()) device.write(next, bytes);
      placed.buffers.emplace_back(next, &argument);
      bytes.assign(reinterpret_cast<const std::byte*>(&next), reinterpret_cast<const std::byte*>(&next) + 8);
      next += (argument.size + 0x1fffff) / 0x200000 * 0x200000;
    }
    if (argument.kind == Argument::Kind::texels) {
      const std::uint64_t handle = objects.make(argument.texels);
      bytes.assign(reinterpret_cast<const std::byte*>(&handle),
                   reinterpret_cast<const std::byte*>(&handle) + 8);
    }
    if (bytes.size() != slots[i].size)
      throw std::invalid_argument(
          fmt::format("--arg {}: parameter {} of kernel {} has {} bytes, this argument {}", argument.text, i,
                      device.name(function), slots[i].size, bytes.size()));
    if (placed.parameters.size() < slots[i].offset + slots[i].size)
      placed.parameters.resize(slots[i].offset + slots[i].size);
    std::copy(bytes.begin(), bytes.end(),
              placed.parameters.begin() + static_cast<std::ptrdiff_t>(slots[i].offset));
  }
  return placed;
}

// What a program does at its end, for tools to see: its buffers are results, and none of them leaks.
void release(device::Device& device, const Placed& placed) {
  for (const auto& [address, argument] : placed.buffers) {
    std::vector<std::byte> all(argument->size);
    device.read(address, all);
    device.free(address);
  }
}

int run(const Options& options) {
  options.tools.supervise();
  end_launches_on_signals();
  device::LaunchConfig config;
  parse_shape(options.grid, config.grid);
  parse_shape(options.block, config.block);
  parse_shape(options.cluster, config.cluster);
  config.shared_bytes = options.shared;
  std::vector<Argument> arguments;
  for (const auto& text : options.arguments) arguments.push_back(parse_argument(text));

  device::DeviceOptions device_options;
  device_options.threads = options.threads;
  device_options.contract = options.contract;
  device_options.launch_limits = options.limits;
  device_options.print = [&](std::string_view text) { print_device(options.json ? stderr : stdout, text); };
  const std::unique_ptr<hooks::Hooks> tools = options.tools.start(options.json);
  device_options.hooks = tools.get();
  device_options.native = make_tier(options.jit);
  device::Device device(device_options);
  RunObjects objects(device);
  const std::string ptx = traces::read_file(options.file);
  device::Module* module =
      device.load_module({{options.file, ptx}}, objects.bind(options.file, ptx, options.bindings));
  const device::Function function = device.function(module, options.entry);
  const Placed placed = place(device, function, arguments, objects);
  device::LaunchStatistics statistics;
  try {
    statistics = device.launch(function, config, placed.parameters);
  } catch (const device::Interrupted&) {
    report_failure(tools.get(), options.json);
    throw;
  } catch (const device::Failed& failure) {
    report_failure(tools.get(), options.json);
    const bool lacks_object =
        std::string_view(failure.what()).find("object of this handle") != std::string_view::npos;
    for (const std::string& name : lacks_object ? objects.unbound() : std::vector<std::string>())
      fmt::print(stderr, "note: nothing is bound to {} (--bind {}=texture:… or surface:…)\n", name, name);
    throw;
  }
  for (const auto& [address, argument] : placed.buffers) {
    if (!argument->write_back.empty()) write_file(argument->write_back, device, address, argument->size);
  }
  for (const RunObjects::Result& result : objects.results())
    write_file(result.file, device, result.address, result.bytes);
  if (tools != nullptr) release(device, placed);
  hooks::Page page;
  const ReportTo to{.page = options.page.wanted() ? &page : nullptr, .mangled = options.page.mangled};
  page.title = "run of " + options.page.name(options.entry);
  page.facts = {{"file", options.file},
                {"thread instructions", grouped(statistics.thread_instructions)},
                {"warp instructions", grouped(statistics.warp_instructions)},
                {"time", fmt::format("{:.6f} s", statistics.seconds)}};
  int exit_code = all_well;
  if (!options.json) {
    fmt::print("{}: {} thread instructions, {} warp instructions, {:.6f} s\n",
               options.page.name(options.entry), grouped(statistics.thread_instructions),
               grouped(statistics.warp_instructions), statistics.seconds);
    exit_code = report_tools(tools.get(), to, all_well);
  } else {
    nlohmann::json out{{"kernel", options.entry},
                       {"seconds", statistics.seconds},
                       {"thread_instructions", statistics.thread_instructions},
                       {"warp_instructions", statistics.warp_instructions}};
    exit_code = report_tools(tools.get(), {&out, to.page, to.mangled}, all_well);
    print_json(out);
  }
  if (options.page.wanted()) options.page.write(std::move(page));
  return exit_code;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run one kernel of a PTX file on the CPU");
  command->add_option("file", options->file, "PTX text")->required();
  command->add_option("--entry", options->entry, "name of the kernel")->required();
  command->add_option("--grid", options->grid, "CTAs: X, X,Y or X,Y,Z")->capture_default_str();
  command->add_option("--block", options->block, "threads of a CTA: X, X,Y or X,Y,Z")->capture_default_str();
  command->add_option("--cluster", options->cluster, "CTAs of a cluster: X, X,Y or X,Y,Z")
      ->capture_default_str();
  command->add_option("--shared", options->shared, "bytes of dynamic shared memory");
  command
      ->add_option("--threads", options->threads,
                   "host threads (default: all cores); results never depend on it")
      ->check(thread_counts);
  add_jit_option(*command, options->jit);
  command
      ->add_option("--arg", options->arguments,
                   "kernel arguments in order: in:FILE inout:FILE out:FILE:BYTES zeros:BYTES bytes:FILE "
                   "u32:5 s64:-1 f32:1.5 b64:0x10 texture:FILE:f32x4:256,128:linear,normalized "
                   "surface:FILE:u32:64,64 surface-out:FILE:u32:64,64")
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option("--bind", options->bindings,
                   "NAME=texture:… or NAME=surface:… for a .texref or .surfref variable of the file")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--json", options->json, "print the statistics as JSON");
  options->tools.add_to(*command);
  options->tools.add_fidelity_to(*command);
  options->page.add_to(*command);
  add_contract_option(*command, options->contract);
  add_limit_options(*command, options->limits);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
