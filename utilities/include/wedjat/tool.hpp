// Wedjat tools in C++20: a class, the callbacks it wants, and one line at the end. tool.h says what the
// structs mean.
//
//   struct Counter : wedjat::Tool {
//     std::uint32_t threads = counters();
//     void kernel(const wedjat_kernel& k) override {
//       for (const auto& i : instructions(k)) count(i, WEDJAT_THREADS, threads);
//     }
//     void finish() override { table("instructions", "threads").row(value(threads)); }
//   };
//   WEDJAT_TOOL(Counter, "counter", "counts thread instructions")
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tool.h"

namespace wedjat {

using Event = wedjat_event;

inline std::span<const wedjat_instruction> instructions(const wedjat_kernel& kernel) {
  return {kernel.instructions, kernel.instruction_count};
}
inline std::span<const wedjat_block> blocks(const wedjat_kernel& kernel) {
  return {kernel.blocks, kernel.block_count};
}
inline std::span<const wedjat_operand> operands(const wedjat_instruction& at) {
  return {at.operands, at.operand_count};
}
inline std::span<const std::uint32_t> successors(const wedjat_block& block) {
  return {block.successors, block.successor_count};
}
inline std::span<const wedjat_register> registers(const wedjat_kernel& kernel) {
  return {kernel.registers, kernel.register_count};
}
inline std::span<const wedjat_variable> variables(const wedjat_kernel& kernel) {
  return {kernel.variables, kernel.variable_count};
}
inline std::span<const wedjat_argument> arguments(const wedjat_call& call) {
  return {call.list, call.argument_count};
}
inline std::span<const wedjat_access> accesses(const wedjat_instruction& at) {
  return {at.accesses, at.access_count};
}

inline std::span<const wedjat_piece> pieces(const Event& event) { return {event.pieces, event.piece_count}; }

inline std::span<const wedjat_work> work(const wedjat_instruction& at) { return {at.work, at.work_count}; }
/// Whether lanes of the warp wait for each other and exchange nothing: bar.warp.sync.
inline bool is_warp_barrier(const wedjat_instruction& at) {
  return (at.what & WEDJAT_WARP_SYNC) && (at.what & WEDJAT_OTHER_LANES) == 0 &&
         std::ranges::none_of(operands(at), [](const wedjat_operand& o) { return o.out != 0; });
}

/// Calls visit(lane) for each lane of the mask.
template <class Visit>
void each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The same, of lanes that store `bytes` each, in an order in which the last visit of a place is the store
/// that stays: lanes go together in groups of 128 bytes (at most 32), in ascending order, and of a group the
/// lowest lane wins, as on hardware.
template <class Visit>
void each_store(std::uint32_t mask, std::uint32_t bytes, Visit visit) {
  const unsigned together = bytes <= 4 ? 32 : bytes < 128 ? 128 / bytes : 1;
  for (unsigned first = 0; first < 32; first += together)
    for (unsigned lane = first + together; lane-- > first;)
      if (lane < 32 && (mask >> lane & 1)) visit(lane);
}

/// Element `element` of operand `operand` as 32 values; a predicate is one std::uint32_t. Null: it was left
/// out.
template <class T>
T* row(const Event& event, unsigned operand, unsigned element = 0) {
  return static_cast<T*>(event.rows[event.instruction->operands[operand].first + element]);
}

/// Bytes that a lane accesses; of an event that needs addresses.
inline std::uint32_t bytes_of(const Event& event, const wedjat_access& access, unsigned lane) {
  return access.bytes != 0 ? access.bytes : row<std::uint32_t>(event, access.size)[lane];
}

/// Index of the register of this name; WEDJAT_NO_REGISTER: the function declares none.
inline std::uint32_t find_register(const wedjat_kernel& kernel, std::string_view name,
                                   std::uint32_t function = 0) {
  for (std::uint32_t i = 0; i < kernel.register_count; ++i)
    if (kernel.registers[i].function == function && kernel.registers[i].name == name) return i;
  return WEDJAT_NO_REGISTER;
}

/// When a handler is called: every N-th event that meets the condition.
struct Only {
  wedjat_condition condition{};
  std::uint32_t every = 1;
};

/// Bytes from the start of a CTA's own shared memory, of an address in shared memory or its window.
inline std::uint64_t shared_offset(std::uint64_t address) {
  return address % WEDJAT_SHARED_STRIDE - WEDJAT_SHARED_RESERVED;
}

/// Where an access goes: a device address, bytes from the start of the shared memory of a CTA, or of a
/// thread's local memory.
struct Location {
  enum class Kind : std::uint8_t { other, global, heap, shared, local } kind = Kind::other;
  std::uint64_t address = 0;
  std::uint64_t cta = 0;  // shared: of the cluster, whichever the address names
};

/// CTA of this rank in the event's cluster, numbered as wedjat_event.cta.
inline std::uint64_t cta_of_rank(const Event& event, std::uint64_t rank) {
  const auto& size = event.launch->cluster;
  if (size[0] * size[1] * size[2] == 1) return event.cta;
  const std::uint64_t parts[] = {rank % size[0], rank / size[0] % size[1], rank / size[0] / size[1]};
  std::uint64_t index = 0;
  for (int i = 3; i-- > 0;)
    index = index * event.launch->grid[i] + event.cta_xyz[i] / size[i] * size[i] + parts[i];
  return index;
}

inline Location locate(const Event& event, std::uint8_t space, std::uint64_t address) {
  using Kind = Location::Kind;
  if (space == WEDJAT_GENERIC) {
    space = WEDJAT_GLOBAL;
    if (address - WEDJAT_SHARED_WINDOW < WEDJAT_SHARED_WINDOW_BYTES)
      space = WEDJAT_SHARED, address -= WEDJAT_SHARED_WINDOW;
    else if (address - WEDJAT_LOCAL_WINDOW < WEDJAT_LOCAL_WINDOW_BYTES)
      space = WEDJAT_LOCAL, address -= WEDJAT_LOCAL_WINDOW;
  }
  if (space == WEDJAT_GLOBAL) {
    const bool heap = address - WEDJAT_HEAP_WINDOW < WEDJAT_HEAP_WINDOW_BYTES;
    return {heap ? Kind::heap : Kind::global, address, 0};
  }
  if (space == WEDJAT_SHARED || space == WEDJAT_SHARED_CLUSTER)
    return {Kind::shared, shared_offset(address), cta_of_rank(event, address / WEDJAT_SHARED_STRIDE)};
  if (space == WEDJAT_LOCAL) return {Kind::local, address, event.cta};
  return {};
}

inline Location locate(const Event& event, const wedjat_access& access, std::uint64_t address) {
  return locate(event, access.space, address);
}
inline Location locate(const Event& event, const wedjat_piece& piece) {
  return locate(event, piece.space, piece.address);
}

/// The variable that lies there, as "tile+64"; "" if none does. Of local memory only the entry's own are
/// known.
inline std::string variable_at(const wedjat_kernel& kernel, const Location& at) {
  using Kind = Location::Kind;
  for (const wedjat_variable& one : variables(kernel)) {
    const Kind kind = one.space == WEDJAT_SHARED                                ? Kind::shared
                      : one.space == WEDJAT_LOCAL && one.function == 0          ? Kind::local
                      : one.space == WEDJAT_GLOBAL || one.space == WEDJAT_CONST ? Kind::global
                                                                                : Kind::other;
    if (kind != at.kind || kind == Kind::other || at.address < one.address) continue;
    if (one.bytes == 0 || at.address - one.address < one.bytes)
      return std::string(one.name) + "+" + std::to_string(at.address - one.address);
  }
  return {};
}
inline std::string in_variable(const wedjat_kernel& kernel, const Location& at) {
  const std::string name = variable_at(kernel, at);
  return name.empty() ? name : ", in variable " + name;
}

/// "saxpy.cu:12", or "ptx:41" without source lines.
inline std::string place(const wedjat_instruction& at) {
  if (at.source_line == 0) return "ptx:" + std::to_string(at.ptx_line);
  const std::string_view file = at.source_file;
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(at.source_line);
}

/// What the handlers of a WEDJAT_PARALLEL tool keep: one T for each host thread. begin() in launch_begin;
/// after that each thread has its own.
template <class T>
class PerThread {
 public:
  void begin(const wedjat_launch& launch) {
    while (parts_.size() < launch.threads) parts_.emplace_back();
  }
  T& operator[](std::uint32_t thread) { return parts_[thread].value; }
  T& operator[](const Event& event) { return parts_[event.thread].value; }
  /// All of them, when no launch runs: visit(T&). The order says nothing.
  template <class Visit>
  void each(Visit visit) {
    for (Part& part : parts_) visit(part.value);
  }

