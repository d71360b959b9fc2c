// wedjat-tool-host LIBRARY: one tool, apart from the run it watches. Started by Wedjat only.
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "emulator/hooks/clients/messages.h"
#include "emulator/hooks/isolated/received.h"
#include "emulator/hooks/session/library.h"
#include "emulator/hooks/session/session.h"

extern "C" int wedjat_confine();

namespace wedjat::hooks {
namespace {

using nlohmann::json;

class ToolHost {
 public:
  ToolHost()
      : head_(static_cast<const RingHead*>(map(ring_file, ring_page + ring_bytes, PROT_READ))),
        tail_(static_cast<RingTail*>(map(tail_file, ring_page, PROT_READ | PROT_WRITE))),
        events_(reinterpret_cast<const std::byte*>(head_) + ring_page) {}

  int run(const char* library) {
    library_ = library;
    for (;;) {
      pollfd ready{control_socket, POLLIN, 0};
      const std::uint64_t head = head_->head.load(std::memory_order_acquire);
      // A message that lies there now may be older than the last of these events.
      if (poll(&ready, 1, head == read_ ? 1 : 0) <= 0) {
        drain(head);
        continue;
      }
      std::uint32_t size = 0;
      if (!receive(&size, sizeof size)) return end();  // the run is over
      std::string text(size, ' ');
      if (!receive(text.data(), size)) return end();
      const json message = json::parse(text);
      drain(message.at("head"));
      const json answer = handle(message.at("do"), message);
      if (!answer.is_null()) send(answer.dump(-1, ' ', false, json::error_handler_t::replace));
    }
  }

 private:
  static void* map(int file, std::size_t bytes, int how) {
    void* at = mmap(nullptr, bytes, how, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) std::abort();
    return at;
  }
  static bool receive(void* to, std::size_t count) {
    for (auto* at = static_cast<char*>(to); count != 0;) {
      const ssize_t got = read(control_socket, at, count);
      if (got <= 0) return false;
      at += got, count -= static_cast<std::size_t>(got);
    }
    return true;
  }
  static void send(const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string all(reinterpret_cast<const char*>(&size), sizeof size);
    all += text;
    for (std::size_t at = 0; at < all.size();) {
      const ssize_t sent = write(control_socket, all.data() + at, all.size() - at);
      if (sent <= 0) std::exit(0);
      at += static_cast<std::size_t>(sent);
    }
  }

  int end() const {
    if (state_ != nullptr && tool_->destroy != nullptr) tool_->destroy(state_);
    return 0;
  }

  json handle(const std::string& what, const json& message) {
    if (what == "create") return create(message);
    if (message.contains("values"))
      session_.counters = message.at("values").get<std::vector<std::uint64_t>>();
    if (what == "part") kernels_[message.at("kernel")].add(message.at("part"));
    if (what == "kernel") return subscribe(message.at("kernel"));
    if (what == "launch_begin" || what == "launch_end") return launch(what, message.at("launch"));
    if (what == "call" && tool_->call != nullptr) {
      const ReceivedCall received(message.at("call"));
      tool_->call(state_, &received.call());
    }
    if (what == "module" && tool_->module != nullptr) load(message);
    if (what == "graph_node" && tool_->graph_node != nullptr) {
      const std::string call = message.at("call");
      const wedjat_graph_node node{sizeof node, message.at("sequence"), message.at("index"), call.c_str()};
      tool_->graph_node(state_, &node);
    }
    if (what == "cta_begin")
      return watch_if(tool_->cta_begin == nullptr ||
                      tool_->cta_begin(state_, &launch_, message.at("cta")) != 0);
    if (what == "cta_end" && tool_->cta_end != nullptr) tool_->cta_end(state_, &launch_, message.at("cta"));
    if (what == "warp_begin")
      return watch_if(tool_->warp_begin == nullptr ||
                      tool_->warp_begin(state_, &launch_, message.at("cta"), message.at("warp"),
                                        message.at("lanes")) != 0);
    if (what == "warp_end" && tool_->warp_end != nullptr)
      tool_->warp_end(state_, &launch_, message.at("cta"), message.at("warp"));
    if (what == "memory" && tool_->memory != nullptr) {
      const std::string label = message.at("label");
      const wedjat_memory memory{sizeof memory, message.at("what"), message.at("address"),
                                 message.at("bytes"), label.c_str()};
      tool_->memory(state_, &memory);
    }
    if (what != "finish") return nullptr;
    if (tool_->finish != nullptr) tool_->finish(state_);
    return {{"report", to_json(session_.with_tables())}, {"refused", session_.refused}};
  }

