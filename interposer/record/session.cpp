#include "interposer/record/session.h"

#include <poll.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wedjat::interposer {
namespace {
namespace fs = std::filesystem;

constexpr const char* kSession = "wedjat";
constexpr const char* kChannel = "calls";
// A full buffer makes the program wait; if the consumer died it must go on some day.
constexpr const char* kBlockingMicroseconds = "30000000";
constexpr int kSetupSeconds = 60;
constexpr int kLookMilliseconds = 2;
constexpr int kFlushSeconds = 600;  // the buffers go to a disk that may be slow

// Short: the path of a socket below it may have 107 characters.
fs::path make_home() {
  char name[] = "/tmp/wedjat-XXXXXX";
  if (::mkdtemp(name) == nullptr)
    throw std::runtime_error(std::string("/tmp: cannot make a folder: ") + std::strerror(errno));
  return name;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sum of all <discarded_events> of LTTng's XML, -1 if there is none.
std::int64_t sum_discarded(const std::string& xml) {
  static const std::string kTag = "<discarded_events>";
  std::int64_t sum = -1;
  for (std::size_t at = xml.find(kTag); at != std::string::npos; at = xml.find(kTag, at + 1)) {
    sum = (sum < 0 ? 0 : sum) + std::strtoll(xml.c_str() + at + kTag.size(), nullptr, 10);
  }
  return sum;
}

}  // namespace

Session::Session(const Installation& installation, const fs::path& events, const Buffers& buffers)
    : installation_(installation), home_(make_home()) {
  try {
    std::vector<std::string> daemon = {installation_.sessiond, "--no-kernel", "--group=root"};
    if (!installation_.consumerd.empty()) daemon.push_back("--consumerd64-path=" + installation_.consumerd);
    if (!installation_.libraries.empty()) daemon.push_back("--consumerd64-libdir=" + installation_.libraries);
    daemon_ = start_daemon(daemon, tool_environment(), home_ / "sessiond.log");
    create_session(events);
    open_ = true;
    lttng({"enable-channel", "--userspace", "--session", kSession, "--buffers-uid", "--discard",
           "--subbuf-size=" + std::to_string(buffers.size), "--num-subbuf=" + std::to_string(buffers.count),
           std::string("--blocking-timeout=") + kBlockingMicroseconds, kChannel},
          kSetupSeconds);
    lttng({"add-context", "--userspace", "--session", kSession, "--channel", kChannel, "--type=vpid",
           "--type=vtid"},
          kSetupSeconds);
    lttng({"enable-event", "--userspace", "--session", kSession, "--channel", kChannel, "wedjat_*"},
          kSetupSeconds);
    lttng({"start", kSession}, kSetupSeconds);
  } catch (...) {
    stop_daemon();
    throw;
  }
}

Session::~Session() {
  try {
    close();
  } catch (const std::exception&) {
    // The daemon is gone; the trace holds what it wrote.
  }
  stop_daemon();
}

Environment Session::tool_environment() const {
  Environment environment = installation_.tools;
  environment["LTTNG_HOME"] = home_.string();
  return environment;
}

Environment Session::program_environment() const {
  return {{"LTTNG_HOME", home_.string()},
          {"LTTNG_UST_ALLOW_BLOCKING", "1"},
          {"LTTNG_UST_REGISTER_TIMEOUT", "30000"}};
}

std::string Session::lttng(const std::vector<std::string>& arguments, int seconds) const {
  std::vector<std::string> command = {installation_.lttng, "--no-sessiond"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Finished finished = run_and_wait(command, tool_environment(), seconds);
  if (finished.status != 0) {
    throw std::runtime_error("lttng " + arguments[0] + " failed: " + finished.output +
                             read_text(home_ / "sessiond.log"));
  }
  return finished.output;
}

// The daemon makes its socket before it listens there.
void Session::create_session(const fs::path& events) const {
  const fs::path socket = home_ / ".lttng/client-lttng-sessiond";
  std::string said;
  for (int waited = 0; waited < 10'000 && !ended(daemon_, 0); waited += kLookMilliseconds) {
    if (fs::exists(socket)) {
      const Finished finished = run_and_wait(
          {installation_.lttng, "--no-sessiond", "create", kSession, "--output=" + events.string()},
          tool_environment(), kSetupSeconds);
      if (finished.status == 0) return;
      said = finished.output;
    }
    ::poll(nullptr, 0, kLookMilliseconds);
  }
  throw std::runtime_error("lttng-sessiond did not start: " + said + read_text(home_ / "sessiond.log"));
}

std::int64_t Session::close() {
  if (!open_) return -1;
  open_ = false;
  lttng({"stop", kSession}, kFlushSeconds);
  const std::int64_t discarded = sum_discarded(lttng({"--mi=xml", "list", kSession}, kSetupSeconds));
  stopped_ = true;
  return discarded;
}

void Session::stop_daemon() {
  if (daemon_ > 0 && !ended(daemon_, 0)) {
    // Once `lttng stop` has returned all events are in their files. An orderly end has nothing more to do,
    // and takes half a second to find that out.
    if (!stopped_) ::kill(daemon_, SIGTERM);
    if (stopped_ || !ended(daemon_, 10'000)) {
      ::kill(-daemon_, SIGKILL);  // with its consumer
      ended(daemon_, 1000);
    }
  }
  daemon_ = -1;
  std::error_code error;
  fs::remove_all(home_, error);
}

}  // namespace wedjat::interposer