 private:
  struct alignas(64) Part {
    T value{};
  };
  std::deque<Part> parts_;
};

class Table {
 public:
  Table(const wedjat_host* host, wedjat_table* table) : host_(host), table_(table) {}
  template <class... Cells>
  Table& row(const Cells&... cells) {
    (add(cells), ...);
    return *this;
  }

 private:
  template <class T>
  void add(const T& cell) {
    if constexpr (std::is_floating_point_v<T>)
      host_->cell_real(table_, static_cast<double>(cell));
    else if constexpr (std::is_integral_v<T>)
      host_->cell_integer(table_, static_cast<std::uint64_t>(cell));
    else
      host_->cell_text(table_, std::string(cell).c_str());
  }
  const wedjat_host* host_;
  wedjat_table* table_;
};

class Tool {
 public:
  virtual ~Tool() = default;
  virtual void kernel(const wedjat_kernel&) {}
  virtual bool launch_begin(const wedjat_launch&) { return true; }
  virtual void launch_end(const wedjat_launch&) {}
  virtual void call(const wedjat_call&) {}
  virtual bool cta_begin(const wedjat_launch&, std::uint64_t /*cta*/) { return true; }
  virtual void cta_end(const wedjat_launch&, std::uint64_t /*cta*/) {}
  virtual bool warp_begin(const wedjat_launch&, std::uint64_t /*cta*/, std::uint32_t /*warp*/,
                          std::uint32_t /*lanes*/) {
    return true;
  }
  virtual void warp_end(const wedjat_launch&, std::uint64_t /*cta*/, std::uint32_t /*warp*/) {}
  virtual void module(const wedjat_module&) {}
  virtual void graph_node(const wedjat_graph_node&) {}
  virtual void memory(const wedjat_memory&) {}
  virtual void finish() {}

