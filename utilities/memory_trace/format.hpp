// The memory trace: README.md tells the format. Writer and reader of its records.
#pragma once
#include <bit>
#include <limits>

#include "utilities/trace_file/trace_file.hpp"

namespace memory_trace {

inline constexpr trace_file::Magic magic = {'W', 'J', 'M', 'T', 'R', 'C', '0', '3'};

/// One access of one instruction: the same for all its records.
struct Site {
  std::uint32_t instruction = 0, bytes = 0, ptx_line = 0;  // bytes 0: each access says it for each lane
  std::uint8_t space = 0, kind = 0;                        // wedjat_space; 1 reads, 2 writes, 4 atomic
  std::string text;
};

struct Kernel {
  std::string name;
  std::vector<Site> sites;
};

struct Access {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0, mask = 0;
  std::size_t site = 0;
  std::array<std::uint64_t, 32> address{};
  std::array<std::uint32_t, 32> bytes{};
};

enum Tag : std::uint8_t {
  end,
  kernel,
  launch,
  access = 16,
  strided = 1,
  elsewhere = 2,
  masked = 4,
  repeated = 8
};
inline constexpr unsigned tile = 0;  // in the place of a width of differences

/// Of a site, within a launch: its last access, as far as the next is told by the difference to it.
struct Last {
  std::uint64_t address = 0, difference = 0, stride = 0;
};

class Writer {
 public:
  explicit Writer(const std::string& file) : out_(file, magic) {}
  bool good() const { return out_.good(); }

  void add(std::uint64_t number, const Kernel& what) {
    out_.begin();
    out_.byte(kernel);
    out_.number(number);
    out_.text(what.name);
    out_.number(what.sites.size());
    if (number >= sites_.size()) sites_.resize(number + 1);
    sites_[number].clear();
    for (const Site& site : what.sites) {
      sites_[number].push_back(site.bytes == 0);
      out_.begin();
      for (const std::uint64_t n : {site.instruction, site.bytes, site.ptx_line}) out_.number(n);
      out_.byte(site.space);
      out_.byte(site.kind);
      out_.text(site.text);
    }
  }
  void begin(std::uint64_t index, std::uint64_t kernel) {
    out_.begin();
    out_.byte(launch);
    out_.number(index);
    out_.number(kernel);
    running_ = &sites_.at(kernel);
    last_.assign(running_->size(), {});
    cta_ = warp_ = nowhere;
  }
  /// `bytes`: of each lane, where the site does not say them.
  void add(std::uint64_t cta, std::uint32_t warp, std::size_t site, std::uint32_t mask,
           const std::uint64_t* address, const std::uint32_t* bytes = nullptr) {
    add_place(cta, warp, site, mask, address);
    if ((*running_)[site])
      for (std::uint32_t m = mask; m != 0; m &= m - 1) out_.number(bytes[std::countr_zero(m)]);
  }
  /// Whether all of it is in the file.
  bool finish() {
    out_.begin();
    out_.byte(end);
    return out_.finish();
  }

