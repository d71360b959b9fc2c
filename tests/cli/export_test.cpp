// wedjat export: what other programs read.
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command.h"
#include "tests/utilities/trace_events.h"

namespace {

const std::string saxpy = WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst";

struct Exported {
  Folder folder;
  std::string file = (folder.path / "out").string();
  Outcome made;
  explicit Exported(const std::string& arguments, const std::string& trace = saxpy)
      : made(wedjat("export " + trace + " -o " + file + " " + arguments)) {
    INFO(made.output);
    REQUIRE(made.code == 0);
  }
  std::vector<std::string> lines() const {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
};

std::vector<std::string> asked(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  std::vector<std::string> rows;
  char* error = nullptr;
  sqlite3_exec(
      database, sql.c_str(),
      [](void* to, int columns, char** cells, char**) {
        std::string row;
        for (int i = 0; i < columns; ++i)
          row += (i == 0 ? "" : "|") + std::string(cells[i] ? cells[i] : "null");
        static_cast<std::vector<std::string>*>(to)->push_back(row);
        return 0;
      },
      &rows, &error);
  INFO((error != nullptr ? error : ""));
  CHECK(error == nullptr);
  sqlite3_free(error);
  sqlite3_close(database);
  return rows;
}

}  // namespace

TEST_CASE("SQLite has the names of Nsight Systems' export, joined by the call's number") {
  const Exported out("--to sqlite --tool instruction_count --check");
  CHECK(asked(out.file,
              "SELECT m.value, s.value, d.value, gridX, gridY, blockX, gridId, k.correlationId FROM "
              "CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds m ON m.id = k.mangledName JOIN StringIds d ON "
              "d.id = k.demangledName JOIN StringIds s ON s.id = k.shortName ORDER BY gridId")
            .at(0) == "_Z5saxpyifPKfPf|saxpy|saxpy(int, float, float const*, float*)|118|1|256|0|1188");
  CHECK(asked(out.file,
              "SELECT bytes, label FROM CUPTI_ACTIVITY_KIND_MEMCPY JOIN ENUM_CUDA_MEMCPY_OPER e ON e.id = "
              "copyKind ORDER BY correlationId") ==
        std::vector<std::string>{"120000|HtoD", "120000|HtoD", "120000|DtoH"});
  CHECK(asked(out.file,
              "SELECT s.value, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = "
              "r.nameId JOIN CUPTI_ACTIVITY_KIND_KERNEL k USING (correlationId) WHERE gridId = 0") ==
        std::vector<std::string>{"cuLaunchKernel|0"});
  CHECK(asked(out.file, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE \"end\" < start") ==
        std::vector<std::string>{"0"});
  CHECK(asked(out.file, "SELECT name FROM TARGET_INFO_GPU") == std::vector<std::string>{"NVIDIA H200"});
  CHECK(asked(out.file, "SELECT count(*) FROM WEDJAT_FINDING") == std::vector<std::string>{"0"});
  CHECK(asked(out.file, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'WEDJAT_instruction_count_%'")
            .at(0) != "0");
}

TEST_CASE("a timeline of Perfetto has a row of calls, of copies and of kernels") {
  const Exported out("--to perfetto");
  const auto trace = nlohmann::json::parse(out.lines().at(0));
  CHECK(trace_events::faults_of_trace(trace) == "");
  const auto& events = trace["traceEvents"];
  int kernels = 0, rows = 0;
  for (const auto& event : events) {
    rows += event["ph"] == "M";
    kernels += event["ph"] == "X" && event["args"].contains("launch");
    if (event["ph"] == "X") CHECK((event["dur"].get<double>() >= 0 && event["tid"].is_number()));
  }
  CHECK(rows == 3);
  CHECK(kernels == 2);
}

TEST_CASE("CSV and NDJSON: launches, every access, every value") {
  CHECK(Exported("--to csv")
            .lines()
            .at(1)
            .starts_with("0,1188,\"_Z5saxpyifPKfPf\",118,1,1,256,1,1,1,1,1,0,0,18826,"));
  CHECK(nlohmann::json::parse(Exported("--to ndjson").lines().at(1))["kernel"] ==
        "_Z17saxpy_grid_strideifPKfPf");
  // Three accesses of 30,000 threads in each of two launches, and the first line.
  const auto memory = Exported("--to csv --what memory").lines();
  CHECK(memory.size() == 2 * 3 * 30'000 + 1);
  CHECK(memory.at(1) ==
        "0,0,\"_Z5saxpyifPKfPf\",0,0,0,0,43,\"ld.global.f32 %f2, [%rd6]\",0,read,0x7fd55fe00000,4");
  std::size_t metadata = 0, accesses = 0;
  for (const std::string& line : Exported("--to ndjson --what memory").lines()) {
    const auto record = nlohmann::json::parse(line);
    metadata += record["type"] == "kernel_metadata";
    if (record["type"] != "mem_trace") continue;
    if (accesses++ == 0) CHECK(record["addrs"].at(1) == record["addrs"].at(0).get<std::uint64_t>() + 4);
    REQUIRE(record["addrs"].size() == 32);
  }
  CHECK(metadata == 2);
  CHECK(accesses == 2 * 3 * 30'016 / 32);
  const auto registers = Exported("--to ndjson --what registers").lines();
  const auto first = nlohmann::json::parse(registers.at(1));
  CHECK(first["type"] == "reg_trace");
  CHECK(first["regs"].at(0).size() == 32);
}

TEST_CASE("memory beside allocations is mapped for a kernel that needs it, as in a replay") {
  const Folder folder;
  const std::string file = (folder.path / "x.csv").string();
  for (const char* what : {"launches", "memory"}) {
    const Outcome outcome =
        wedjat("export " WEDJAT_SOURCE_DIR "/traces/regression/order/beside.tar.zst --to csv -o " + file +
               " --what " + what);
    INFO(outcome.output);
    CHECK(outcome.code == 0);
    CHECK(outcome.output.find("note: a kernel reaches beside its memory") != std::string::npos);
  }
}

TEST_CASE("what does not go together, or cannot be written, is told") {
  const Folder folder;
  const auto check = [&](const std::string& arguments, int code, const char* part) {
    const Outcome outcome = wedjat("export " + saxpy + " " + arguments);
    INFO(outcome.output);
    CHECK(outcome.code == code);
    CHECK(outcome.output.find(part) != std::string::npos);
  };
  const std::string file = (folder.path / "x").string();
  check("--to parquet -o " + file, 2, "--to");
  check("--to sqlite --what memory -o " + file, 2, "csv or ndjson");
  check("--to csv --check -o " + file, 2, "sqlite");
  check("--to csv", 2, "--output is required");
  check("--to sqlite -o " + folder.file("there", "x"), 3, "exists already");
  check("--to csv -o /no/such/folder/x", 3, "/no/such/folder/x");
  check("--to sqlite -o /no/such/folder/x", 3, "/no/such/folder/x");
  check("--to csv --what memory --step-limit 3 -o " + file, 5, "step limit reached");
  CHECK_FALSE(std::filesystem::exists(file));
}
