// A campaign of faults: README.md says its steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <map>
#include <memory>

#include "processes.hpp"
#include "site.hpp"

using namespace wedjat;
using namespace fault_injection;

struct FaultInjection : Tool {
  struct Group {  // what may be drawn: the lanes in which an instruction ran in a launch
    std::uint64_t launch;
    std::uint32_t kernel, instruction;
    std::uint64_t lanes;
  };
  struct Told {  // by a run
    bool injected;
    std::uint32_t thread, row;
    std::uint64_t cta;
    Change change;
    std::array<char, 96> failure;
  };
  struct Run {
    Site site;
    pid_t process = 0;
    int status = 0;
  };
  enum class Part { Count, Golden, Inject };

  const std::uint64_t runs_wanted = number("runs", 384), seed = number("seed", 1),
                      jobs = number("jobs", static_cast<std::uint64_t>(sysconf(_SC_NPROCESSORS_ONLN)));
  const std::string model = option("model", "bit"), group = option("group", "all");
  Part part = Part::Golden;
  int counts_pipe = -1;  // Count: where they go
  std::map<std::uint32_t, const wedjat_kernel*> kernels;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> counters_of;  // Count: kernel, instruction
  std::map<std::uint32_t, std::uint64_t> before;                                // Count: by counter
  std::uint64_t calls = 0, launches = 0, occurrence = 0, drawn_from = 0;
  double golden_seconds = 0;
  std::vector<Run> runs;
  std::size_t next = 0, running = 0, mine = 0;
  std::unique_ptr<SharedArray<Told>> told;

  FaultInjection() {
    const std::array<std::string_view, 4> models{"bit", "two", "random", "zero"};
    const std::array<std::string_view, 5> groups{"all", "fp32", "fp64", "load", "predicate"};
    if (std::ranges::find(models, model) == models.end())
      refuse("model is bit, two, random or zero");
    else if (std::ranges::find(groups, group) == groups.end())
      refuse("group is all, fp32, fp64, load or predicate");
    else if (runs_wanted == 0 || runs_wanted > 100000 || jobs == 0)
      refuse("runs is 1 to 100000, jobs 1 or more");
    else
      prepare();
  }

  // --- counting, in a process of its own

