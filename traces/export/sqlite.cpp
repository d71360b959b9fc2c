// SQLite, with the names of Nsight Systems' export where they mean the same.
#include <fmt/format.h>
#include <sqlite3.h>

#include <map>

#include "emulator/hooks/report/names.h"
#include "traces/export/write.h"
#include "traces/format/error.h"

namespace wedjat::traces {
namespace {

class Database {
 public:
  explicit Database(const std::filesystem::path& file) : name_(file.string()) {
    std::error_code error;
    if (std::filesystem::exists(file, error))
      throw FormatError(name_,
                        "exists already, and a database is not written over: remove it or name another");
    const int code = sqlite3_open(name_.c_str(), &database_);
    if (code != SQLITE_OK) {
      const std::string cause = sqlite3_errmsg(database_);
      sqlite3_close(database_);
      throw FormatError(name_, cause);
    }
    run("PRAGMA journal_mode=OFF; BEGIN");
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;

  void run(const std::string& sql) {
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  void insert(const std::string& table, const std::vector<hooks::Cell>& cells) {
    std::string places;
    for (std::size_t i = 0; i < cells.size(); ++i) places += i == 0 ? "?" : ", ?";
    sqlite3_stmt* statement = nullptr;
    const std::string sql = fmt::format("INSERT INTO {} VALUES ({})", table, places);
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
    for (std::size_t i = 0; i < cells.size(); ++i) bind(statement, static_cast<int>(i) + 1, cells[i]);
    const int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE) fail();
  }
  std::uint64_t string(const std::string& text) {
    const auto [known, is_new] = strings_.emplace(text, strings_.size() + 1);
    if (is_new) insert("StringIds", {known->second, text});
    return known->second;
  }

 private:
  [[noreturn]] void fail() const { throw FormatError(name_, sqlite3_errmsg(database_)); }
  static void bind(sqlite3_stmt* statement, int place, const hooks::Cell& cell) {
    if (const auto* const number = std::get_if<std::uint64_t>(&cell))
      sqlite3_bind_int64(statement, place, static_cast<sqlite3_int64>(*number));
    else if (const auto* const negative = std::get_if<std::int64_t>(&cell))
      sqlite3_bind_int64(statement, place, *negative);
    else if (const auto* const real = std::get_if<double>(&cell))
      sqlite3_bind_double(statement, place, *real);
    else
      sqlite3_bind_text(statement, place, std::get<std::string>(cell).c_str(), -1, SQLITE_TRANSIENT);
  }

  std::string name_;
  sqlite3* database_ = nullptr;
  std::map<std::string, std::uint64_t> strings_;
};

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

constexpr const char* schema = R"(
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER, name TEXT, label TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, correlationId INTEGER,
  demangledName INTEGER, shortName INTEGER, mangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER,
  blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, gridId INTEGER,
  clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER, wedjatWarpInstructions INTEGER,
  wedjatThreadInstructions INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, correlationId INTEGER,
  bytes INTEGER, copyKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, correlationId INTEGER,
  bytes INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, correlationId INTEGER, nameId INTEGER,
  returnValue INTEGER);
)";

// "void linear::scale<float>(float*)" -> "scale".
std::string short_name(std::string demangled) {
  static constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = demangled.find(unnamed); at != std::string::npos; at = demangled.find(unnamed))
    demangled.erase(at, unnamed.size());
  const std::string head = demangled.substr(0, demangled.find_first_of("<("));
  const auto before = head.find_last_of(" :");
  return before == std::string::npos ? head : head.substr(before + 1);
}

void add_tools(Database& database, const std::vector<hooks::Report>& tools) {
  database.run(
      "CREATE TABLE WEDJAT_FINDING (tool TEXT, severity TEXT, kind TEXT, message TEXT, kernel TEXT, "
      "instruction "
      "TEXT, ptxFile TEXT, ptxLine INTEGER, cta INTEGER, thread INTEGER)");
  for (const hooks::Report& report : tools) {
    for (const hooks::Finding& f : report.findings)
      database.insert("WEDJAT_FINDING",
                      {report.tool, f.severity, f.kind, f.message, f.kernel, f.instruction, f.ptx_file,
                       std::uint64_t{f.ptx_line}, f.cta, std::uint64_t{f.thread}});
    for (const hooks::Table& table : report.tables) {
      const std::string name = quoted("WEDJAT_" + report.tool + "_" + table.title);
      std::string columns;
      for (const std::string& column : table.columns)
        columns += (columns.empty() ? "" : ", ") + quoted(column);
      if (columns.empty()) continue;
      database.run(fmt::format("CREATE TABLE IF NOT EXISTS {} ({})", name, columns));
      const std::size_t width = table.columns.size();
      for (std::size_t row = 0; row < table.rows(); ++row)
        database.insert(name, {table.cells.begin() + static_cast<std::ptrdiff_t>(row * width),
                               table.cells.begin() + static_cast<std::ptrdiff_t>((row + 1) * width)});
    }
  }
}

}  // namespace

void write_sqlite(const std::filesystem::path& file, const Activity& activity, const std::string& device,
                  const std::vector<hooks::Report>& tools) {
  const std::uint64_t gpu = 0;
  Database database(file);
  database.run(schema);
  database.insert("TARGET_INFO_GPU", {gpu, device});
  for (unsigned kind = 1; const char* const name = copy_kind_name(kind); ++kind)
    database.insert("ENUM_CUDA_MEMCPY_OPER",
                    {std::uint64_t{kind}, fmt::format("CUDA_MEMCPY_KIND_{}", name), std::string(name)});
  for (const KernelActivity& k : activity.kernels) {
    const std::string name = hooks::demangled(k.name);
    std::vector<hooks::Cell> row = {k.start,
                                    k.end,
                                    gpu,
                                    k.sequence,
                                    database.string(name),
                                    database.string(short_name(name)),
                                    database.string(k.name)};
    for (const auto* const shape : {&k.grid, &k.block})
      for (const std::uint32_t extent : *shape) row.emplace_back(std::uint64_t{extent});
    for (const std::uint64_t number :
         {std::uint64_t{k.static_shared}, std::uint64_t{k.dynamic_shared}, k.index})
      row.emplace_back(number);
    for (const std::uint32_t extent : k.cluster) row.emplace_back(std::uint64_t{extent});
    row.emplace_back(k.warp_instructions);
    row.emplace_back(k.thread_instructions);
    database.insert("CUPTI_ACTIVITY_KIND_KERNEL", row);
  }
  for (const CopyActivity& c : activity.copies) {
    if (c.is_memset)
      database.insert("CUPTI_ACTIVITY_KIND_MEMSET", {c.start, c.end, gpu, c.sequence, c.bytes});
    else
      database.insert("CUPTI_ACTIVITY_KIND_MEMCPY",
                      {c.start, c.end, gpu, c.sequence, c.bytes, std::uint64_t{c.kind}});
  }
  for (const CallActivity& c : activity.calls)
    database.insert("CUPTI_ACTIVITY_KIND_RUNTIME", {c.start, c.end, c.sequence, database.string(c.name),
                                                    static_cast<std::int64_t>(c.status)});
  add_tools(database, tools);
  database.run("COMMIT");
}

}  // namespace wedjat::traces
