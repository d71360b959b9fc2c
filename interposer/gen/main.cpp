// wedjat_api_gen table API_DIR OUT.cpp      the readers' table
// wedjat_api_gen abi API_DIR OUT.h          the types of cuda.h
// wedjat_api_gen stubs API_DIR OUT.cpp      an empty driver
// wedjat_api_gen header API_DIR OUT.h       cuda.h for programs
// wedjat_api_gen recorder API_DIR OUT_DIR PARTS
// wedjat_api_gen live API_DIR LIVE_DIR OUT_DIR PARTS
// wedjat_api_gen runtime API_DIR RUNTIME_DIR OUT_DIR
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "interposer/gen/emit.h"
#include "interposer/gen/live.h"
#include "interposer/gen/runtime.h"

namespace {
namespace fs = std::filesystem;
using namespace wedjat::interposer;

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

void write_recorder(const fs::path& api, const fs::path& out, int parts) {
  const Model model = load_model(api);
  fs::create_directories(out);
  write(out / "entries.h", emit_entries(model));
  write(out / "entry_table.cpp", emit_entry_table(model));
  write(out / "events.h", emit_events(model));
  for (const Family& family : families(model)) {
    write(out / ("wedjat_cuda_" + family.name + ".h"), emit_provider(family));
    write(out / ("wedjat_cuda_" + family.name + ".c"), emit_emitters(family));
  }
  for (int part = 0; part < parts; ++part) {
    write(out / ("wrappers_" + std::to_string(part) + ".cpp"), emit_wrappers(model, part, parts));
  }
}

void write_live(const fs::path& api, const fs::path& live_folder, const fs::path& out, int parts) {
  const Model model = load_model(api);
  const LiveModel live = load_live(live_folder, model);
  fs::create_directories(out);
  write(out / "live_calls.h", emit_live_calls(model, live));
  write(out / "profile.cpp", emit_live_profile(model, live));
  for (int part = 0; part < parts; ++part)
    write(out / ("entries_" + std::to_string(part) + ".cpp"), emit_live_entries(model, live, part, parts));
}

void write_runtime(const fs::path& api, const fs::path& folder, const fs::path& out) {
  const Model driver = load_model(api);
  const RuntimeModel newest = load_runtime(api, folder, driver), older = load_runtime_12(api, folder, driver);
  const std::string header = "#include \"runtime_calls.h\"\n";
  fs::create_directories(out);
  write(out / "runtime_abi.h", emit_runtime_abi(api));
  write(out / "runtime_calls.h", emit_runtime_calls(newest, "runtime_abi.h"));
  write(out / "runtime_entries.cpp", emit_runtime_entries(newest, header));
  write(out / "error_names.inc", emit_runtime_error_names(api));
  write(out / "exports.map", emit_runtime_exports(newest, "libcudart.so.13"));
  write(out / "runtime_functions.h", emit_runtime_header(newest, "runtime_abi.h"));
  write(out / "runtime_12_functions.h", emit_runtime_header(older, "runtime_12_abi.h"));
  write(out / "runtime_12_abi.h", emit_runtime_12_types(api));
  write(out / "members_12.inc", emit_runtime_12_members(api));
  write(out / "runtime_12_calls.h", emit_runtime_calls(older, "runtime_12_abi.h"));
  write(out / "runtime_12_entries.cpp",
        emit_runtime_entries(older, header + "#include \"runtime_12_calls.h\"\n"));
  write(out / "exports_12.map", emit_runtime_exports(older, "libcudart.so.12"));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "table" && argc == 4) {
      write(argv[3], emit_api_table(load_model(argv[2])));
    } else if (what == "abi" && argc == 4) {
      write(argv[3], emit_abi(argv[2]));
    } else if (what == "stubs" && argc == 4) {
      write(argv[3], emit_stubs(load_model(argv[2])));
    } else if (what == "header" && argc == 4) {
      write(argv[3], emit_header(load_model(argv[2])));
    } else if (what == "recorder" && argc == 5) {
      write_recorder(argv[2], argv[3], std::atoi(argv[4]));
    } else if (what == "live" && argc == 6) {
      write_live(argv[2], argv[3], argv[4], std::atoi(argv[5]));
    } else if (what == "runtime" && argc == 5) {
      write_runtime(argv[2], argv[3], argv[4]);
    } else {
      std::fprintf(stderr,
                   "usage: wedjat_api_gen table|abi|stubs|header API_DIR OUT_FILE\n       wedjat_api_gen "
                   "recorder API_DIR "
                   "OUT_DIR PARTS\n       wedjat_api_gen live API_DIR LIVE_DIR OUT_DIR PARTS\n       "
                   "wedjat_api_gen runtime API_DIR RUNTIME_DIR OUT_DIR\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat_api_gen: %s\n", error.what());
    return 1;
  }
}
