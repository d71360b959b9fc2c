#include "traces/extract/touched.h"

#include <algorithm>

#include "device_limits.h"
#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

bool is_memory(std::uint8_t space) { return space == WEDJAT_GLOBAL || space == WEDJAT_GENERIC; }

class Watcher : public Tool {
 public:
  void kernel(const wedjat_kernel& kernel) override {
    for (const wedjat_instruction& at : instructions(kernel)) {
      const bool accesses_memory =
          std::ranges::any_of(accesses(at), [](const wedjat_access& a) { return is_memory(a.space); });
      if (accesses_memory) before<&Watcher::access>(at, WEDJAT_ADDRESSES);
      if ((at.what & WEDJAT_HAS_PIECES) != 0) after<&Watcher::piece>(at, WEDJAT_PIECES);
      if ((at.what & WEDJAT_HAS_ROWS) != 0 && has_handle(at)) before<&Watcher::handle>(at, WEDJAT_ROWS);
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    log_.touched = {};
    return log_.begin(launch);
  }
  void launch_end(const wedjat_launch& launch) override { log_.end(launch); }
  void memory(const wedjat_memory& memory) override {
    switch (memory.what) {
      case WEDJAT_ALLOCATED:
        log_.allocations[memory.address] = {memory.bytes, memory.label};
        break;
      case WEDJAT_FREED:
        log_.allocations.erase(memory.address);
        log_.changed(memory.address, memory.bytes);
        break;
      case WEDJAT_HOST_WROTE:
        log_.changed(memory.address, memory.bytes);
        break;
      default:
        break;
    }
  }

 private:
  static bool has_handle(const wedjat_instruction& at) {
    return (at.what & WEDJAT_TEXELS) != 0 && std::ranges::any_of(operands(at), is_handle);
  }
  static bool is_handle(const wedjat_operand& operand) {
    return operand.in && operand.bits == 64 && operand.count == 1 && operand.value != WEDJAT_FLOAT;
  }

  // No thread moves more at once than a CTA's shared memory holds: a size beyond that, at which the launch is
  // about to fail, would be noted byte by byte.
  void add(const Location& at, std::uint64_t bytes, bool reads, bool writes) {
    bytes = std::min<std::uint64_t>(bytes, limits::shared_bytes_per_block);
    if (at.kind == Location::Kind::heap) log_.touched.heap = true;
    if (at.kind != Location::Kind::global) return;
    if (reads) log_.touched.read.add(at.address, bytes);
    if (writes) log_.touched.written.add(at.address, bytes);
  }

  void access(const wedjat::Event& event) {
    if (event.addresses == nullptr) return;
    const wedjat_instruction& at = *event.instruction;
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& access = at.accesses[a];
      if (!is_memory(access.space)) continue;
      each_lane(event.executed & access.lanes, [&](unsigned lane) {
        add(locate(event, access, event.addresses[a][lane]), wedjat::bytes_of(event, access, lane),
            access.reads != 0, access.writes != 0);
      });
    }
  }
  void piece(const wedjat::Event& event) {
    for (const wedjat_piece& piece : pieces(event))
      if (is_memory(piece.space)) add(locate(event, piece), piece.bytes, piece.reads != 0, piece.writes != 0);
  }
  void handle(const wedjat::Event& event) {
    for (const wedjat_operand& operand : operands(*event.instruction)) {
      if (!is_handle(operand) || event.rows[operand.first] == nullptr) continue;
      const auto* const values = static_cast<const std::uint64_t*>(event.rows[operand.first]);
      each_lane(event.executed, [&](unsigned lane) { log_.touched.texels_of.insert(values[lane]); });
    }
  }

  TouchLog& log_ = *attaching<TouchLog>;
};

}  // namespace

void TouchLog::attach(hooks::Hooks& hooks) {
  attach_tool<Watcher>(hooks, *this, "touched", "bytes that a launch reads and writes");
}

}  // namespace wedjat::traces