 protected:
  std::string option(const char* key, const char* otherwise = "") const {
    const char* given = host_->option(session_, key);
    return given ? given : otherwise;
  }
  [[nodiscard]] std::uint64_t number(const char* key, std::uint64_t otherwise) const {
    const std::string text = option(key);
    if (text.empty()) return otherwise;
    char* end = nullptr;
    errno = 0;
    const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
    if (*end != 0 || errno != 0 || text.find_first_of("+- ") != text.npos)
      refuse("option " + std::string(key) + ": '" + text + "' is no number from 0 to 2^64 - 1");
    return value;
  }
  void refuse(const std::string& message) const { host_->refuse(session_, message.c_str()); }

  std::uint32_t counters(std::uint32_t count = 1) { return host_->counters(session_, count); }
  std::uint64_t value(std::uint32_t counter) const { return host_->value(session_, counter); }
  void set(std::uint32_t counter, std::uint64_t to) { host_->set(session_, counter, to); }
  bool count(const wedjat_instruction& at, wedjat_source source, std::uint32_t counter,
             std::uint32_t buckets = 0, std::uint32_t access = 0) {
    const wedjat_count wanted{sizeof wanted, at.id,   static_cast<std::uint32_t>(source),
                              counter,       buckets, access};
    return host_->count(session_, &wanted) == 0;
  }

  /// A function that native code contains, if the tool has bitcode (wedjat_inlined): `values` are elements of
  /// rows.
  bool inlined(const wedjat_instruction& at, wedjat_function function, const char* name,
               std::uint32_t counter, std::initializer_list<std::uint32_t> values) {
    if (values.size() > WEDJAT_MOST_VALUES || host_->size <= offsetof(wedjat_host, inlined)) return false;
    wedjat_inlined wanted{
        sizeof wanted, at.id, counter, function, name, static_cast<std::uint32_t>(values.size()), {}};
    std::copy(values.begin(), values.end(), wanted.values);
    return host_->inlined(session_, &wanted) == 0;
  }