  // Counters that the tool set come with it, and kernels it wants to subscribe to anew.
  json watch_if(bool watch) {
    json answer{{"watch", watch}, {"sets", std::exchange(session_.sets, {})}, {"resets", session_.resets}};
    session_.resets.clear();
    return answer;
  }

  void load(const json& message) {
    const std::string name = message.at("name");
    const auto kernels = message.at("kernels").get<std::vector<std::string>>();
    std::vector<const char*> names;
    for (const std::string& kernel : kernels) names.push_back(kernel.c_str());
    const wedjat_module module{sizeof module, name.c_str(), names.data(),
                               static_cast<std::uint32_t>(names.size())};
    tool_->module(state_, &module);
  }

  json create(const json& message) {
    session_.options = message.at("options").get<std::map<std::string, std::string>>();
    try {
      tool_ = &open_library(library_);
      check_options(*tool_, session_.options);
    } catch (const ToolError& error) {
      return {{"refused", error.what()}};
    }
    if (tool_->capabilities & WEDJAT_MUTATES)
      return {{"refused", "it changes what it watches: it cannot be isolated"}};
    session_.report.tool = tool_->name;
    session_.isolated = true;
    state_ = tool_->create(&host_functions(), &session_);
    return {{"name", tool_->name},
            {"refused", session_.refused},
            {"counters", session_.counters.size()},
            {"checks", (tool_->capabilities & WEDJAT_CHECKS) != 0},
            {"ctas", tool_->cta_begin != nullptr || tool_->cta_end != nullptr},
            {"warps", tool_->warp_begin != nullptr || tool_->warp_end != nullptr}};
  }

  json subscribe(const json& from) {
    // Subscribed to anew it is the same kernel: what points to it stays valid.
    kernel_ = &kernels_[from.at("id")];
    if (kernel_->kernel().size == 0) kernel_->complete(from);
    session_.subscribing = &kernel_->kernel();
    session_.plan = {};
    if (tool_->kernel != nullptr) tool_->kernel(state_, session_.subscribing);
    session_.subscribing = nullptr;
    json probes = json::array(), counts = json::array(), edges = json::array();
    for (const wedjat_probe& p : session_.plan.probes) {
      probes.push_back({p.instruction, p.when, p.needs, watches_.size(), p.condition.test, p.condition.row,
                        p.condition.low, p.condition.high, p.every});
      watches_.push_back({p.handler, p.user, p.needs});
    }
    for (const wedjat_edge& e : session_.plan.edges) {
      edges.push_back({e.block, e.successor, watches_.size()});
      watches_.push_back({e.handler, e.user, WEDJAT_MASKS});
    }
    for (const wedjat_count& c : session_.plan.counts)
      counts.push_back({c.instruction, c.source, c.counter, c.buckets, c.access});
    return {{"probes", std::move(probes)},
            {"counts", std::move(counts)},
            {"edges", std::move(edges)},
            {"counters", session_.counters.size()}};
  }

  json launch(const std::string& what, const json& from) {
    const auto known = kernels_.find(from.at("kernel"));
    if (known == kernels_.end()) return {{"watch", false}};  // its kernel is filtered out
    kernel_ = &known->second;
    launch_ = {.size = sizeof launch_, .index = from.at("index"), .kernel = &kernel_->kernel()};
    for (int i = 0; i < 3; ++i)
      launch_.grid[i] = from.at("grid").at(i), launch_.block[i] = from.at("block").at(i),
      launch_.cluster[i] = from.at("cluster").at(i);
    launch_.shared_bytes = from.at("shared_bytes");
    launch_.threads = 1;
    launch_.recorded_registers = from.at("recorded_registers");
    launch_.recorded_nanoseconds = from.at("recorded_nanoseconds");
    launch_.warp_instructions = from.at("warp_instructions");
    launch_.thread_instructions = from.at("thread_instructions");
    failure_ = from.at("failure");
    launch_.failure = failure_.empty() ? nullptr : failure_.c_str();
    if (const auto failed = from.at("failed").get<std::int64_t>(); failed >= 0)
      launch_.failed = &kernel_->kernel().instructions[failed];
    launch_.failed_cta = from.at("failed_cta");
    launch_.failed_thread = from.at("failed_thread");
    if (what == "launch_begin")
      return watch_if(tool_->launch_begin == nullptr || tool_->launch_begin(state_, &launch_) != 0);
    if (tool_->launch_end != nullptr) tool_->launch_end(state_, &launch_);
    return watch_if(true);
  }

