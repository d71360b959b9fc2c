// A private LTTng daemon with one recording session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "interposer/record/buffers.h"
#include "interposer/record/installation.h"

namespace wedjat::interposer {

class Session {
 public:
  // Starts daemon and session; events go to `events`. Throws std::runtime_error with what the LTTng tool
  // said.
  Session(const Installation& installation, const std::filesystem::path& events, const Buffers& buffers);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // What the recorded program needs in its environment to find the daemon and never to drop an event.
  Environment program_environment() const;

  // Ends the session. Returns how many events were dropped, -1 if LTTng does not say.
  std::int64_t close();

 private:
  std::string lttng(const std::vector<std::string>& arguments, int seconds) const;
  Environment tool_environment() const;
  void create_session(const std::filesystem::path& events) const;
  void stop_daemon();

  const Installation installation_;
  std::filesystem::path home_;  // the daemon's sockets and log
  pid_t daemon_ = -1;
  bool open_ = false;
  bool stopped_ = false;  // every event is where it belongs
};

}  // namespace wedjat::interposer
