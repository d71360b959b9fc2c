// wedjat run FILE.ptx --entry NAME --grid … --block … --arg …
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/commands/run_bundle.h"
#include "cli/library/inside.h"
#include "cli/options/arguments.h"
#include "cli/options/given.h"
#include "cli/options/interruption.h"
#include "cli/options/jit_option.h"
#include "cli/options/kernel_options.h"
#include "cli/options/library_error.h"
#include "cli/options/numbers.h"
#include "cli/options/page_options.h"
#include "cli/options/reading_options.h"
#include "cli/options/run_objects.h"
#include "cli/options/tool_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "emulator/device/error.h"
#include "emulator/hooks/report/names.h"
#include "traces/bundle/bundle.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

struct RunOptions {
  std::string file, entry, grid = "1", block = "1", cluster = "1";
  std::vector<std::string> arguments, bindings;
  std::uint32_t shared = 0;
  unsigned threads = 0;
  bool json = false, elsewhere = false;
  std::uint64_t memory_limit = traces::default_memory_limit();
  ToolOptions tools;
  PageOptions page;
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
  JitOption jit;
};

struct FreeDevice {
  void operator()(WedjatDevice* device) const { wedjat_device_free(device); }
};
using OwnedDevice = std::unique_ptr<WedjatDevice, FreeDevice>;

OwnedDevice make_device(const RunOptions& options) {
  WedjatRunOptions wanted{};
  wanted.size = sizeof wanted;
  wanted.threads = options.threads;
  choose(options.jit, wanted);
  choose(options.contract, options.limits, wanted);
  wanted.print = [](void* to, const char* text, std::size_t bytes) {
    print_device(static_cast<std::FILE*>(to), {text, bytes});
  };
  wanted.print_user = options.json ? stderr : stdout;
  std::vector<const char*> tools;
  options.tools.choose(wanted, tools, options.json);
  WedjatDevice* device = nullptr;
  must(wedjat_device_create(&wanted, &device));
  return OwnedDevice(device);
}

struct Named {
  WedjatKernel* kernel = nullptr;
  std::string name;  // that the linker knows
};

std::vector<Named> kernels_of(WedjatModule* module) {
  std::size_t count = 0;
  must(wedjat_module_kernel_count(module, &count));
  std::vector<Named> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    must(wedjat_module_kernel_at(module, i, &all[i].kernel));
    WedjatKernelInfo info{};
    info.size = sizeof info;
    must(wedjat_kernel_info(all[i].kernel, &info));
    all[i].name = info.name;
  }
  return all;
}

// By the name that the linker knows, or by one that people read if only one kernel has it. Without a name:
// the only kernel there is.
Named find_kernel(WedjatModule* module, const std::string& name) {
  const std::vector<Named> all = kernels_of(module);
  if (const auto exact = std::ranges::find(all, name, &Named::name); exact != all.end()) return *exact;
  std::vector<Named> meant;
  std::ranges::copy_if(all, std::back_inserter(meant), [&](const Named& one) {
    return name.empty() || (!name.ends_with('*') && hooks::means_kernel(name, one.name));
  });
  if (meant.size() == 1) return meant.front();
  std::vector<std::string> names;
  for (const Named& one : meant.empty() ? all : meant) names.push_back(hooks::demangled(one.name));
  const std::string list = fmt::format("{}", fmt::join(names, "; "));
  if (all.empty()) throw device::Refused("there is no kernel in the module");
  if (meant.empty()) throw device::Refused(fmt::format("no kernel {} in the module; it has {}", name, list));
  throw CLI::ValidationError("--entry", "which one of " + list + "?");
}

// What the kernel is given: a value for each parameter, and the buffers whose addresses are some of them.
struct Placed {
  std::vector<std::vector<std::byte>> values;
  std::vector<std::pair<std::uint64_t, const Argument*>> buffers;

  std::vector<WedjatArgument> arguments() const {
    std::vector<WedjatArgument> all;
    for (const auto& value : values) all.push_back({value.data(), value.size()});
    return all;
  }
};

std::vector<std::byte> bytes_of(std::uint64_t number) {
  const auto bytes = std::as_bytes(std::span(&number, 1));
  return {bytes.begin(), bytes.end()};
}

std::uint64_t make_buffer(WedjatDevice* device, const Argument& argument) {
  std::uint64_t address = 0;
  must(wedjat_memory_allocate(device, argument.size, ("--arg " + argument.text).c_str(), &address));
  std::vector<std::byte> bytes = argument.bytes;
  if (argument.text.starts_with("zeros:")) bytes.resize(argument.size);
  must(wedjat_memory_write(device, address, bytes.data(), bytes.size()));
  return address;
}

