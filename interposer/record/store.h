// What the recorded processes stage is compressed and written here, by threads of the recorder.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "traces/format/staging.h"
#include "traces/format/state.h"

namespace wedjat::interposer {

class Store {
 public:
  // Throws std::system_error or FormatError. Blobs that cannot be written are reported as trouble in `state`.
  Store(std::filesystem::path blobs, traces::StatePage& state);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::string staging() const { return staging_.path(); }

  // Writes what is left. No recorded process may stage any more; one that does stores its blobs itself.
  void close();

 private:
  void run(unsigned number);

  const std::filesystem::path blobs_;
  traces::StatePage& state_;
  traces::Staging staging_;
  std::atomic<bool> closing_{false};
  std::atomic<bool> failed_{false};
  std::vector<std::thread> threads_;
};

}  // namespace wedjat::interposer