 private:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
  void add_place(std::uint64_t cta, std::uint32_t warp, std::size_t site, std::uint32_t mask,
                 const std::uint64_t* address) {
    std::array<std::uint64_t, 32> there;  // of the lanes of the mask only
    unsigned lanes = 32;
    if (mask != ~0u) {
      lanes = 0;
      for (std::uint32_t m = mask; m != 0; m &= m - 1) there[lanes++] = address[std::countr_zero(m)];
      address = there.data();
    }
    const std::uint64_t stride = lanes == 1 ? 0 : address[1] - address[0];
    const bool is_strided =
        lanes == 32 ? evenly_spaced(address, stride) : evenly_spaced(address, stride, lanes);
    Last& last = last_[site];
    const std::uint64_t difference = address[0] - last.address;
    last.address = address[0];
    const bool is_repeated = is_strided && difference == last.difference && stride == last.stride;
    last.difference = difference;
    out_.begin();
    out_.byte(access | (is_strided ? strided : 0u) | (is_repeated ? repeated : 0u) |
              (cta != cta_ || warp != warp_ ? elsewhere : 0u) | (mask != ~0u ? masked : 0u));
    if (cta != cta_ || warp != warp_) {
      out_.number(cta_ = cta);
      out_.number(warp_ = warp);
    }
    out_.number(site);
    if (mask != ~0u) out_.number(mask);
    if (is_repeated) return;
    out_.difference(difference);
    if (is_strided) return out_.difference(last.stride = stride);
    if (const unsigned width = mask == ~0u ? tile_width(address) : 0) {
      out_.byte(tile);
      out_.byte(width);
      out_.difference(last.stride = stride);
      return out_.difference(address[width] - address[0]);
    }
    std::array<std::uint64_t, 32> apart;
    std::uint64_t width = 0;
    for (unsigned l = 0; l + 1 < lanes; ++l)
      width |= apart[l] = trace_file::zigzag(address[l + 1] - address[l]);
    if (width >> 8 == 0) return list<std::uint8_t>(apart, lanes - 1);
    if (width >> 16 == 0) return list<std::uint16_t>(apart, lanes - 1);
    if (width >> 32 == 0) return list<std::uint32_t>(apart, lanes - 1);
    list<std::uint64_t>(apart, lanes - 1);
  }
  static bool evenly_spaced(const std::uint64_t* address, std::uint64_t stride, unsigned lanes) {
    for (unsigned l = 1; l < lanes; ++l)
      if (address[l] - address[l - 1] != stride) return false;
    return true;
  }
  // Of all 32 lanes, eight at a time: lanes `stride` apart, and rows of 2^log of them `rows` apart.
  static bool is_tile(const std::uint64_t* address, std::uint64_t stride, unsigned log, std::uint64_t rows) {
    using Eight = std::uint64_t __attribute__((vector_size(64)));
    constexpr Eight count_up{0, 1, 2, 3, 4, 5, 6, 7};
    Eight apart{};
    for (unsigned g = 0; g < 4; ++g) {
      const Eight lane = count_up + std::uint64_t{8} * g;
      Eight there;
      std::memcpy(&there, address + 8 * g, sizeof there);
      const Eight column = lane & ((std::uint64_t{1} << log) - 1), row = lane >> std::uint64_t{log};
      apart |= there ^ (column * stride + row * rows + address[0]);
    }
    std::uint64_t any = 0;
    for (int i = 0; i < 8; ++i) any |= apart[i];
    return any == 0;
  }
  static bool evenly_spaced(const std::uint64_t* address, std::uint64_t stride) {
    return is_tile(address, stride, 5, 0);
  }
  // Lanes in a row, if all rows are alike: 16, 8 or 4; else 0.
  static unsigned tile_width(const std::uint64_t* address) {
    for (const unsigned log : {4u, 3u, 2u})
      if (is_tile(address, address[1] - address[0], log, address[1u << log] - address[0])) return 1u << log;
    return 0;
  }
  template <class T>
  void list(const std::array<std::uint64_t, 32>& apart, unsigned count) {
    std::array<T, 32> narrow;
    for (unsigned l = 0; l < count; ++l) narrow[l] = static_cast<T>(apart[l]);
    out_.byte(sizeof(T));
    out_.bytes(narrow.data(), sizeof(T) * count);
  }

  trace_file::Packer out_;
  std::vector<std::vector<bool>> sites_;  // by kernel: whether accesses say their bytes
  const std::vector<bool>* running_ = nullptr;
  std::vector<Last> last_;  // by site of the running kernel
  std::uint64_t cta_ = nowhere, warp_ = nowhere;
};

/// Throws std::runtime_error naming the file if it is no memory trace or is damaged.
class Reader {
 public:
  explicit Reader(std::string file) : in_(std::move(file), magic, "memory trace") {}

