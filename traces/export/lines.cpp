// CSV, and newline-delimited JSON in the schema of CUTracer.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/hooks/report/names.h"
#include "traces/export/write.h"
#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/order/attach.h"

namespace wedjat::traces {

struct LineWriter::State {
  std::string name;
  std::ofstream out;
  Lines format;
  What what;
  std::uint64_t index = 0;

  void close() {
    out.close();
    if (!out) throw FormatError(name, "cannot be written whole");
  }
};

namespace {

using nlohmann::json;
using State = LineWriter::State;

// Names of kernels and instructions hold commas and quotes.
std::string field(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

constexpr const char* context = "0x1";  // a replay tells no contexts apart

std::uint64_t value_of(const void* row, unsigned bits, unsigned lane) {
  std::uint64_t value = 0;
  if (bits == 1) {
    std::uint32_t mask = 0;
    std::memcpy(&mask, row, sizeof mask);
    return mask >> lane & 1;
  }
  const std::size_t bytes = std::min<std::size_t>(bits / 8, sizeof value);
  std::memcpy(&value, static_cast<const char*>(row) + std::size_t{lane} * (bits / 8), bytes);
  return value;
}

class LineWatcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& at : instructions(kernel)) {
      if (state_.what == LineWriter::What::memory) {
        if (at.access_count != 0) before<&LineWatcher::access>(at, WEDJAT_ADDRESSES);
        if ((at.what & WEDJAT_HAS_PIECES) != 0) after<&LineWatcher::piece>(at, WEDJAT_PIECES);
      } else if (std::ranges::any_of(operands(at), is_result)) {
        after<&LineWatcher::step>(at, WEDJAT_ROWS);
      }
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    if (state_.format == Lines::csv) return true;
    const wedjat_kernel& kernel = *launch.kernel;
    json table = json::object();
    for (const wedjat_instruction& at : instructions(kernel))
      table[std::to_string(at.id)] = {{"sass", at.text}};
    const std::uint32_t fixed = kernel.static_shared_bytes;
    put({{"type", "kernel_metadata"},
         {"mangled_name", kernel.name},
         {"unmangled_name", hooks::demangled(kernel.name)},
         {"kernel_checksum", fmt::format("{:x}", kernel.id)},
         {"func_addr", "0x0"},
         {"nregs", kernel.register_count},
         {"shmem_static", fixed},
         {"grid", launch.grid},
         {"block", launch.block},
         {"shmem_dynamic", launch.shared_bytes - std::min(launch.shared_bytes, fixed)},
         {"instructions", std::move(table)}});
    return true;
  }

 private:
  static bool is_result(const wedjat_operand& operand) {
    return operand.out != 0 && operand.kind != WEDJAT_ADDRESS && operand.bits <= 64;
  }
  void put(const json& record) {
    state_.out << record.dump(-1, ' ', true, json::error_handler_t::replace) << '\n';
  }
  json record_of(const wedjat_event& event, const char* type) {
    return {{"type", type},
            {"ctx", context},
            {"sass", event.instruction->text},
            {"trace_index", state_.index},
            {"timestamp", state_.index},
            {"grid_launch_id", event.launch->index},
            {"cta", event.cta_xyz},
            {"warp", event.warp},
            {"opcode_id", event.instruction->id},
            {"pc", fmt::format("{:#x}", 16 * std::uint64_t{event.instruction->id})}};
  }
  std::string place(const wedjat_event& event) const {
    return fmt::format("{},{},{},{},{},{},{},{},{}", state_.index, event.launch->index,
                       field(event.launch->kernel->name), event.cta_xyz[0], event.cta_xyz[1],
                       event.cta_xyz[2], event.warp, event.instruction->ptx_line,
                       field(event.instruction->text));
  }
  static std::string kind(bool reads, bool writes, bool atomic) {
    return atomic ? "atomic" : reads && writes ? "update" : writes ? "write" : "read";
  }

  void add(const wedjat_event& event, std::uint32_t lanes, const std::uint64_t* address,
           const std::uint32_t* bytes, const std::string& what) {
    if (lanes == 0) return;
    if (state_.format == Lines::csv) {
      each_lane(lanes, [&](unsigned lane) {
        state_.out << fmt::format("{},{},{},{:#x},{}\n", place(event), lane, what, address[lane],
                                  bytes[lane]);
      });
    } else {
      // Lanes that do not access have address 0, as in the field's tracer.
      json addresses = json::array();
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses.push_back((lanes >> lane & 1) != 0 ? address[lane] : 0);
      json record = record_of(event, "mem_trace");
      record["addrs"] = std::move(addresses);
      put(record);
    }
    ++state_.index;
  }
  void access(const wedjat_event& event) {
    if (event.addresses == nullptr) return;
    const wedjat_instruction& at = *event.instruction;
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& access = at.accesses[a];
      std::uint32_t bytes[32];
      for (unsigned lane = 0; lane < 32; ++lane) bytes[lane] = bytes_of(event, access, lane);
      add(event, event.executed & access.lanes, event.addresses[a], bytes,
          kind(access.reads != 0, access.writes != 0, access.atomic != 0));
    }
  }
  // Up to 32 pieces stand in the place of lanes.
  void piece(const wedjat_event& event) {
    std::uint64_t address[32] = {};
    std::uint32_t bytes[32] = {};
    for (const wedjat_piece& piece : pieces(event)) {
      address[0] = piece.address;
      bytes[0] = piece.bytes;
      add(event, 1, address, bytes, kind(piece.reads != 0, piece.writes != 0, piece.atomic != 0));
    }
  }

