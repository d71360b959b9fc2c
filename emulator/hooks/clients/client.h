// A tool as the rest of hooks/ sees it: in this process or in another.
#pragma once
#include <memory>
#include <string>

#include "emulator/hooks/clients/child_output.h"
#include "emulator/hooks/inspection/instrumented.h"

namespace wedjat::hooks {

class Client {
 public:
  virtual ~Client() = default;

  virtual Plan subscribe(const wedjat_kernel& kernel) = 0;
  virtual bool launch_begin(const wedjat_launch& launch) = 0;
  virtual void launch_end(const wedjat_launch& launch) = 0;
  /// Whether it wants to subscribe anew to this kernel; asked once.
  virtual bool wants_again(std::uint32_t kernel) = 0;
  virtual void call(const wedjat_call& call) = 0;
  virtual void module(const wedjat_module& module) = 0;
  virtual void graph_node(const wedjat_graph_node& node) = 0;
  virtual void memory(const wedjat_memory& memory) = 0;
  virtual bool wants_ctas() const = 0;
  virtual bool wants_warps() const = 0;
  virtual bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) = 0;
  virtual void cta_end(const wedjat_launch& launch, std::uint64_t cta) = 0;
  virtual bool warp_begin(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp,
                          std::uint32_t lanes) = 0;
  virtual void warp_end(const wedjat_launch& launch, std::uint64_t cta, std::uint32_t warp) = 0;
  virtual void deliver(const Watch& watch, const wedjat_event& event) = 0;
  /// The last thing it is asked. Throws ToolError if the tool refused.
  virtual Report finish() = 0;
  virtual std::vector<std::uint64_t>& counters() = 0;
  virtual const std::deque<Definition>& definitions() const = 0;
  /// Of functions that it wants inlined; null: there is none.
  virtual std::shared_ptr<const std::string> bitcode() const { return nullptr; }

  bool mutates() const { return mutates_; }
  bool checks() const { return checks_; }
  /// What it is called for while a launch runs comes from so many.
  Threads threads() const { return threads_; }
  /// In spite of that, the launch that began last.
  bool wants_one_at_a_time() const { return one_at_a_time_; }

 protected:
  bool mutates_ = false, checks_ = false, one_at_a_time_ = false;
  Threads threads_ = Threads::one;
};

std::unique_ptr<Client> load_here(const wedjat_tool& tool, Session session);

/// `library`: path of the shared object. Throws ToolError.
std::unique_ptr<Client> load_here(const std::string& library, Session session);

/// The same tool in a process of its own; also takes the options `pressure=block|drop` and `timeout=SECONDS`.
/// What it prints goes to `print`.
std::unique_ptr<Client> load_isolated(const std::string& library, Session session, Print print);

}  // namespace wedjat::hooks