Placed place(WedjatDevice* device, WedjatKernel* kernel, const std::vector<Argument>& arguments,
             RunObjects& objects) {
  WedjatKernelInfo info{};
  info.size = sizeof info;
  must(wedjat_kernel_info(kernel, &info));
  if (info.parameter_count != arguments.size())
    throw std::invalid_argument(fmt::format("kernel {} takes {} arguments, {} are given", info.name,
                                            info.parameter_count, arguments.size()));
  Placed placed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    std::vector<std::byte> value = argument.bytes;
    if (argument.kind == Argument::Kind::buffer) {
      const std::uint64_t address = make_buffer(device, argument);
      placed.buffers.emplace_back(address, &argument);
      value = bytes_of(address);
    }
    if (argument.kind == Argument::Kind::texels) value = bytes_of(objects.make(argument.texels));
    WedjatParameter parameter{};
    parameter.size = sizeof parameter;
    must(wedjat_kernel_parameter(kernel, i, &parameter));
    if (value.size() != parameter.bytes)
      throw std::invalid_argument(
          fmt::format("--arg {}: parameter {} of kernel {} has {} bytes, this argument {}", argument.text, i,
                      info.name, parameter.bytes, value.size()));
    placed.values.push_back(std::move(value));
  }
  return placed;
}

// Buffers go to their files; and what a program does at its end, for tools to see: its buffers are results,
// and none of them leaks.
void take_results(WedjatDevice* device, const Placed& placed, const RunObjects& objects, bool watched) {
  for (const auto& [address, argument] : placed.buffers) {
    if (argument->write_back.empty() && !watched) continue;
    std::vector<std::byte> all(argument->size);
    must(wedjat_memory_read(device, address, all.data(), all.size()));
    if (!argument->write_back.empty()) traces::write_file(argument->write_back, all);
  }
  for (const RunObjects::Result& result : objects.results()) {
    std::uint64_t bytes = 0;
    must(wedjat_array_bytes(result.texels, 0, &bytes));
    std::vector<std::byte> all(bytes);
    must(wedjat_array_read(result.texels, 0, all.data(), bytes));
    traces::write_file(result.file, all);
  }
  for (const auto& [address, argument] : placed.buffers) must(wedjat_memory_free(device, address));
}

WedjatStatistics launch(WedjatDevice* device, WedjatKernel* kernel, const WedjatLaunch& shape,
                        const Placed& placed, const RunObjects& objects, const RunOptions& options,
                        const hooks::Page& page) {
  WedjatStatistics statistics{};
  statistics.size = sizeof statistics;
  const std::vector<WedjatArgument> arguments = placed.arguments();
  const WedjatStatus status =
      wedjat_kernel_launch(kernel, &shape, arguments.data(), arguments.size(), &statistics);
  if (status == WEDJAT_OK) return statistics;
  const LibraryError error(*wedjat_last_error());
  if (status == WEDJAT_KERNEL_FAILED || status == WEDJAT_INTERRUPTED)
    report_failure(library::tools_of(device), options.json, options.page, page, error.what());
  if (std::string_view(error.what()).find("object of this handle") != std::string_view::npos)
    for (const std::string& name : objects.unbound())
      fmt::print(stderr, "note: nothing is bound to {} (--bind {}=texture:… or surface:…)\n", name, name);
  throw error;
}

int run_folder(const RunOptions& options) {
  return run_bundle_folder(options.file, options.elsewhere, options.memory_limit,
                           {.threads = options.threads,
                            .launch_limits = options.limits,
                            .contract = options.contract,
                            .native = make_tier(options.jit)},
                           options.tools, options.page, options.json);
}

// No output may go over another one, or over what is read.
void claim(hooks::Written written, const Placed& placed, const RunObjects& objects) {
  for (const auto& [address, argument] : placed.buffers)
    if (!argument->write_back.empty()) written.claim(argument->write_back, "--arg " + argument->text);
  for (const RunObjects::Result& result : objects.results()) written.claim(result.file, result.text);
}