  /// `handler` is a member function: before<&MyTool::on_access>(i, WEDJAT_ADDRESSES).
  template <auto handler>
  bool before(const wedjat_instruction& at, std::uint32_t needs = WEDJAT_MASKS, void* user = nullptr,
              const Only& only = {}) {
    return probe(at, WEDJAT_BEFORE, needs, &call_member<handler>, user, only);
  }
  template <auto handler>
  bool after(const wedjat_instruction& at, std::uint32_t needs = WEDJAT_MASKS, void* user = nullptr,
             const Only& only = {}) {
    return probe(at, WEDJAT_AFTER, needs, &call_member<handler>, user, only);
  }
  /// When lanes enter the block; false if it has no instruction.
  template <auto handler>
  bool enter(const wedjat_kernel& kernel, const wedjat_block& block, void* user = nullptr) {
    return block.count != 0 &&
           before<handler>(kernel.instructions[block.first], WEDJAT_MASKS | WEDJAT_EMPTY, user);
  }
  /// When lanes leave the block for its successor of this number.
  template <auto handler>
  bool edge(const wedjat_kernel& kernel, const wedjat_block& block, std::uint32_t successor,
            void* user = nullptr) {
    const wedjat_edge wanted{sizeof wanted, static_cast<std::uint32_t>(&block - kernel.blocks), successor,
                             &call_member<handler>, user};
    return host_->edge(session_, &wanted) == 0;
  }
  template <auto handler>
  bool replace(const wedjat_instruction& at, std::uint32_t needs = 0, void* user = nullptr) {
    return host_->replace(session_, at.id, needs, &call_member<handler>, user) == 0;
  }
  bool skip(const wedjat_instruction& at) {
    return host_->replace(session_, at.id, 0, nullptr, nullptr) == 0;
  }
  /// In the constructor only: an instruction of your own, define<&T::fft>("wfft32.f32", "d:f32:out a:f32").
  template <auto handler>
  bool define(const char* form, const char* operands, void* user = nullptr) {
    const wedjat_definition wanted{sizeof wanted, form, operands, &call_member<handler>, user};
    return host_->define(session_, &wanted) == 0;
  }
  /// kernel() is called again before the kernel's next launch.
  void reset(const wedjat_kernel& kernel) { host_->reset(session_, kernel.id); }
  /// Inside a replacement: what the instruction would have done.
  void original(const Event& event) { host_->original(event.context); }

  bool read(const Event& event, unsigned lane, wedjat_space space, std::uint64_t address, void* to,
            std::size_t bytes) const {
    return host_->read(event.context, lane, space, address, to, bytes) == 0;
  }
  bool write(const Event& event, unsigned lane, wedjat_space space, std::uint64_t address, const void* from,
             std::size_t bytes) const {
    return host_->write(event.context, lane, space, address, from, bytes) == 0;
  }
  /// 32 values of a register of the running function; null if there are none (wedjat_host.register_row).
  template <class T>
  const T* register_row(const Event& event, std::uint32_t index) const {
    return static_cast<const T*>(host_->register_row(event.context, index));
  }
  /// The lane that each lane reads in an exchange; empty if it is none or its rows cannot be seen
  /// (wedjat_host.lanes_read).
  std::optional<std::array<std::uint32_t, 32>> lanes_read(const Event& event) const {
    std::array<std::uint32_t, 32> lanes;
    if (host_->lanes_read(&event, lanes.data()) != 0) return std::nullopt;
    return lanes;
  }
  template <class T>
  bool write_register(const Event& event, std::uint32_t index, unsigned lane, T to) const {
    return host_->write_register(event.context, index, lane, &to) == 0;
  }
  /// Event::thread, in cta_begin … warp_end.
  [[nodiscard]] std::uint32_t thread() const { return host_->thread(session_); }
  /// In launch_begin: this launch runs one CTA at a time, although the tool is WEDJAT_PARALLEL.
  void one_at_a_time() { host_->one_at_a_time(session_); }
  /// What needs WEDJAT_UNLESS_ASLEEP may be left out of this warp until it is awake again.
  void sleep(const Event& event, bool asleep = true) const { host_->sleep(event.context, asleep); }
  /// What needs WEDJAT_UNLESS_WITHIN may be left out in warps that sleep if it accesses nothing else, until
  /// the CTA ends.
  void leave_out(const Event& event, std::uint64_t low, std::uint64_t bytes) const {
    if (host_->size > offsetof(wedjat_host, within)) host_->within(event.context, low, bytes);
  }
  /// All of the CTA's accesses are told again.
  void tell_all(const Event& event) const { leave_out(event, 0, 0); }
  bool allocation(std::size_t index, wedjat_allocation& to) const {
    return host_->allocation(session_, index, &to) == 0;
  }

  Table table(const std::string& title, const char* columns) {
    return {host_, host_->table(session_, title.c_str(), columns)};
  }
  void finding(wedjat_severity severity, const char* kind, const std::string& message, const Event& event,
               unsigned lane) {
    report({sizeof(wedjat_finding), static_cast<std::uint32_t>(severity), kind, message.c_str(), event.launch,
            event.instruction, event.cta, 32 * event.warp + lane});
  }
  void report(const wedjat_finding& finding) { host_->finding(session_, &finding); }

