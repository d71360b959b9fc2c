// What traces of launches share: kernels with their sites, launches, and where a site ran. README.md says
// the format.
#pragma once
#include <limits>
#include <utility>

#include "trace_file.hpp"

namespace trace_file {

enum Tag : std::uint8_t { end, kernel, launch };

/// Something that an instruction does, time and again.
template <class Site>
struct Kernel {
  std::string name;
  std::vector<Site> sites;
};

/// Where a site ran.
struct Place {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0, mask = 0;
  std::size_t site = 0;
};

/// Bits in the first byte of its record: CTA and warp follow (else they are those of the record before), the
/// mask follows (else all 32 lanes).
struct PlaceBits {
  unsigned elsewhere, masked;
};

class LaunchPacker {
 public:
  LaunchPacker(const std::string& file, const Magic& magic, PlaceBits bits)
      : out_(file, magic), bits_(bits) {}
  bool good() const { return out_.good(); }
  /// A launch of kernel `kernel`.
  void begin(std::uint64_t index, std::uint64_t kernel) {
    out_.begin();
    out_.byte(launch);
    out_.number(index);
    out_.number(kernel);
    cta_ = warp_ = nowhere;
  }
  /// Whether all of it is in the file.
  bool finish() {
    out_.begin();
    out_.byte(end);
    return out_.finish();
  }

 protected:
  /// write(site) for each of its sites.
  template <class Site, class Write>
  void add_kernel(std::uint64_t number, const Kernel<Site>& what, Write write) {
    out_.begin();
    out_.byte(kernel);
    out_.number(number);
    out_.text(what.name);
    out_.number(what.sites.size());
    for (const Site& site : what.sites) {
      out_.begin();
      write(site);
    }
  }
  void begin_record(unsigned tag, const Place& at) {
    const bool moved = at.cta != cta_ || at.warp != warp_;
    out_.begin();
    out_.byte(tag | (moved ? bits_.elsewhere : 0u) | (at.mask != ~0u ? bits_.masked : 0u));
    if (moved) {
      out_.number(cta_ = at.cta);
      out_.number(warp_ = at.warp);
    }
    out_.number(at.site);
    if (at.mask != ~0u) out_.number(at.mask);
  }
  Packer out_;

 private:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
  PlaceBits bits_;
  std::uint64_t cta_ = nowhere, warp_ = nowhere;
};

template <class Site>
class LaunchUnpacker {
 public:
  LaunchUnpacker(std::string file, const Magic& magic, const char* kind, PlaceBits bits)
      : in_(std::move(file), magic, kind), bits_(bits) {}
  std::uint64_t launch_index() const { return launch_; }
  const Kernel<Site>& running() const { return kernels_[running_]; }
  const Site& site(const Place& of) const { return running().sites[of.site]; }

 protected:
  /// The first byte of the next record of a site; `end` behind the last. read(site) reads one of a kernel,
  /// begin() is told that a launch begins.
  template <class Read, class Begin>
  std::uint8_t next_record(Read read, Begin begin) {
    for (;;) {
      const std::uint8_t tag = in_.byte();
      if (tag == kernel) {
        read_kernel(read);
      } else if (tag == launch) {
        launch_ = in_.number();
        running_ = in_.number_below(kernels_.size());
        launched_ = begins_ = true;
        begin();
      } else {
        return tag;
      }
    }
  }
  void read_place(unsigned tag, Place& to) {
    if (!launched_) in_.fail("holds a record that belongs to no launch");
    if (std::exchange(begins_, false)) to.cta = to.warp = 0;
    if (tag & bits_.elsewhere) {
      to.cta = in_.number();
      to.warp = in_.number32();
    }
    to.site = in_.number_below(running().sites.size());
    to.mask = tag & bits_.masked ? in_.number32() : ~0u;
    if (to.mask == 0) in_.fail("holds a record of no lane");
  }
  Unpacker in_;

 private:
  template <class Read>
  void read_kernel(Read read) {
    if (in_.number() != kernels_.size()) in_.fail("names its kernels out of order");
    Kernel<Site>& to = kernels_.emplace_back();
    to.name = in_.text();
    for (std::uint64_t left = in_.number(); left != 0; --left) read(to.sites.emplace_back());
  }

  PlaceBits bits_;
  std::vector<Kernel<Site>> kernels_;
  std::uint64_t launch_ = 0, running_ = 0;
  bool launched_ = false, begins_ = false;
};

}  // namespace trace_file
