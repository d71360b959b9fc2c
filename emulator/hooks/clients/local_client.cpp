// A tool in this process: trusted code, yet one that throws is done without from then on.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "emulator/exec/access/fault.h"
#include "emulator/hooks/clients/client.h"
#include "emulator/hooks/session/library.h"
#include "emulator/hooks/session/witness.h"

namespace wedjat::hooks {
namespace {

class LocalClient final : public Client {
 public:
  LocalClient(const wedjat_tool& tool, Session session, bool ours)
      : tool_(tool), session_(std::move(session)), number_(Witness::here().enroll(tool.name)), ours_(ours) {
    session_.report.tool = tool.name;
    session_.report.checks = checks_ = (tool.capabilities & WEDJAT_CHECKS) != 0;
    session_.mutates = mutates_ = (tool.capabilities & WEDJAT_MUTATES) != 0;
    threads_ = threads_of(tool.capabilities);
    session_.parallel = threads_ != Threads::one;
    check_options(tool, session_.options);
    session_.creating = true;
    inside("create", [&] { state_ = tool_.create(&host_functions(), &session_); });
    session_.creating = false;
    session_.check();
    if (state_ == nullptr && !dead_) throw refusal(tool.name, "it could not be created");
  }
  ~LocalClient() override { destroy(); }
  LocalClient(const LocalClient&) = delete;
  LocalClient& operator=(const LocalClient&) = delete;

  Plan subscribe(const wedjat_kernel& kernel) override {
    session_.subscribing = &kernel;
    if (tool_.kernel != nullptr) inside("kernel", [&] { tool_.kernel(state_, &kernel); });
    session_.subscribing = nullptr;
    session_.check();
    if (dead_) session_.plan = {};
    define(kernel);
    return std::exchange(session_.plan, {});
  }
  bool wants_again(std::uint32_t kernel) override { return session_.resets.erase(kernel) != 0; }
  bool launch_begin(const wedjat_launch& launch) override {
    bool watch = !dead_;
    session_.launch_begins();
    if (tool_.launch_begin != nullptr)
      inside("launch_begin", [&] { watch = tool_.launch_begin(state_, &launch) != 0; });
    session_.check();
    one_at_a_time_ = session_.one_at_a_time;
    return watch && !dead_;
  }
  void launch_end(const wedjat_launch& launch) override {
    if (tool_.launch_end != nullptr) inside("launch_end", [&] { tool_.launch_end(state_, &launch); });
    session_.settle();
    session_.check();
  }
  void call(const wedjat_call& call) override {
    if (tool_.call != nullptr) inside("call", [&] { tool_.call(state_, &call); });
  }
  void module(const wedjat_module& module) override {
    if (tool_.module != nullptr) inside("module", [&] { tool_.module(state_, &module); });
  }
  void graph_node(const wedjat_graph_node& node) override {
    if (tool_.graph_node != nullptr) inside("graph_node", [&] { tool_.graph_node(state_, &node); });
  }
  void memory(const wedjat_memory& memory) override {
    if (tool_.memory != nullptr) inside("memory", [&] { tool_.memory(state_, &memory); });
  }
  bool wants_ctas() const override { return tool_.cta_begin != nullptr || tool_.cta_end != nullptr; }
  bool wants_warps() const override { return tool_.warp_begin != nullptr || tool_.warp_end != nullptr; }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    bool watch = true;
    if (tool_.cta_begin != nullptr)
      inside("cta_begin", [&] { watch = tool_.cta_begin(state_, &launch, cta) != 0; });
    return watch;
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    if (tool_.cta_end != nullptr) inside("cta_end", [&] { tool_.cta_end(state_, &launch, cta); });
  }
  bool warp_begin(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp,
                  std::uint32_t lanes) override {
    bool watch = true;
    if (tool_.warp_begin != nullptr)
      inside("warp_begin", [&] { watch = tool_.warp_begin(state_, &launch, cta, warp, lanes) != 0; });
    return watch;
  }
  void warp_end(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp) override {
    if (tool_.warp_end != nullptr) inside("warp_end", [&] { tool_.warp_end(state_, &launch, cta, warp); });
  }
  void deliver(const Watch& watch, const wedjat_event& event) override {
    inside("a handler", [&] { watch.handler(state_, &event); });
  }
  Report finish() override {
    if (tool_.finish != nullptr) inside("finish", [&] { tool_.finish(state_); });
    Report report = session_.finished();
    destroy();
    if (!session_.report.detached.empty()) report.detached = session_.report.detached;
    return report;
  }
  std::vector<std::uint64_t>& counters() override { return session_.counters; }
  const std::deque<Definition>& definitions() const override { return session_.definitions; }
  std::shared_ptr<const std::string> bitcode() const override { return session_.bitcode; }

 private:
  // A fault of the kernel passes through a tool that carries out an instruction; whatever else a user's tool
  // throws ends the tool, not the run.
  template <class Work>
  void inside(const char* callback, Work work) {
    if (dead_.load(std::memory_order_relaxed)) return;
    const InsideTool now(number_);
    try {
      work();
    } catch (const exec::Fault&) {
      throw;
    } catch (const std::exception& error) {
      if (ours_) throw;
      die(callback, error.what());
    } catch (...) {
      die(callback, "something that is no std::exception");
    }
  }
  void die(const char* callback, const std::string& what) {
    if (!dead_.exchange(true)) session_.report.detached = fmt::format("it threw in {}: {}", callback, what);
  }
  void destroy() {
    void* const state = std::exchange(state_, nullptr);
    if (state != nullptr && tool_.destroy != nullptr) inside("destroy", [&] { tool_.destroy(state); });
  }

  // Its own instructions, unless it replaces them itself.
  void define(const wedjat_kernel& kernel) {
    if (session_.definitions.empty()) return;
    for (std::uint32_t i = 0; i < kernel.instruction_count; ++i)
      for (const Definition& definition : session_.definitions)
        if (definition.form().text == kernel.instructions[i].form)
          session_.plan.replacements.push_back({i, 0, definition.handler(), definition.user()});
  }

  const wedjat_tool& tool_;
  Session session_;
  const std::uint8_t number_;
  const bool ours_;
  void* state_ = nullptr;
  std::atomic<bool> dead_{false};
};

}  // namespace

std::unique_ptr<Client> load_here(const wedjat_tool& tool, Session session) {
  return std::make_unique<LocalClient>(tool, std::move(session), true);
}

std::unique_ptr<Client> load_here(const std::string& library, Session session) {
  session.bitcode = bitcode_beside(library);
  return std::make_unique<LocalClient>(open_library(library), std::move(session), false);
}

}  // namespace wedjat::hooks
