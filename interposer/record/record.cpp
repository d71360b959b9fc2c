#include "interposer/record/record.h"

#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include "interposer/record/session.h"
#include "interposer/record/store.h"
#include "traces/format/api_table.h"
#include "traces/format/manifest.h"
#include "traces/format/state.h"

namespace wedjat::interposer {
namespace {
namespace fs = std::filesystem;

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

fs::path make_trace_folder(const RecordOptions& options) {
  fs::path folder = options.output;
  const std::string name = fs::path(options.command[0]).filename().string();
  for (int i = 2; options.output.empty() && (folder.empty() || fs::exists(folder)); ++i) {
    folder = folder.empty() ? name + ".wedjat" : name + "-" + std::to_string(i) + ".wedjat";
  }
  std::error_code error;
  if (fs::exists(folder) && !fs::is_empty(folder, error)) {
    throw std::runtime_error(folder.string() + ": exists and is not empty");
  }
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error(folder.string() + ": cannot be made: " + error.message());
  return fs::absolute(folder);
}

Environment program_environment(const RecordOptions& options, const Installation& installation,
                                const Session& session, const Store& store, const fs::path& trace) {
  Environment environment = session.program_environment();
  environment[traces::kStagingVariable] = store.staging();
  environment["WEDJAT_TRACE"] = trace.string();
  if (!options.driver.empty()) environment["WEDJAT_LIBCUDA"] = fs::absolute(options.driver).string();
  if (options.verify) environment[traces::kVerifyVariable] = "1";
  if (options.time) environment[traces::kTimeVariable] = "1";
  environment[traces::kLastMemoryVariable] = std::to_string(options.last_memory);
  if (options.last_memory_always) environment[traces::kAlwaysLastMemoryVariable] = "1";
  std::string preload = installation.recorder.string();
  if (options.keep_ptx)
    for (const auto& [name, value] : keeping_ptx(installation.root)) {
      if (name == "LD_PRELOAD")
        preload.append(":").append(value);
      else
        environment[name] = value;
    }
  const char* before = std::getenv("LD_PRELOAD");
  environment["LD_PRELOAD"] = preload + (before && *before ? std::string(":") + before : "");
  return environment;
}

void take_state(const traces::StatePage& state, bool emulated, traces::Manifest& manifest) {
  manifest.processes = state.processes_started.load();
  manifest.events_numbered = state.next_sequence.load();
  manifest.trouble = traces::troubles(state);
  manifest.open_calls = traces::open_calls(state);
  manifest.untold = traces::untold_events(state);
  manifest.clean_end = state.processes_started.load() == state.processes_ended.load();
  if (state.device_count.load() == 0) return;
  const std::uint64_t capability = state.compute_capability.load();
  manifest.device =
      traces::Device{state.device_name, static_cast<std::int32_t>(state.driver_version.load()),
                     std::to_string(capability >> 32) + "." + std::to_string(capability & 0xffffffff),
                     static_cast<std::int32_t>(state.device_count.load()), emulated};
}

void report(const fs::path& trace, const traces::Manifest& manifest) {
  std::fprintf(stderr, "wedjat: %s: %llu events\n", trace.c_str(),
               static_cast<unsigned long long>(manifest.events_numbered));
  if (manifest.processes == 0)
    std::fprintf(stderr, "wedjat: warning: the program never called the CUDA driver\n");
  for (const std::string& reason : manifest.why_not_whole()) {
    std::fprintf(stderr, "wedjat: error: the trace is not whole: %s\n", reason.c_str());
  }
}

}  // namespace

int record(const RecordOptions& options) {
  if (options.command.empty()) throw std::runtime_error("no program to record");
  const Installation installation = find_installation(options.installation);
  const fs::path trace = make_trace_folder(options);

  traces::Manifest manifest;
  manifest.wedjat = WEDJAT_VERSION;
  manifest.argv = options.command;
  manifest.date = now();
  manifest.cuda_header = traces::api_cuda_version();
  manifest.verify = options.verify;
  traces::write_manifest(trace, manifest);
  traces::StatePage& state = traces::map_state(trace, true);

  int status = 0;
  {
    Session session(installation, trace / traces::kEventsFolder,
                    choose_buffers(free_shared_memory(), possible_cpus()));
    Store store(trace / traces::kBlobsFolder, state);
    const pid_t program =
        start_program(options.command, program_environment(options, installation, session, store, trace));
    status = wait_forwarding_signals(program);
    std::string failure;
    try {
      manifest.events_discarded = session.close();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    store.close();
    take_state(state, options.emulated, manifest);
    if (!failure.empty()) {
      manifest.clean_end = false;
      manifest.trouble.push_back(failure);
    }
  }
  manifest.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  manifest.exit_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  manifest.event_files = traces::hash_event_files(trace);
  traces::write_manifest(trace, manifest);
  report(trace, manifest);
  return manifest.exit_code;
}

}  // namespace wedjat::interposer
