// What reaches a terminal, a file and a full disk.
#include <doctest/doctest.h>
#include <pty.h>

#include <csignal>
#include <string>

#include "tests/cli/command.h"

namespace {

// Prints "A\x1b[2JB\n".
constexpr const char* prints = R"(.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[8] = {65, 27, 91, 50, 74, 66, 10, 0};
.visible .entry k()
{
  .reg .b64 %rd<4>; .reg .b32 %r<2>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  mov.u64 %rd3, 0;
  { .param .b64 p0; .param .b64 p1; .param .b32 q;
    st.param.b64 [p0], %rd2; st.param.b64 [p1], %rd3;
    call.uni (q), vprintf, (p0, p1);
    ld.param.b32 %r1, [q]; }
  ret;
}
)";

// As a shell at a terminal runs it.
std::string at_terminal(const std::string& command) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string output;
  char buffer[4096];
  for (ssize_t got; (got = read(terminal, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(got));
  waitpid(child, nullptr, 0);
  close(terminal);
  return output;
}

}  // namespace

TEST_CASE("what a kernel prints goes to a pipe as it is, and cannot move a terminal's cursor") {
  const Folder folder;
  const std::string run = " run " + folder.file("p.ptx", prints) + " --entry k --grid 1 --block 1";
  CHECK(wedjat(run).output.find("A\x1b[2JB\n") == 0);
  const std::string seen = at_terminal(WEDJAT_COMMAND + run);
  CHECK(seen.find("A\\x1b[2JB") != std::string::npos);
  CHECK(seen.find("\x1b[2J") == std::string::npos);
}

TEST_CASE("arguments and names come back harmless") {
  for (const char* arguments : {"\"$(printf '\\033[2J')\"", "info \"$(printf '/no/\\033]0;t\\007')\"",
                                "replay \"$(printf '/no/\\302\\233x')\""}) {
    INFO(arguments);
    const Outcome outcome = wedjat(arguments);
    CHECK(outcome.code != 0);
    CHECK(outcome.output.find('\x1b') == std::string::npos);
    CHECK(outcome.output.find('\x07') == std::string::npos);
    CHECK(outcome.output.find("\xc2\x9b") == std::string::npos);
    CHECK(outcome.output.find("\\x") != std::string::npos);
  }
}

TEST_CASE("streams that take nothing") {
  const std::string command = WEDJAT_COMMAND;
  CHECK(shell(command + " --help > /dev/full").code == 3);
  CHECK(shell(command + " replay --help > /dev/full").code == 3);
  CHECK(shell(command + " --version > /dev/full").code == 3);
  CHECK(shell(command + " tools > /dev/full").code == 3);
  CHECK(shell(command + " replay /no/such 2> /dev/full").code == 3);
  CHECK(shell(command + " replay /no/such 2>&-").code == 3);
  CHECK(shell(command + " --no-such 2> /dev/full").code == 2);
}

TEST_CASE("files that cannot be written are 3") {
  const Folder folder;
  const std::string trace = std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/saxpy.tar.zst";
  CHECK(wedjat("regress " + trace + " --junit /no/such/x").code == 3);
  CHECK(wedjat("regress " + trace + " --html /no/such/x").code == 3);
  CHECK(shell("cd " + folder.path.string() + " && mkdir t && tar -C t --zstd -xf " + trace + " && " +
              WEDJAT_COMMAND + " pack t -o /no/such/x")
            .code == 3);
  CHECK(shell("cd " + folder.path.string() + " && " + WEDJAT_COMMAND + " pack t -o t/x.tar.zst").code == 2);
  const Outcome packed =
      shell("cd " + folder.path.string() + " && touch t/notes.txt && " + WEDJAT_COMMAND + " pack t 2>&1");
  CHECK(packed.code == 0);
  CHECK(packed.output.find("t/notes.txt is no part of a trace, and was left out") != std::string::npos);
}

TEST_CASE("signals take temporary folders away, and end the program as they would") {
  const Folder folder;
  const std::string trace = std::string(WEDJAT_SOURCE_DIR) + "/traces/regression/rodinia/leukocyte.tar.zst";
  constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  for (const int signal : signals) {
    const pid_t child = fork();
    if (child == 0) {
      for (const int one : signals) std::signal(one, SIG_DFL);
      setenv("TMPDIR", folder.path.c_str(), 1);
      execl(WEDJAT_COMMAND, "wedjat", "replay", trace.c_str(), nullptr);
      _exit(127);
    }
    const auto is_empty = [&] { return std::filesystem::is_empty(folder.path); };
    for (int i = 0; i < 3000 && is_empty(); ++i) usleep(10'000);
    REQUIRE(!is_empty());
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK((WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128) == signal);
    CHECK(is_empty());
  }
}

TEST_CASE("a signal that comes as a temporary folder is made leaves none") {
  const Folder folder;
  const std::string trace = std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/saxpy.tar.zst";
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);
      setenv("TMPDIR", folder.path.c_str(), 1);
      execl(WEDJAT_COMMAND, "wedjat", "replay", trace.c_str(), nullptr);
      _exit(127);
    }
    bool ended = false;
    while (!(ended = waitpid(child, nullptr, WNOHANG) == child) && std::filesystem::is_empty(folder.path)) {
    }
    if (!ended) kill(child, SIGINT);
    if (!ended) waitpid(child, nullptr, 0);
    CHECK(std::filesystem::is_empty(folder.path));
  }
}

TEST_CASE("a tool that ends the run leaves no temporary folder") {
  const Folder folder;
  const std::string source = folder.file("ends.c",
                                         "#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                                         "__attribute__((constructor)) static void early(void) {\n"
                                         "  if (getenv(\"ENDS\")[0] == 'k') kill(getpid(), SIGKILL);\n"
                                         "  _exit(0);\n}\n");
  const std::string library = (folder.path / "ends.so").string();
  REQUIRE(shell("cc -shared -fPIC -w " + source + " -o " + library).code == 0);
  const std::filesystem::path temporary = folder.path / "temporary";
  std::filesystem::create_directory(temporary);
  for (const std::string how : {"kill", "exit"}) {
    CHECK(shell("ENDS=" + how + " TMPDIR=" + temporary.string() + " " + WEDJAT_COMMAND + " replay " +
                WEDJAT_SOURCE_DIR + "/traces/samples/saxpy.tar.zst --tool " + library)
              .code == 7);
    CHECK(std::filesystem::is_empty(temporary));
  }
}
