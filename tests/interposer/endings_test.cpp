// How recorded programs end, who records, and how many at once.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/interposer/recording.h"
#include "traces/format/state.h"

using namespace wedjat::traces;

TEST_CASE("a killed program leaves a readable trace that says so") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "kill")) == 137);
  const Trace trace = open_trace(folder.path() / "t");
  CHECK(!trace.manifest.clean_end);
  CHECK(trace.manifest.exit_signal == SIGKILL);
  CHECK(trace.events.size() == trace.manifest.events_numbered);
  const Calls calls = group_calls(trace);
  CHECK(trace.contents(*test::call_of(calls, "cuMemcpyDtoH_v2").payload("host_out")).size() == 16384);
}

TEST_CASE("what a killed program had copied is in the trace, however much") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "kill 4194304")) == 137);
  const Trace trace = open_trace(folder.path() / "t");
  std::size_t large = 0;
  for (const Event& event : trace.events) {
    if (event.name != "payload" && event.name != "host_delta") continue;
    CHECK_NOTHROW(trace.contents(event));
    large += event.number("size") == std::size_t{4} * 4'194'304;
  }
  CHECK(large >= 3);
}

TEST_CASE("of a killed program the call that a thread was in has not returned, and all others have") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "killed", WEDJAT_GIVEN_MEANWHILE_PROGRAM)) ==
        137);
  const Trace trace = open_trace(folder.path() / "t");
  const Calls calls = group_calls(trace);
  const Call& launch = test::call_of(calls, "cuLaunchKernel");
  CHECK(trace.manifest.open_calls == std::vector{launch.sequence()});
  for (const Call& call : calls.calls) CHECK((call.exit == nullptr) == (&call == &launch));
}

TEST_CASE("of a program that is killed right behind a copy the contents are there, or it is told that not") {
  const test::Folder folder;
  const auto path = folder.path() / "t";
  CHECK(test::run(test::record_command(path, "untold", WEDJAT_GIVEN_MEANWHILE_PROGRAM)) == 137);
  const Trace trace = open_trace(path);
  for (const std::string& flaw : trace.flaws) CHECK(flaw.find("missing") == flaw.npos);
  const Calls calls = group_calls(trace);
  const Call& copy = test::call_of(calls, "cuMemcpyDtoHAsync_v2", 49);
  REQUIRE(copy.attached.size() == 1);
  // Other threads take contents only where there are many processors.
  const bool untold = copy.attached[0]->name == "uncaptured";
  CHECK(trace.manifest.untold.size() == (untold ? 1 : 0));
  CHECK(untold != (copy.payload("host_out") != nullptr));

  Manifest manifest = read_manifest(path);
  manifest.untold[manifest.events_numbered++] = copy.sequence();
  write_manifest(path, manifest);
  const Trace cut = open_trace(path);
  for (const std::string& flaw : cut.flaws) CHECK(flaw.find("missing") == flaw.npos);
  const Calls cut_calls = group_calls(cut);
  const Event& last = *test::call_of(cut_calls, "cuMemcpyDtoHAsync_v2", 49).attached.back();
  CHECK(last.name == "uncaptured");
  CHECK(last.text("reason") == "the program was killed before they were written");
}

TEST_CASE("a program that leaves without its exit handlers") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "_exit 3")) == 3);
  CHECK(open_trace(folder.path() / "t").manifest.clean_end);
  CHECK(test::run(test::record_command(folder.path() / "u", "exit_group 3")) == 3);
  CHECK(!open_trace(folder.path() / "u").manifest.clean_end);
}

TEST_CASE("the end of a vfork's child is not its parent's") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "vfork")) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  CHECK(trace.manifest.whole());
  CHECK(trace.events.back().name == "process_end");
}

TEST_CASE("an interrupted program") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "interrupt")) == 130);
  CHECK(open_trace(folder.path() / "t").manifest.exit_signal == SIGINT);
}

TEST_CASE("a signal to the recorder reaches the program and the session is closed") {
  const test::Folder folder;
  const pid_t recorder = fork();
  if (recorder == 0) {
    const std::string command =
        "exec " + test::record_command(folder.path() / "t", "wait 60") + " >/dev/null 2>&1";
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  // The state says when the program made its first call; the folder comes first, then its file, then its
  // size.
  const auto has_begun = [state = folder.path() / "t/state"] {
    std::error_code error;
    return std::filesystem::file_size(state, error) == sizeof(StatePage) && !error &&
           map_state(state.parent_path(), false).processes_started.load() != 0;
  };
  for (int i = 0; i < 1000 && !has_begun(); ++i) usleep(20'000);
  usleep(300'000);
  kill(recorder, SIGTERM);
  int status = 0;
  waitpid(recorder, &status, 0);
  CHECK(WEXITSTATUS(status) == 143);
  const Trace trace = open_trace(folder.path() / "t");
  CHECK(trace.manifest.exit_signal == SIGTERM);
  CHECK(trace.manifest.events_discarded == 0);
}

TEST_CASE("both processes of a fork are recorded") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "fork")) == 0);
  const Trace trace = open_trace(folder.path() / "t");
  CHECK(trace.manifest.processes == 2);
  CHECK(trace.manifest.whole());
  CHECK(trace.flaws.empty());
  std::size_t ends = 0;
  for (const Event& event : trace.events) ends += event.name == "process_end";
  CHECK(ends == 2);
}

TEST_CASE("several recordings at once do not see each other") {
  const test::Folder folder;
  std::vector<std::thread> threads;
  std::vector<int> codes(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      codes[static_cast<std::size_t>(i)] =
          test::run(test::record_command(folder.path() / std::to_string(i), "exit " + std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) {
    CHECK(codes[static_cast<std::size_t>(i)] == i);
    const Trace trace = open_trace(folder.path() / std::to_string(i));
    CHECK(trace.manifest.whole());
    CHECK(trace.flaws.empty());
  }
}

TEST_CASE("an ordinary user records too") {
  if (geteuid() != 0) return;  // then all other cases show it
  const test::Folder folder;
  const std::string as_nobody =
      "cd /tmp && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent ";
  const auto installed = test::installed_for_everybody(folder.path());
  CHECK(test::run(as_nobody + test::record_command(folder.path() / "t", "exit 5", "", installed)) == 5);
  CHECK(open_trace(folder.path() / "t").manifest.whole());
}

TEST_CASE("what cannot be recorded is refused with its own exit codes") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "", "/nonexistent/program")) == 127);
  CHECK(test::run(test::record_command(folder.path(), "exit 0")) == 125);  // holds t already
  for (const std::string size : {"-3", "99999999999999999999999", "4XB"})
    CHECK(test::run(std::string(WEDJAT_RECORDER) + " record -o " + (folder.path() / "u").string() +
                    " --last-memory=" + size + " -- /bin/true") == 2);
}

TEST_CASE("cuGetProcAddress serves the same 637 functions as the symbols") {
  const test::Folder folder;
  CHECK(test::run(test::record_command(folder.path() / "t", "resolve")) == 0);
}
