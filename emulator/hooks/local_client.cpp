// A tool in this process: trusted code.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "emulator/hooks/client.h"
#include "emulator/hooks/library.h"

namespace wedjat::hooks {
namespace {

class LocalClient final : public Client {
 public:
  LocalClient(const wedjat_tool& tool, Session session) : tool_(tool), session_(std::move(session)) {
    session_.report.tool = tool.name;
    session_.mutates = mutates_ = (tool.capabilities & WEDJAT_MUTATES) != 0;
    check_options(tool, session_.options);
    session_.creating = true;
    state_ = {tool_.create(&host_functions(), &session_),
              tool.destroy != nullptr ? tool.destroy : [](void*) {}};
    session_.creating = false;
    session_.check();
    if (state_ == nullptr) throw ToolError(fmt::format("tool {}: it could not be created", tool.name));
  }

  Plan subscribe(const wedjat_kernel& kernel) override {
    session_.subscribing = &kernel;
    if (tool_.kernel != nullptr) tool_.kernel(state_.get(), &kernel);
    session_.subscribing = nullptr;
    session_.check();
    define(kernel);
    return std::exchange(session_.plan, {});
  }
  bool wants_again(std::uint32_t kernel) override { return session_.resets.erase(kernel) != 0; }
  bool launch_begin(const wedjat_launch& launch) override {
    const bool watch = tool_.launch_begin == nullptr || tool_.launch_begin(state_.get(), &launch) != 0;
    session_.check();
    return watch;
  }
  void launch_end(const wedjat_launch& launch) override {
    if (tool_.launch_end != nullptr) tool_.launch_end(state_.get(), &launch);
    session_.check();
  }
  void call(const wedjat_call& call) override {
    if (tool_.call != nullptr) tool_.call(state_.get(), &call);
  }
  void module(const wedjat_module& module) override {
    if (tool_.module != nullptr) tool_.module(state_.get(), &module);
  }
  void graph_node(const wedjat_graph_node& node) override {
    if (tool_.graph_node != nullptr) tool_.graph_node(state_.get(), &node);
  }
  void memory(const wedjat_memory& memory) override {
    if (tool_.memory != nullptr) tool_.memory(state_.get(), &memory);
  }
  bool wants_ctas() const override { return tool_.cta_begin != nullptr || tool_.cta_end != nullptr; }
  bool wants_warps() const override { return tool_.warp_begin != nullptr || tool_.warp_end != nullptr; }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    return tool_.cta_begin == nullptr || tool_.cta_begin(state_.get(), &launch, cta) != 0;
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    if (tool_.cta_end != nullptr) tool_.cta_end(state_.get(), &launch, cta);
  }
  bool warp_begin(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp,
                  std::uint32_t lanes) override {
    return tool_.warp_begin == nullptr || tool_.warp_begin(state_.get(), &launch, cta, warp, lanes) != 0;
  }
  void warp_end(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp) override {
    if (tool_.warp_end != nullptr) tool_.warp_end(state_.get(), &launch, cta, warp);
  }
  void deliver(const Watch& watch, const wedjat_event& event) override {
    watch.handler(state_.get(), &event);
  }
  Report finish() override {
    if (tool_.finish != nullptr) tool_.finish(state_.get());
    return session_.finished();
  }
  std::vector<std::uint64_t>& counters() override { return session_.counters; }
  const std::deque<Definition>& definitions() const override { return session_.definitions; }

 private:
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
  std::unique_ptr<void, void (*)(void*)> state_{nullptr, nullptr};
};

}  // namespace

std::unique_ptr<Client> load_here(const wedjat_tool& tool, Session session) {
  return std::make_unique<LocalClient>(tool, std::move(session));
}

std::unique_ptr<Client> load_here(const std::string& library, Session session) {
  return load_here(open_library(library), std::move(session));
}

}  // namespace wedjat::hooks