  void step(const wedjat_event& event) {
    if (event.executed == 0 || event.rows == nullptr) return;
    json registers = json::array();
    for (const wedjat_operand& operand : operands(*event.instruction)) {
      if (!is_result(operand)) continue;
      for (unsigned element = 0; element < operand.count; ++element) {
        const void* const row = event.rows[operand.first + element];
        if (row == nullptr) continue;
        json values = json::array();
        for (unsigned lane = 0; lane < 32; ++lane) {
          const bool executed = (event.executed >> lane & 1) != 0;
          const std::uint64_t value = executed ? value_of(row, operand.bits, lane) : 0;
          if (state_.format == Lines::csv && executed)
            state_.out << fmt::format("{},{},{},{},{},{:#x}\n", place(event), lane, field(operand.text),
                                      element, operand.bits, value);
          values.push_back(value);
        }
        registers.push_back(std::move(values));
      }
    }
    if (state_.format == Lines::ndjson && !registers.empty()) {
      json record = record_of(event, "reg_trace");
      record["regs"] = std::move(registers);
      put(record);
    }
    ++state_.index;
  }

  State& state_ = *attaching<State>;
};

}  // namespace

LineWriter::LineWriter(const std::filesystem::path& file, Lines format, What what)
    : state_(std::make_unique<State>(
          State{file.string(), std::ofstream(file, std::ios::binary), format, what})) {
  if (!state_->out)
    throw FormatError(file.string(), std::string("cannot be written: ") + std::strerror(errno));
  if (format == Lines::csv)
    state_->out << "index,launch,kernel,cta_x,cta_y,cta_z,warp,ptx_line,instruction,lane,"
                << (what == What::memory ? "kind,address,bytes\n" : "operand,element,bits,value\n");
}

LineWriter::~LineWriter() {
  if (!state_->out.is_open()) return;
  // The replay failed: half of the lines must not be taken for all.
  state_->out.close();
  std::error_code error;
  if (std::filesystem::is_regular_file(state_->name, error)) std::filesystem::remove(state_->name, error);
}

void LineWriter::attach(hooks::Hooks& hooks) {
  attach_tool<LineWatcher>(hooks, *state_, "lines", "accesses or values, line by line");
}

void LineWriter::finish() { state_->close(); }

void write_launches(const std::filesystem::path& file, const Activity& activity, Lines format) {
  NewFile out(file);
  if (format == Lines::csv)
    out.write(
        "launch,seq,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,cluster_x,cluster_y,cluster_z,"
        "static_shared,dynamic_shared,warp_instructions,thread_instructions\n");
  for (const KernelActivity& k : activity.kernels) {
    if (format == Lines::csv)
      out.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", k.index, k.sequence,
                            field(k.name), k.grid[0], k.grid[1], k.grid[2], k.block[0], k.block[1],
                            k.block[2], k.cluster[0], k.cluster[1], k.cluster[2], k.static_shared,
                            k.dynamic_shared, k.warp_instructions, k.thread_instructions));
    else
      out.write(json{{"launch", k.index},
                     {"seq", k.sequence},
                     {"kernel", k.name},
                     {"grid", k.grid},
                     {"block", k.block},
                     {"cluster", k.cluster},
                     {"static_shared", k.static_shared},
                     {"dynamic_shared", k.dynamic_shared},
                     {"warp_instructions", k.warp_instructions},
                     {"thread_instructions", k.thread_instructions}}
                    .dump(-1, ' ', true, json::error_handler_t::replace) +
                "\n");
  }
  out.close();
}

void write_perfetto(const std::filesystem::path& file, const Activity& activity) {
  json events = json::array();
  const auto add = [&](const char* row, const std::string& name, std::uint64_t start, std::uint64_t end,
                       json args) {
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", row},
                      {"name", name},
                      {"ts", static_cast<double>(start) / 1000},
                      {"dur", static_cast<double>(end - start) / 1000},
                      {"args", std::move(args)}});
  };
  for (const KernelActivity& k : activity.kernels)
    add("kernels", hooks::demangled(k.name), k.start, k.end,
        {{"seq", k.sequence}, {"launch", k.index}, {"grid", k.grid}, {"block", k.block}});
  for (const CopyActivity& c : activity.copies)
    add("copies", c.call, c.start, c.end, {{"seq", c.sequence}, {"bytes", c.bytes}});
  for (const CallActivity& c : activity.calls)
    add("calls", c.name, c.start, c.end, {{"seq", c.sequence}, {"status", c.status}});
  // The format takes numbers for rows: names are given apart.
  json named = json::array();
  const char* const rows[] = {"calls", "copies", "kernels"};
  for (unsigned i = 0; i < 3; ++i)
    named.push_back(
        {{"ph", "M"}, {"pid", 1}, {"tid", i + 1}, {"name", "thread_name"}, {"args", {{"name", rows[i]}}}});
  for (json& event : events)
    for (unsigned i = 0; i < 3; ++i)
      if (event["tid"] == rows[i]) {
        event["tid"] = i + 1;
        break;
      }
  named.insert(named.end(), events.begin(), events.end());
  write_file(
      file,
      json{{"traceEvents", std::move(named)}}.dump(-1, ' ', true, json::error_handler_t::replace) + "\n");
}

}  // namespace wedjat::traces
