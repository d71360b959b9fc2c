#include "traces/replay/state/replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "emulator/hooks/hooks.h"
#include "interposer/meaning/textures.h"
#include "traces/format/error.h"
#include "traces/format/names.h"
#include "traces/replay/state/call_order.h"
#include "traces/replay/state/failures.h"

namespace wedjat::traces {
namespace {

std::string shown(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return fmt::format("<{} bytes>", bytes->size());
  std::string text;
  for (const std::uint64_t number : std::get<std::vector<std::uint64_t>>(value))
    text += fmt::format("{}{:#x}", text.empty() ? "" : ",", number);
  return "[" + text + "]";
}

std::uint64_t number_of(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<std::uint64_t>(*number);
  const auto* handles = std::get_if<std::vector<std::uint64_t>>(&value);
  return handles != nullptr && !handles->empty() ? handles->front() : 0;
}

std::unique_ptr<device::Device> make_device(const ReplayOptions& options) {
  device::DeviceOptions device_options;
  device_options.threads = options.threads;
  device_options.print = options.print;
  device_options.hooks = options.hooks;
  device_options.contract = options.contract;
  device_options.launch_limits = options.launch_limits;
  device_options.side_by_side = options.side_by_side;
  device_options.shuffle = options.shuffle;
  device_options.unwritten = options.unwritten;
  device_options.surroundings = options.surroundings;
  device_options.native = options.native;
  return std::make_unique<device::Device>(device_options);
}

bool has_host_function(const Call& call) {
  return std::any_of(call.attached.begin(), call.attached.end(),
                     [](const Event* event) { return event->name == "host_function"; });
}

// Of a delta: told before the driver did what the call asks.
bool is_before(const Event& event) {
  return event.number("phase") == static_cast<std::uint64_t>(Phase::entry);
}

}  // namespace

Replayer::Replayer(const Trace& trace, const Calls& calls, const ReplayOptions& options,
                   SharedHandles& shared_handles, Accounts& accounts)
    : trace_(trace),
      calls_(calls),
      options_(options),
      accounts_(accounts),
      device_(make_device(options)),
      host_memory_(*device_),
      contexts_(calls),
      virtual_memory_(*device_),
      multicast_objects_(*device_, virtual_memory_),
      shared_handles_(shared_handles),
      chosen_addresses_(*device_) {
  for (const Call& call : calls_.calls) schedule(call);
  if (!calls_.calls.empty())
    for (const Event* event : calls_.loose) schedule_at_end(*event);
  for (const Event& event : trace_.events)
    if (event.name == "made_of") links_.learn(event);
}

void Replayer::refuse(const Call& call, const std::string& cause) const {
  throw ReplayRefused(
      fmt::format("{}: {} (seq {}): {}", trace_.folder.string(), call.symbol, call.sequence(), cause));
}

void Replayer::check_size(const Call& call, std::uint64_t bytes) const {
  if (bytes > options_.memory_limit)
    refuse(call, fmt::format("it needs {} bytes at once, and {} are allowed (--memory-limit)", bytes,
                             options_.memory_limit));
}

std::uint64_t Replayer::given_out(const Call& call, const char* field) const {
  const auto values = call.exit->numbers(field);
  if (values.empty()) refuse(call, fmt::format("{} was not recorded", field));
  return values[0];
}

Bytes Replayer::input(const Call& call, const std::string& name) const {
  const Bytes& here = call.entry->bytes(name + kInSuffix);
  const Event* payload = here.empty() ? call.payload(name) : nullptr;
  return payload ? trace_.contents(*payload) : here;
}

std::vector<std::uint64_t> Replayer::inputs(const Call& call, const std::string& name) const {
  auto here = call.entry->numbers(name + kInSuffix);
  const Event* payload = here.empty() ? call.payload(name) : nullptr;
  if (!payload) return here;
  const Bytes bytes = trace_.contents(*payload);
  here.resize(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(here.data(), bytes.data(), here.size() * sizeof(std::uint64_t));
  return here;
}

void Replayer::learn(const Event& event) {
  if (event.name == "kernel_info")
    kernels_[event.number("function")] = {
        event.text("name"),
        event.number("parent"),
        {event.numbers("offsets"), event.numbers("sizes")},
        event.find("registers") == nullptr ? 0 : static_cast<std::uint32_t>(event.number("registers"))};
}

std::uint64_t Replayer::next() const { return done_at(calls_.calls[current_]); }

void Replayer::step() {
  const Call& call = calls_.calls[current_];
  run_until(done_at(call));
  // Told by the recorder between a call's entry and its real work: known before the call is carried out.
  const std::uint64_t until = call.exit ? call.exit->sequence : call.sequence();
  for (; loose_ < calls_.loose.size() && calls_.loose[loose_]->sequence < until; ++loose_)
    learn(*calls_.loose[loose_]);
  for (const Event* event : call.attached) learn(*event);
  for (const Event* event : call.attached)
    if (event->name == "device_memory") check_held(call, *event);
  if (report_.hardware_failed.empty() && says_kernel_failed(call))
    report_.hardware_failed = shown_failure(call);
  if (call.succeeded() && !graphs_.capture(call, captured_node(call))) {
    carry_out(call);
  } else {
    if (!call.succeeded())
      for (const Event* event : call.attached)
        accounts_.because(*event, "the recording says that the call failed or did not return");
    tell(call, false);
    tell(call, true);
  }
  ++report_.calls;
  if (options_.progress) options_.progress(report_.calls, calls_.calls.size());
  ++current_;
}

ReplayReport Replayer::finish() {
  run_until(std::numeric_limits<std::uint64_t>::max());
  for (const Event* event : calls_.loose)
    if (event->name == "device_memory" && !calls_.calls.empty()) check_held(calls_.calls.back(), *event);
  if (!calls_.calls.empty())
    for (auto& [host, range] : host_memory_.all()) compare_recorded(calls_.calls.back(), range);
  if (report_.checked.empty() && unchanged_) report(std::move(*unchanged_));
  return std::move(report_);
}

std::uint64_t Replayer::captured_node(const Call& call) const {
  const Event* const told = call.payload("data.captured");
  return told ? structure<std::uint64_t>(call, trace_.contents(*told)) : 0;
}

void Replayer::check_steps(const Call& call, std::uint64_t before) const {
  const std::uint64_t limit = options_.launch_limits.launch_step_limit;
  if (limit != 0 && steps_ - before > limit)
    refuse(call, fmt::format("a loop of its graph did not end in {} warp instructions", limit));
}

void Replayer::carry_out(const Call& call) {
  const Handler handler = handler_of(call.base);
  if (!handler) refuse(call, std::string(why_refused(call.base)));
  if (has_effect(call.base)) rests_ = false;
  tell(call, false);
  try {
    handler(*this, call);
  } catch (const device::Failed& failure) {
    add_hardware(failure);
  } catch (const interposer::Unclear& unclear) {
    refuse(call, unclear.what());
  }
  tell(call, true);
}

// Whether the hardware knows of the failure too.
void Replayer::add_hardware(const device::Failed& failure) const {
  const auto from = calls_.calls.begin() + static_cast<std::ptrdiff_t>(current_);
  const auto recorded = std::find_if(from, calls_.calls.end(), says_kernel_failed);
  const bool only_here = recorded == calls_.calls.end();
  throw device::Failed(fmt::format("{}\n  on the hardware {}", failure.what(),
                                   only_here ? "no kernel failed: no later call gave such an error"
                                             : "one failed too: " + shown_failure(*recorded)),
                       only_here ? failure.fault : std::nullopt);
}

void Replayer::tell(const Call& call, bool is_exit) const {
  if (options_.hooks == nullptr) return;
  const std::vector<Field>& fields = (is_exit && call.exit ? call.exit : call.entry)->fields;
  std::string arguments;
  std::vector<std::string> texts;  // of each: name, value
  texts.reserve(2 * fields.size());
  std::vector<wedjat_argument> list;
  for (const Field& field : fields) {
    const std::string& field_name = texts.emplace_back(field.name);
    const std::string& text = texts.emplace_back(shown(field.value));
    arguments += fmt::format("{}{}={}", arguments.empty() ? "" : " ", field_name, text);
    list.push_back({field_name.c_str(), text.c_str(), number_of(field.value)});
  }
  const std::string name(call.symbol);
  options_.hooks->call({.size = sizeof(wedjat_call),
                        .name = name.c_str(),
                        .arguments = arguments.c_str(),
                        .sequence = call.sequence(),
                        .status = call.exit ? static_cast<std::int32_t>(call.exit->number("result")) : -1,
                        .is_exit = is_exit,
                        .list = list.data(),
                        .argument_count = static_cast<std::uint32_t>(list.size())});
}

void Replayer::tell_node(const Call& launch, const Call& node, std::uint32_t index) const {
  if (options_.hooks == nullptr) return;
  const std::string name(node.symbol);
  options_.hooks->graph_node({sizeof(wedjat_graph_node), launch.sequence(), index, name.c_str()});
}

// Told before the driver did what the call asks.
void Replayer::host_delta_before(const Call& call, const Event& event) {
  const std::uint64_t address = event.number("address");
  if (!is_recorded_whole(event)) return;
  accounts_.used(event);
  if (rests_ || trace_.manifest.format < kWholeHostMemory)
    host_memory_.host_wrote(address, trace_.contents(event));
  else
    host_memory_.someone_wrote(address, trace_.contents(event),
                               has_effect(call.base) ? HostMemory::Seen::by_work : HostMemory::Seen::by_wait);
}

void Replayer::run_until(std::uint64_t sequence) {
  while (!later_.empty() && later_.begin()->first < sequence) {
    const auto action = std::move(later_.begin()->second);
    later_.erase(later_.begin());
    action();
  }
}

void Replayer::schedule_delta(const Call& call, const Event& event) {
  const auto act = is_before(event) ? &Replayer::host_delta_before : &Replayer::host_delta;
  later(event.sequence, [this, act, &call, &event] { (this->*act)(call, event); });
}

// What the recording says of a call takes its turn among all calls.
void Replayer::schedule(const Call& call) {
  if (has_effect(call.base)) later(call.sequence(), [this, &call] { open_.push_back(&call); });
  const bool of_function = trace_.manifest.format < kWholeHostMemory && has_host_function(call);
  for (const Event* event : call.attached) {
    if (event->name == "host_range")
      later(event->sequence, [this, &call, event] { host_range(call, *event); });
    if (event->name == "host_delta" && (!of_function || is_before(*event))) schedule_delta(call, *event);
    if (event->name == "host_idle") later(event->sequence, [this, &call, event] { host_idle(call, *event); });
    if (event->name == "host_rest") later(event->sequence, [this, &call, event] { host_rest(call, *event); });
    if (event->name == "uncaptured") not_compared(call, event->text("name") + ": " + event->text("reason"));
  }
}

// What no wait had shown of memory that both sides see: no call brought it about, and calls may follow.
void Replayer::schedule_at_end(const Event& event) {
  const Call& last = calls_.calls.back();
  if (event.name == "host_delta") schedule_delta(last, event);
  if (event.name == "host_rest") later(event.sequence, [this, &last, &event] { host_rest(last, event); });
}

void Replayer::not_compared(const Call& call, const std::string& cause) {
  report_.not_compared.push_back(fmt::format("{} (seq {}): {}", call.symbol, call.sequence(), cause));
}

void Replayer::check(const Call& call, const std::string& what, std::uint64_t address, const Bytes& expected,
                     const Bytes& got, const Event* of) {
  if (expected.size() != got.size())
    refuse(call, fmt::format("the trace holds {} bytes of a copy of {}", expected.size(), got.size()));
  if (of) accounts_.compared(*of);
  Difference difference = compare(expected, got);
  std::uint64_t addresses = 0;
  if (!difference.same()) {
    Bytes ours = got;
    addresses = chosen_addresses_.translate(address, expected, ours);
    if (addresses != 0) difference = compare(expected, ours);
  }
  report({call.sequence(), what, address, std::move(kernels_since_check_), addresses, std::move(difference)});
  kernels_since_check_.clear();
  if (options_.differs && !report_.checked.back().difference.same())
    options_.differs(report_.checked.back(), expected, got);
}

void Replayer::report(Checked checked) {
  report_.checked.push_back(std::move(checked));
  if (options_.checked) options_.checked(report_.checked.back());
}

}  // namespace wedjat::traces