 private:
  struct Creating {
    const wedjat_host* host;
    wedjat_session* session;
  };
  template <class>
  struct owner;
  template <class T>
  struct owner<void (T::*)(const Event&)> {
    using type = T;
  };
  template <auto handler>
  static void call_member(void* tool, const wedjat_event* event) {
    using T = typename owner<decltype(handler)>::type;
    (static_cast<T*>(static_cast<Tool*>(tool))->*handler)(*event);
  }
  bool probe(const wedjat_instruction& at, std::uint32_t when, std::uint32_t needs, wedjat_handler handler,
             void* user, const Only& only) {
    const wedjat_probe wanted{sizeof wanted, at.id, when, needs, handler, user, only.condition, only.every};
    return host_->probe(session_, &wanted) == 0;
  }

 public:
  /// What WEDJAT_TOOL exports; not for tools themselves.
  static Creating& creating() {
    static thread_local Creating now{};  // several threads may create tools at the same time
    return now;
  }
  template <class T>
  static const wedjat_tool* describe(const char* name, const char* summary, const char* options = "",
                                     std::uint32_t capabilities = 0) {
    static const wedjat_tool description = {
        sizeof(wedjat_tool),
        WEDJAT_ABI,
        capabilities,
        name,
        summary,
        options,
        [](const wedjat_host* host, wedjat_session* session) -> void* {
          creating() = {host, session};
          return static_cast<Tool*>(new T);
        },
        [](void* tool) { delete static_cast<Tool*>(tool); },
        overrides<T>(&Tool::kernel, &T::kernel)
            ? +[](void* tool, const wedjat_kernel* kernel) { static_cast<Tool*>(tool)->kernel(*kernel); }
            : nullptr,
        [](void* tool, const wedjat_launch* launch) -> int {
          return static_cast<Tool*>(tool)->launch_begin(*launch) ? 1 : 0;
        },
        [](void* tool, const wedjat_launch* launch) { static_cast<Tool*>(tool)->launch_end(*launch); },
        overrides<T>(&Tool::cta_begin, &T::cta_begin)
            ? +[](void* tool, const wedjat_launch* launch,
                  std::uint64_t cta) { return static_cast<Tool*>(tool)->cta_begin(*launch, cta) ? 1 : 0; }
            : nullptr,
        overrides<T>(&Tool::cta_end, &T::cta_end)
            ? +[](void* tool, const wedjat_launch* launch,
                  std::uint64_t cta) { static_cast<Tool*>(tool)->cta_end(*launch, cta); }
            : nullptr,
        overrides<T>(&Tool::warp_begin, &T::warp_begin)
            ? +[](void* tool, const wedjat_launch* launch, std::uint64_t cta, std::uint32_t warp,
                  std::uint32_t lanes) {
                return static_cast<Tool*>(tool)->warp_begin(*launch, cta, warp, lanes) ? 1 : 0;
              }
            : nullptr,
        overrides<T>(&Tool::warp_end, &T::warp_end)
            ? +[](void* tool, const wedjat_launch* launch, std::uint64_t cta,
                  std::uint32_t warp) { static_cast<Tool*>(tool)->warp_end(*launch, cta, warp); }
            : nullptr,
        overrides<T>(&Tool::call, &T::call)
            ? +[](void* tool, const wedjat_call* call) { static_cast<Tool*>(tool)->call(*call); }
            : nullptr,
        overrides<T>(&Tool::module, &T::module)
            ? +[](void* tool, const wedjat_module* module) { static_cast<Tool*>(tool)->module(*module); }
            : nullptr,
        overrides<T>(&Tool::graph_node, &T::graph_node)
            ? +[](void* tool,
                  const wedjat_graph_node* node) { static_cast<Tool*>(tool)->graph_node(*node); }
            : nullptr,
        overrides<T>(&Tool::memory, &T::memory)
            ? +[](void* tool, const wedjat_memory* memory) { static_cast<Tool*>(tool)->memory(*memory); }
            : nullptr,
        [](void* tool) { static_cast<Tool*>(tool)->finish(); }};
    return &description;
  }

 private:
  template <class T, class Base, class Own>
  static constexpr bool overrides(Base, Own) {
    return !std::is_same_v<Base, Own>;
  }
  const wedjat_host* host_ = creating().host;
  wedjat_session* session_ = creating().session;
};

}  // namespace wedjat

/// WEDJAT_TOOL(Class, name, summary[, options[, capabilities]])
#define WEDJAT_TOOL(Class, ...)                                                                  \
  extern "C" __attribute__((visibility("default"))) const wedjat_tool* wedjat_tool_entry(void) { \
    return wedjat::Tool::describe<Class>(__VA_ARGS__);                                           \
  }
