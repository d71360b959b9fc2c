// Memory that recorded processes and the recorder share, where blobs wait to be compressed and written. The
// recorded process only copies; what it staged outlives it. Its size is fixed: who finds no room waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

#include "traces/format/blob_record.h"
#include "traces/format/compress.h"
#include "traces/format/known_keys.h"
#include "traces/format/pack.h"

namespace wedjat::traces {

class Staging {
 public:
  // New memory with room for `bytes`, that other processes find under path(). The caller is who takes from
  // it. Throws std::system_error.
  explicit Staging(std::size_t bytes);
  // The memory of another process. Throws std::system_error if it cannot be had.
  explicit Staging(const std::string& path);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  std::string path() const;

  KnownKeys& known() const;

  // Has the memory that nearly all blobs go through mapped: nothing staged there takes a page fault.
  void populate();

  // Copies at most kPiece bytes. False if nobody takes any more: the caller must store them itself.
  bool stage(const BlobHeader& header, std::span<const std::byte> raw);

  // Takes one blob out, if there is one, and appends it to `pack`, compressed if that pays. Throws what
  // Pack::append throws; the blob is lost then.
  bool take(Pack& pack, Compressor& compressor);
  // Returns when there may be some: when filled() is no longer what it was, and every so often.
  void wait_for_blobs(std::uint32_t filled);
  std::uint32_t filled() const;
  void wake_takers();
  bool taker_is_alive() const;

  void close();          // from here on nothing can be staged
  bool filling() const;  // but for what is being copied at this moment

 private:
  struct Control;
  struct Slot;
  void map(std::size_t bytes);
  Slot* free_slot();

  int file_ = -1;
  std::size_t bytes_ = 0;
  Control* control_ = nullptr;
  std::atomic<bool> abandoned_{false};  // waited for in vain
};

}  // namespace wedjat::traces