int run(const RunOptions& options, const CLI::App& command) {
  const hooks::Written written = options.tools.check_files(options.file, options.page.file);
  options.tools.supervise();
  end_launches_on_signals();
  if (traces::is_bundle(options.file)) {
    refuse_given(command, {"--entry", "--grid", "--block", "--cluster", "--shared", "--arg", "--bind"},
                 options.file + " is a launch that was extracted: it says itself what runs, and with what");
    return run_folder(options);
  }
  if (std::filesystem::is_directory(options.file))
    throw traces::FormatError(options.file, "is a folder, and no bundle that wedjat extract makes");
  if (options.elsewhere) throw std::invalid_argument("--elsewhere is for folders that wedjat extract makes");
  refuse_given(command, {"--memory-limit"}, "is for folders that wedjat extract makes");
  WedjatLaunch shape{};
  shape.size = sizeof shape;
  parse_shape(options.grid, shape.grid);
  parse_shape(options.block, shape.block);
  parse_shape(options.cluster, shape.cluster);
  shape.shared_bytes = options.shared;
  std::vector<Argument> arguments;
  for (const auto& text : options.arguments) arguments.push_back(parse_argument(text));

  const OwnedDevice device = make_device(options);
  hooks::Hooks* const tools = library::tools_of(device.get());
  RunObjects objects(device.get());
  const std::string ptx = traces::read_file(options.file);
  const WedjatSource source{options.file.c_str(), ptx.c_str(), ptx.size()};
  WedjatModule* module = nullptr;
  must(wedjat_module_load(device.get(), &source, 1, &module));
  objects.bind(options.file, module, options.bindings);
  const auto [kernel, name] = find_kernel(module, options.entry);
  const Placed placed = place(device.get(), kernel, arguments, objects);
  claim(written, placed, objects);
  hooks::Page page;
  page.title = "run of " + options.page.name(name);
  page.facts = {{"file", options.file}};
  const WedjatStatistics statistics = launch(device.get(), kernel, shape, placed, objects, options, page);
  take_results(device.get(), placed, objects, tools != nullptr);
  const ReportTo to{.page = options.page.wanted() ? &page : nullptr, .mangled = options.page.mangled};
  page.facts.insert(page.facts.end(), {{"thread instructions", grouped(statistics.thread_instructions)},
                                       {"warp instructions", grouped(statistics.warp_instructions)},
                                       {"time", fmt::format("{:.6f} s", statistics.seconds)}});
  int exit_code = all_well;
  if (!options.json) {
    fmt::print("{}: {} thread instructions, {} warp instructions, {:.6f} s\n", options.page.name(name),
               grouped(statistics.thread_instructions), grouped(statistics.warp_instructions),
               statistics.seconds);
    exit_code = report_tools(tools, to, all_well);
  } else {
    nlohmann::json out{{"kernel", name},
                       {"seconds", statistics.seconds},
                       {"thread_instructions", statistics.thread_instructions},
                       {"warp_instructions", statistics.warp_instructions}};
    exit_code = report_tools(tools, {&out, to.page, to.mangled}, all_well);
    print_json(out);
  }
  if (options.page.wanted()) options.page.write(std::move(page));
  return exit_code;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Run one kernel of a PTX file, or a launch that was extracted, on the CPU");
  command
      ->add_option("file", options->file,
                   "PTX text; or a folder that wedjat extract made: it is run and compared, and says itself "
                   "with what")
      ->required();
  command->add_option(
      "--entry", options->entry,
      "name of the kernel, as the linker knows it or as people read it; needed if there are several");
  command->add_option("--grid", options->grid, "CTAs: X, X,Y or X,Y,Z")->capture_default_str();
  command->add_option("--block", options->block, "threads of a CTA: X, X,Y or X,Y,Z")->capture_default_str();
  command->add_option("--cluster", options->cluster, "CTAs of a cluster: X, X,Y or X,Y,Z")
      ->capture_default_str();
  command->add_option("--shared", options->shared, "bytes of dynamic shared memory")->check(word_numbers);
  command
      ->add_option("--threads", options->threads,
                   "host threads (default: all cores); results never depend on it")
      ->check(thread_counts);
  add_jit_option(*command, options->jit);
  command
      ->add_option("--arg", options->arguments,
                   "kernel arguments in order, --arg before each: in:FILE inout:FILE out:FILE:BYTES "
                   "zeros:BYTES bytes:FILE "
                   "u32:5 s64:-1 f32:1.5 b64:0x10 texture:FILE:f32x4:256,128:linear,normalized "
                   "surface:FILE:u32:64,64 surface-out:FILE:u32:64,64")
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option("--bind", options->bindings,
                   "NAME=texture:… or NAME=surface:… for a .texref or .surfref variable of the file")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag(
      "--elsewhere", options->elsewhere,
      "of a folder: at other addresses than those of the recording, as its program does on a GPU");
  add_memory_limit(*command, options->memory_limit, "the contents of a folder");
  command->add_flag("--json", options->json, "print the statistics as JSON");
  options->tools.add_to(*command);
  options->tools.add_fidelity_to(*command);
  options->page.add_to(*command);
  add_contract_option(*command, options->contract);
  add_limit_options(*command, options->limits);
  command->callback([options, command, &exit_code] { exit_code = run(*options, *command); });
}

}  // namespace wedjat::cli