  // Events up to `end`.
  void drain(std::uint64_t end) {
    while (read_ != end) {
      const std::uint64_t at = read_ % ring_bytes;
      const auto& record = *reinterpret_cast<const Record*>(events_ + at);
      if (ring_bytes - at < sizeof(Record) || record.watch == Record::wrap) {
        read_ += ring_bytes - at;
      } else {
        deliver(record);
        read_ += record.bytes;
      }
      tail_->tail.store(read_, std::memory_order_release);
    }
  }

  void deliver(const Record& record) {
    const Subscription& watch = watches_.at(record.watch);
    wedjat_event event{.size = sizeof event, .launch = &launch_, .cta = record.cta};
    if (record.instruction != Record::no_instruction)
      event.instruction = &kernel_->kernel().instructions[record.instruction];
    std::memcpy(event.cta_xyz, record.cta_xyz, sizeof event.cta_xyz);
    event.warp = record.warp;
    event.active = record.active;
    event.executed = record.executed;
    event.paths = record.paths;
    event.user = watch.user;
    const auto* from = reinterpret_cast<const std::byte*>(&record + 1);
    const auto* const end = reinterpret_cast<const std::byte*>(&record) + record.bytes;
    rows_.assign(512, nullptr);
    addresses_.clear();
    if (event.instruction != nullptr && from != end &&
        (watch.needs & (WEDJAT_ROWS | WEDJAT_ADDRESSES | WEDJAT_INPUTS))) {
      const wedjat_instruction& at = *event.instruction;
      each_carried_row(at, watch.needs, [&](const wedjat_operand& operand, std::size_t row) {
        rows_.at(row) = const_cast<std::byte*>(from);
        from += row_bytes(operand);
      });
      for (std::uint32_t a = 0; a < at.access_count; ++a)
        addresses_.push_back(
            static_cast<const std::uint64_t*>(rows_.at(at.operands[at.accesses[a].operand].first)));
      event.rows = rows_.data();
      event.row_count = 512;
      event.addresses = addresses_.empty() ? nullptr : addresses_.data();
    }
    if (record.pieces != 0) {
      event.pieces = reinterpret_cast<const wedjat_piece*>(from);
      event.piece_count = record.pieces;
      from += record.pieces * sizeof(wedjat_piece);
    }
    if ((watch.needs & WEDJAT_OLD) && from != end) event.old = from;
    watch.handler(state_, &event);
  }

  const RingHead* head_;
  RingTail* tail_;
  const std::byte* events_;
  const char* library_ = nullptr;
  std::uint64_t read_ = 0;
  Session session_;
  const wedjat_tool* tool_ = nullptr;
  void* state_ = nullptr;
  std::map<std::uint32_t, ReceivedKernel> kernels_;
  ReceivedKernel* kernel_ = nullptr;
  wedjat_launch launch_{};
  std::string failure_;
  struct Subscription {
    wedjat_handler handler;
    void* user;
    std::uint32_t needs;
  };
  std::vector<Subscription> watches_;
  std::vector<void*> rows_;
  std::vector<const std::uint64_t*> addresses_;
};

}  // namespace
}  // namespace wedjat::hooks

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("wedjat-tool-host is started by wedjat\n", stderr), 2;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what it prints is seen at once
  wedjat::hooks::ToolHost host;
  if (wedjat_confine() != 0) return std::fputs("wedjat-tool-host: seccomp is not to be had\n", stderr), 3;
  return host.run(argv[1]);
}
