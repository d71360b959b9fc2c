// Every file under cases/: see README.md.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "emulator/device/error.h"
#include "emulator/ptx/error.h"
#include "tests/emulator/device/case_file.h"

using namespace wedjat;

namespace {

enum class Ending { well, fault, refused };

struct Outcome {
  Ending ending = Ending::well;
  std::string message, printed;
  std::vector<std::vector<std::byte>> buffers;
};

constexpr std::uint64_t first_buffer = 0x7f0000000000;

void run_launches(device::Device& device, const test::CaseFile& file, Outcome& outcome) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < file.arguments.size(); ++i) {
    addresses.push_back(first_buffer + i * 0x1000000);
    if (file.arguments[i].is_value) continue;
    device.allocate_at(addresses[i], file.arguments[i].bytes.size(), "argument " + std::to_string(i));
    device.write(addresses[i], file.arguments[i].bytes);
  }
  device::Module* module = device.load_module({{file.name, file.text}}, {});
  for (const test::CaseLaunch& launch : file.launches) {
    const std::size_t entry = file.text.find(".entry ") + 7;
    const std::string kernel = launch.kernel.empty()
                                   ? file.text.substr(entry, file.text.find_first_of(" (", entry) - entry)
                                   : launch.kernel;
    const device::Function function = device.function(module, kernel);
    const auto slots = device.parameters(function);
    std::vector<std::byte> parameters(slots.empty() ? 0 : slots.back().offset + slots.back().size);
    for (std::size_t i = 0; i < slots.size() && i < file.arguments.size(); ++i) {
      const auto& argument = file.arguments[i];
      const void* from = argument.is_value ? static_cast<const void*>(argument.bytes.data()) : &addresses[i];
      std::memcpy(parameters.data() + slots[i].offset, from,
                  std::min<std::size_t>(slots[i].size, argument.is_value ? argument.bytes.size() : 8));
    }
    device.launch(function, launch.config, parameters);
  }
  for (std::size_t i = 0; i < file.arguments.size(); ++i) {
    auto& buffer = outcome.buffers.emplace_back(file.arguments[i].bytes.size());
    if (!file.arguments[i].is_value) device.read(addresses[i], buffer);
  }
}

Outcome run(const test::CaseFile& file, unsigned threads) {
  Outcome outcome;
  device::DeviceOptions options;
  options.threads = threads;
  options.step_limit = 1u << 22;
  options.print = [&](std::string_view text) { outcome.printed += text; };
  device::Device device(options);
  try {
    run_launches(device, file, outcome);
  } catch (const device::Failed& failed) {
    outcome.ending = Ending::fault;
    outcome.message = failed.what();
  } catch (const device::Refused& refused) {
    outcome.ending = Ending::refused;
    outcome.message = refused.what();
  } catch (const ptx::Error& error) {
    outcome.ending = Ending::refused;
    outcome.message = error.what();
  }
  return outcome;
}

void check_buffers(const test::CaseFile& file, const Outcome& outcome) {
  for (const auto& [which, expected] : file.expected) {
    const auto& argument = file.arguments[which];
    const auto& got = outcome.buffers[which];
    REQUIRE(got.size() == expected.size());
    const unsigned size = test::size_of_type(argument.type);
    int shown = 0;
    for (std::size_t at = 0; at < got.size(); at += size) {
      if (std::equal(got.begin() + at, got.begin() + at + size, expected.begin() + at) || ++shown > 4)
        continue;
      FAIL_CHECK(file.name << ": argument " << which << " element " << at / size << ": expected "
                           << test::element_text(argument.type, expected.data() + at) << ", got "
                           << test::element_text(argument.type, got.data() + at));
    }
    CHECK(got == expected);
  }
}

void check_folder(const std::string& folder, Ending ending) {
  std::set<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/" + folder)) {
    paths.insert(entry.path().string());
  }
  REQUIRE(paths.size() > 3);
  for (const std::string& path : paths) {
    const test::CaseFile file = test::read_case(path);
    CAPTURE(file.name);
    const Outcome outcome = run(file, 1);
    INFO(outcome.message);
    CHECK(outcome.ending == ending);
    for (const std::string& error : file.errors) {
      INFO(error);
      CHECK(outcome.message.find(error) != std::string::npos);
    }
    if (ending != Ending::well) CHECK(!file.errors.empty());
    if (outcome.ending == Ending::well) check_buffers(file, outcome);
    CHECK(outcome.printed == file.printed);
    const Outcome threaded = run(file, 3);
    CHECK(threaded.message == outcome.message);
    CHECK(threaded.printed == outcome.printed);
    if (ending == Ending::well) CHECK(threaded.buffers == outcome.buffers);
  }
}

}  // namespace

TEST_CASE("cases that run") { check_folder("run", Ending::well); }
TEST_CASE("cases that fail while they run") { check_folder("fault", Ending::fault); }
TEST_CASE("cases that are refused") { check_folder("refuse", Ending::refused); }