  void prepare() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return refuse("no pipe can be had");
    const double start = processor_seconds(RUSAGE_CHILDREN);
    const pid_t counting = fork_quietly(0);
    if (counting < 0) return refuse("no process can be had");
    if (counting == 0) {
      close(ends[0]);
      counts_pipe = ends[1];
      part = Part::Count;
      return;
    }
    close(ends[1]);
    std::vector<Group> groups;
    std::uint64_t saw_calls = 0;
    const bool whole = receive(ends[0], &saw_calls, sizeof saw_calls);
    for (Group g{}; whole && receive(ends[0], &g, sizeof g);) groups.push_back(g);
    close(ends[0]);
    int status = 0;
    waitpid(counting, &status, 0);
    golden_seconds = processor_seconds(RUSAGE_CHILDREN) - start;
    if (!whole || saw_calls == 0) return refuse("it needs a recording: wedjat replay");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      return refuse("the recording does not replay exactly as it is");
    draw(groups);
  }
  static bool receive(int from, void* to, std::size_t bytes) {
    for (std::size_t got = 0; got < bytes;) {
      const ssize_t n = ::read(from, static_cast<char*>(to) + got, bytes - got);
      if (n <= 0) return false;
      got += static_cast<std::size_t>(n);
    }
    return true;
  }
  static void send(int to, const void* from, std::size_t bytes) {
    for (std::size_t sent = 0; sent < bytes;) {
      const ssize_t n = ::write(to, static_cast<const char*>(from) + sent, bytes - sent);
      if (n <= 0) _exit(2);
      sent += static_cast<std::size_t>(n);
    }
  }
  void draw(const std::vector<Group>& groups) {
    for (const Group& g : groups) drawn_from += g.lanes;
    if (drawn_from == 0) return refuse("nothing of group '" + group + "' is executed");
    std::mt19937_64 random(seed);
    for (std::uint64_t r = 0; r < runs_wanted; ++r) {
      std::uint64_t at = std::uniform_int_distribution<std::uint64_t>(0, drawn_from - 1)(random);
      auto g = groups.begin();
      for (; at >= g->lanes; ++g) at -= g->lanes;
      runs.push_back({{g->launch, g->kernel, g->instruction, at, random()}});
    }
    std::ranges::stable_sort(runs, {}, [](const Run& run) { return run.site.launch; });
    told = std::make_unique<SharedArray<Told>>(runs.size());
  }

  // --- what each part watches

  void call(const wedjat_call&) override { ++calls; }
  void kernel(const wedjat_kernel& k) override {
    kernels[k.id] = &k;
    for (const auto& i : instructions(k)) {
      if (destinations(i).empty() || !belongs(i, group)) continue;
      if (part == Part::Count) {
        const std::uint32_t counter = counters_of[k.id][i.id] = counters();
        count(i, WEDJAT_EXECUTED, counter);
      } else if (std::ranges::any_of(runs, [&](const Run& r) {
                   return r.site.kernel == k.id && r.site.instruction == i.id;
                 })) {
        after<&FaultInjection::on_result>(i, WEDJAT_ROWS);
      }
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    if (part != Part::Golden) return part == Part::Count;
    for (; next < runs.size() && runs[next].site.launch == launch.index; ++next) {
      while (running >= jobs) wait_for_one();
      const pid_t child = fork_quietly(10 * golden_seconds);
      if (child < 0) {
        refuse("no process can be had");
        return false;
      }
      if (child == 0) {
        part = Part::Inject;
        mine = next;
        return true;
      }
      runs[next].process = child;
      ++running;
    }
    return false;
  }
  void launch_end(const wedjat_launch& launch) override {
    if (part == Part::Inject && launch.failure != nullptr)
      std::snprintf((*told)[mine].failure.data(), (*told)[mine].failure.size(), "%s", launch.failure);
    if (part != Part::Count) return;
    if (launches++ == 0) send(counts_pipe, &calls, sizeof calls);
    for (const auto& [instruction, counter] : counters_of[launch.kernel->id]) {
      const std::uint64_t now = value(counter);
      const Group g{launch.index, launch.kernel->id, instruction, now - before[counter]};
      if (g.lanes != 0) send(counts_pipe, &g, sizeof g);
      before[counter] = now;
    }
  }
  void on_result(const Event& event) {
    const Site& site = runs[mine].site;
    if (event.instruction->id != site.instruction || (*told)[mine].injected) return;
    const auto lanes = static_cast<std::uint64_t>(std::popcount(event.executed));
    if (site.occurrence >= occurrence + lanes) {
      occurrence += lanes;
      return;
    }
    std::uint32_t mask = event.executed;
    for (std::uint64_t skip = site.occurrence - occurrence; skip != 0; --skip) mask &= mask - 1;
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    std::mt19937_64 random(site.draw);
    const std::vector<Row> rows = destinations(*event.instruction);
    Told& to = (*told)[mine];
    to.row = static_cast<std::uint32_t>(random() % rows.size());
    to.cta = event.cta;
    to.thread = 32 * event.warp + lane;
    to.injected = true;
    to.change = put_in(event.rows[rows[to.row].index], rows[to.row].bits, lane, model, random);
  }

  // --- outcomes

  void wait_for_one() {
    int status = 0;
    while (true) {
      for (Run& run : runs)
        if (run.process > 0 && waitpid(run.process, &status, WNOHANG) == run.process) {
          run.status = status;
          run.process = -1;
          --running;
          return;
        }
      usleep(500);
    }
  }
  struct Outcome {
    const char* kind;
    std::string cause;
  };
  Outcome outcome(std::size_t r) {
    const int status = runs[r].status;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return {"DUE", "more than ten times the time"};
    if (WIFSIGNALED(status)) return {"DUE", std::string("signal ") + strsignal(WTERMSIG(status))};
    if (WEXITSTATUS(status) == 0) return {"masked", ""};
    if (WEXITSTATUS(status) == 1) return {"SDC", ""};
    std::string cause((*told)[r].failure.data());
    return {"DUE", cause.substr(0, cause.find('\n'))};
  }
  void finish() override {
    if (part != Part::Golden || told == nullptr) return;
    while (running != 0) wait_for_one();
    std::map<std::string, std::uint64_t> by_kind{{"masked", 0}, {"SDC", 0}, {"DUE", 0}};
    Table outcomes = table("outcomes", "outcome runs percent error_percent");
    Table sites =
        table("runs", "launch kernel place instruction cta thread register bit before after outcome cause");
    std::uint64_t done = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (runs[r].process != -1) continue;
      const Outcome what = outcome(r);
      ++by_kind[what.kind];
      ++done;
      const Told& t = (*told)[r];
      const wedjat_instruction& at = kernels.at(runs[r].site.kernel)->instructions[runs[r].site.instruction];
      sites.row(runs[r].site.launch, kernels.at(runs[r].site.kernel)->name, place(at), at.text, t.cta,
                t.thread, destinations(at)[t.row].name, t.change.bit, hex(t.change.before),
                hex(t.change.after), what.kind, what.cause);
    }
    for (const auto& [kind, n] : by_kind) {
      const double p = done == 0 ? 0 : static_cast<double>(n) / static_cast<double>(done);
      outcomes.row(kind, n, 100 * p,
                   done == 0 ? 0 : 196 * std::sqrt(p * (1 - p) / static_cast<double>(done)));
    }
    table("campaign", "runs results_drawn_from seed").row(done, drawn_from, seed);
  }
  static std::string hex(std::uint64_t n) {
    std::array<char, 20> text;
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(n));
    return text.data();
  }
};
WEDJAT_TOOL(
    FaultInjection, "fault_injection", "a campaign of bit flips: masked, silent corruption or detected error",
    "runs=how many (384); seed= (1); model=bit, two, random or zero (bit); group=all, fp32, fp64, load or "
    "predicate (all); jobs=at once (all cores)",
    WEDJAT_MUTATES)
