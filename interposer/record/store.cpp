#include "interposer/record/store.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include "traces/format/compress.h"
#include "traces/format/pack.h"
#include "traces/format/workers.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kMostStaged = std::size_t{256} << 20;

// A sixteenth of the machine's memory at most.
std::size_t staged_bytes() {
  const auto memory =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return std::min(kMostStaged, memory / 16);
}

unsigned thread_count() { return std::clamp(traces::usable_processors() / 2, 1u, 8u); }

}  // namespace

Store::Store(std::filesystem::path blobs, traces::StatePage& state)
    : blobs_(std::move(blobs)), state_(state), staging_(staged_bytes()) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the thread that forwards them
  for (unsigned i = 0; i < thread_count(); ++i) threads_.emplace_back([this, i] { run(i); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Store::~Store() { close(); }

void Store::close() {
  staging_.close();
  closing_.store(true);
  staging_.wake_takers();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Store::run(unsigned number) {
  // Memory that is there already is mapped faster by those who record.
  if (number == 0) staging_.populate();
  traces::Compressor compressor;
  int patience = 10;  // waits for who may have been killed while it staged
  const auto tell = [this](const std::exception& error) {
    if (failed_.exchange(true)) return;
    std::fprintf(stderr, "wedjat: %s\n", error.what());
    traces::add_trouble(state_, error.what());
  };
  try {
    traces::Pack file(blobs_, "recorder-" + std::to_string(number));
    for (;;) {
      const std::uint32_t filled = staging_.filled();
      const bool last = closing_.load();
      try {
        while (staging_.take(file, compressor)) {
        }
      } catch (const std::exception& error) {
        tell(error);
        continue;
      }
      if (last && (!staging_.filling() || --patience == 0)) return;
      staging_.wait_for_blobs(filled);
    }
  } catch (const std::exception& error) {
    tell(error);
  }
}

}  // namespace wedjat::interposer
