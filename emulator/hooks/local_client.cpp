// A tool in this process: trusted code.
#include <fmt/format.h>

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
    state_ = tool_.create(&host_functions(), &session_);
    session_.check();
    if (state_ == nullptr) throw ToolError(fmt::format("tool {}: it could not be created", tool.name));
  }
  ~LocalClient() override {
    if (tool_.destroy != nullptr && state_ != nullptr) tool_.destroy(state_);
  }

  Plan subscribe(const wedjat_kernel& kernel) override {
    if (tool_.kernel == nullptr) return {};
    session_.subscribing = &kernel;
    tool_.kernel(state_, &kernel);
    session_.subscribing = nullptr;
    session_.check();
    return std::exchange(session_.plan, {});
  }
  bool launch_begin(const wedjat_launch& launch) override {
    const bool watch = tool_.launch_begin == nullptr || tool_.launch_begin(state_, &launch) != 0;
    session_.check();
    return watch;
  }
  void launch_end(const wedjat_launch& launch) override {
    if (tool_.launch_end != nullptr) tool_.launch_end(state_, &launch);
    session_.check();
  }
  void call(const wedjat_call& call) override {
    if (tool_.call != nullptr) tool_.call(state_, &call);
  }
  void memory(const wedjat_memory& memory) override {
    if (tool_.memory != nullptr) tool_.memory(state_, &memory);
  }
  bool wants_ctas() const override { return tool_.cta != nullptr; }
  void cta(const wedjat_launch& launch, std::uint64_t cta, bool is_end) override {
    tool_.cta(state_, &launch, cta, is_end);
  }
  void deliver(const Watch& watch, const wedjat_event& event) override { watch.handler(state_, &event); }
  Report finish() override {
    if (tool_.finish != nullptr) tool_.finish(state_);
    return session_.finished();
  }
  std::vector<std::uint64_t>& counters() override { return session_.counters; }

 private:
  const wedjat_tool& tool_;
  Session session_;
  void* state_ = nullptr;
};

}  // namespace

std::unique_ptr<Client> load_here(const wedjat_tool& tool, Session session) {
  return std::make_unique<LocalClient>(tool, std::move(session));
}

std::unique_ptr<Client> load_here(const std::string& library, Session session) {
  return load_here(open_library(library), std::move(session));
}

}  // namespace wedjat::hooks
