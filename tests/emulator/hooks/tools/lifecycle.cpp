// Writes down every callback, one row each.
#include <wedjat/tool.hpp>

using namespace wedjat;

struct Lifecycle : Tool {
  Table log = table("log", "what number");
  std::uint32_t threads = counters();
  const bool zero = option("zero") == "1", again = option("again") == "1";

  void kernel(const wedjat_kernel& k) override {
    log.row("kernel", k.id);
    for (const auto& i : instructions(k)) count(i, WEDJAT_THREADS, threads);
    if (option("see") == "ctas")
      for (const auto& i : instructions(k)) before<&Lifecycle::on_event>(i);
  }
  void on_event(const Event& event) { log.row("event", event.cta * 100 + event.warp); }
  bool launch_begin(const wedjat_launch& launch) override {
    log.row("launch_begin", launch.index);
    if (again) reset(*launch.kernel);
    return launch.index != number("not", 1000);
  }
  void launch_end(const wedjat_launch&) override {
    log.row("launch_end", value(threads));
    if (zero) set(threads, 0);
  }
  bool cta_begin(const wedjat_launch&, std::uint64_t cta) override {
    log.row("cta_begin", cta);
    return cta != number("not_cta", 1000);
  }
  void cta_end(const wedjat_launch&, std::uint64_t cta) override { log.row("cta_end", cta); }
  bool warp_begin(const wedjat_launch&, std::uint64_t cta, std::uint32_t warp, std::uint32_t lanes) override {
    log.row("warp_begin", cta * 10000 + warp * 100 + lanes);
    return true;
  }
  void warp_end(const wedjat_launch&, std::uint64_t cta, std::uint32_t warp) override {
    log.row("warp_end", cta * 100 + warp);
  }
  void module(const wedjat_module& m) override { log.row(std::string("module ") + m.name, m.kernel_count); }
  void graph_node(const wedjat_graph_node& node) override {
    log.row(std::string("node ") + node.call, node.index);
  }
  void call(const wedjat_call& c) override {
    for (const auto& argument : arguments(c))
      if (std::string_view(argument.name) == "bytesize" && c.is_exit == 0)
        log.row(std::string(c.name) + " " + argument.text, argument.number);
    if (c.is_exit != 0 && c.status != 0) log.row("failed", static_cast<std::uint64_t>(c.status));
  }
  void memory(const wedjat_memory& m) override { log.row("memory", m.what); }
  void finish() override { log.row("finish", value(threads)); }
};
WEDJAT_TOOL(Lifecycle, "lifecycle", "writes down every callback",
            "not=a launch; not_cta=a CTA; zero=1: counters begin anew; again=1: subscribes anew; see=ctas")