  /// Next access, with launch() and kernel() it belongs to; false at the end.
  bool next(Access& to) {
    for (;;) {
      const std::uint8_t tag = in_.byte();
      if (tag == end) return false;
      if (tag == kernel) {
        read_kernel();
      } else if (tag == launch) {
        launch_ = in_.number();
        running_ = in_.number_below(kernels_.size());
        last_.assign(running().sites.size(), {});
        to.cta = to.warp = 0;
      } else if (tag >= access && tag < 2 * access) {
        read_access(tag, to);
        read_bytes(to);
        return true;
      } else {
        in_.fail("holds a record of unknown kind");
      }
    }
  }
  std::uint64_t launch_index() const { return launch_; }
  const Kernel& running() const { return kernels_[running_]; }
  const Site& site(const Access& of) const { return running().sites[of.site]; }

 private:
  void read_kernel() {
    if (in_.number() != kernels_.size()) in_.fail("names its kernels out of order");
    Kernel& to = kernels_.emplace_back();
    to.name = in_.text();
    for (std::uint64_t left = in_.number(); left != 0; --left) {
      Site& site = to.sites.emplace_back();
      for (std::uint32_t* field : {&site.instruction, &site.bytes, &site.ptx_line}) *field = in_.number32();
      site.space = in_.byte();
      site.kind = in_.byte();
      site.text = in_.text();
    }
  }
  void read_access(unsigned tag, Access& to) {
    if (last_.empty()) in_.fail("holds an access that belongs to no launch");
    if (tag & elsewhere) {
      to.cta = in_.number();
      to.warp = in_.number32();
    }
    to.site = in_.number_below(running().sites.size());
    to.mask = tag & masked ? in_.number32() : ~0u;
    if (to.mask == 0) in_.fail("holds an access of no lane");
    Last& last = last_[to.site];
    if (!(tag & repeated)) last.difference = in_.difference();
    last.address += last.difference;
    to.address.fill(0);
    if (tag & strided) {
      if (!(tag & repeated)) last.stride = in_.difference();
      return fill(to, last.address, last.stride, 32, 0);
    }
    const unsigned width = in_.byte();
    if (width > 8) in_.fail("holds differences of more than 8 bytes");
    if (width == tile) {
      const unsigned lanes = in_.byte();
      last.stride = in_.difference();
      if (lanes == 0) in_.fail("holds a tile of no width");
      return fill(to, last.address, last.stride, lanes, in_.difference());
    }
    std::uint64_t at = last.address;
    for (std::uint32_t m = to.mask, first = 1; m != 0; m &= m - 1, first = 0) {
      std::uint64_t apart = 0;
      for (unsigned b = 0; !first && b < width; ++b) apart |= std::uint64_t{in_.byte()} << (8 * b);
      to.address[static_cast<unsigned>(std::countr_zero(m))] = at += trace_file::unzigzag(apart);
    }
  }
  void read_bytes(Access& to) {
    const std::uint32_t each = site(to).bytes;
    to.bytes.fill(0);
    for (std::uint32_t m = to.mask; m != 0; m &= m - 1)
      to.bytes[static_cast<unsigned>(std::countr_zero(m))] = each != 0 ? each : in_.number32();
  }
  // Lanes of the mask: `stride` apart, each `width` of them `rows` from the first of the ones before.
  static void fill(Access& to, std::uint64_t first, std::uint64_t stride, unsigned width,
                   std::uint64_t rows) {
    std::uint64_t nth = 0;
    for (std::uint32_t m = to.mask; m != 0; m &= m - 1, ++nth)
      to.address[static_cast<unsigned>(std::countr_zero(m))] =
          first + nth % width * stride + nth / width * rows;
  }

  trace_file::Unpacker in_;
  std::vector<Kernel> kernels_;
  std::vector<Last> last_;  // by site of the running kernel
  std::uint64_t launch_ = 0, running_ = 0;
};

}  // namespace memory_trace
