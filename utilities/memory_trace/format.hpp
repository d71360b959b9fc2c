// The memory trace: README.md says the format. Writer and reader of its records.
#pragma once
#include <bit>

#include "utilities/include/wedjat/expected.hpp"
#include "utilities/trace_file/launches.hpp"

namespace memory_trace {

inline constexpr trace_file::Magic magic = {'W', 'J', 'M', 'T', 'R', 'C', '0', '5'};

/// One access of one instruction: the same for all its records.
struct Site {
  std::uint32_t instruction = 0, bytes = 0, ptx_line = 0;  // bytes 0: each access says it for each lane
  std::uint8_t space = 0, kind = 0;                        // wedjat_space; 1 reads, 2 writes, 4 atomic
  std::string text;
  bool foreseen = false;  // accesses may be left out where they are as expected
};

using Kernel = trace_file::Kernel<Site>;

struct Access : trace_file::Place {
  std::array<std::uint64_t, 32> address{};
  std::array<std::uint32_t, 32> bytes{};
};

inline constexpr std::uint8_t left_out = 3;  // record: so many accesses that are as expected
enum Bits : std::uint8_t { access = 16, strided = 1, repeated = 8 };  // of the first byte of its record
inline constexpr trace_file::PlaceBits place_bits{.elsewhere = 2, .masked = 4};
inline constexpr unsigned tile = 0;  // in the place of a width of differences

/// Of a site, within a launch: its last access, as far as the next is given by the difference to it.
struct Last {
  std::uint64_t address = 0, difference = 0, stride = 0;
};

class Writer : public trace_file::LaunchPacker {
 public:
  explicit Writer(const std::string& file) : LaunchPacker(file, magic, place_bits) {}

  void add(std::uint64_t number, const Kernel& what) {
    if (number >= sites_.size()) sites_.resize(number + 1);
    sites_[number].clear();
    add_kernel(number, what, [&](const Site& site) {
      sites_[number].push_back(site.bytes == 0);
      for (const std::uint64_t n : {site.instruction, site.bytes, site.ptx_line}) out_.number(n);
      out_.byte(site.space);
      out_.byte(site.kind);
      out_.byte(site.foreseen);
      out_.text(site.text);
    });
  }
  /// `warps`: of a CTA.
  void begin(std::uint64_t index, std::uint64_t kernel, std::uint64_t warps) {
    LaunchPacker::begin(index, kernel);
    out_.number(warps);
    running_ = &sites_.at(kernel);
    last_.assign(running_->size(), {});
  }
  /// Accesses that are as wedjat::Expectation says, with what was added before them.
  void leave_out(std::uint64_t count) {
    if (count == 0) return;
    out_.begin();
    out_.byte(left_out);
    out_.number(count);
  }
  /// `bytes`: of each lane, where the site does not say them.
  void add(const trace_file::Place& at, const std::uint64_t* address, const std::uint32_t* bytes = nullptr) {
    add_addresses(at, address);
    if ((*running_)[at.site])
      for (std::uint32_t m = at.mask; m != 0; m &= m - 1) out_.number(bytes[std::countr_zero(m)]);
  }

 private:
  void add_addresses(const trace_file::Place& at, const std::uint64_t* address) {
    const std::uint32_t mask = at.mask;
    std::array<std::uint64_t, 32> there;  // of the lanes of the mask only
    unsigned lanes = 32;
    if (mask != ~0u) {
      lanes = 0;
      for (std::uint32_t m = mask; m != 0; m &= m - 1) there[lanes++] = address[std::countr_zero(m)];
      address = there.data();
    }
    const std::uint64_t stride = lanes == 1 ? 0 : address[1] - address[0];
    const wedjat::Tile lie = lanes == 32 ? wedjat::tile_of(address) : wedjat::Tile{};
    const bool is_strided = lanes == 32 ? lie.width == 32 : evenly_spaced(address, stride, lanes);
    Last& last = last_[at.site];
    const std::uint64_t difference = address[0] - last.address;
    last.address = address[0];
    const bool is_repeated = is_strided && difference == last.difference && stride == last.stride;
    last.difference = difference;
    begin_record(access | (is_strided ? strided : 0u) | (is_repeated ? repeated : 0u), at);
    if (is_repeated) return;
    out_.difference(difference);
    if (is_strided) return out_.difference(last.stride = stride);
    if (lie.width != 0) {
      out_.byte(tile);
      out_.byte(lie.width);
      out_.difference(last.stride = stride);
      return out_.difference(lie.rows);
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
  template <class T>
  void list(const std::array<std::uint64_t, 32>& apart, unsigned count) {
    std::array<T, 32> narrow;
    for (unsigned l = 0; l < count; ++l) narrow[l] = static_cast<T>(apart[l]);
    out_.byte(sizeof(T));
    out_.bytes(narrow.data(), sizeof(T) * count);
  }

  std::vector<std::vector<bool>> sites_;  // by kernel: whether accesses say their bytes
  const std::vector<bool>* running_ = nullptr;
  std::vector<Last> last_;  // by site of the running kernel
};

/// Throws std::runtime_error naming the file if it is no memory trace or is damaged.
class Reader : public trace_file::LaunchUnpacker<Site> {
 public:
  explicit Reader(std::string file) : LaunchUnpacker(std::move(file), magic, "memory trace", place_bits) {}

  /// Next access, with launch_index() and running() it belongs to; false at the end.
  bool next(Access& to) {
    while (left_out_ == 0) {
      const std::uint8_t tag = next_record([&](Site& site) { read_site(site); }, [&] { begin_launch(); });
      if (tag == trace_file::end) return false;
      if (tag == left_out) {
        left_out_ = in_.number();
        continue;
      }
      if (tag < access || tag >= 2 * access) in_.fail("holds a record of unknown kind");
      to.cta = cta_, to.warp = warp_;
      read_place(tag, to);
      cta_ = to.cta, warp_ = to.warp;
      read_addresses(tag, to);
      read_bytes(to);
      if (site(to).foreseen) {
        const wedjat::Tile lie = to.mask == ~0u ? wedjat::tile_of(to.address.data()) : wedjat::Tile{};
        expectation_.take(to.site, to.cta * warps_ + to.warp, lie);
      }
      return true;
    }
    --left_out_;
    expect(to);
    return true;
  }

 private:
  void begin_launch() {
    warps_ = in_.number();
    if (warps_ == 0) in_.fail("holds a launch of no warps");
    last_.assign(running().sites.size(), {});
    expectation_ = wedjat::Expectation(running().sites.size());
  }
  void expect(Access& to) {
    wedjat::Expectation::Event event;
    if (!expectation_.next(event)) in_.fail("leaves an access out that nothing tells");
    expectation_.take(event.site, event.warp, event.at);
    to.site = event.site;
    to.cta = event.warp / warps_;
    to.warp = static_cast<std::uint32_t>(event.warp % warps_);
    to.mask = ~0u;
    fill(to, event.at.first, event.at.step, event.at.width, event.at.rows);
    to.bytes.fill(site(to).bytes);
  }
  void read_site(Site& site) {
    for (std::uint32_t* field : {&site.instruction, &site.bytes, &site.ptx_line}) *field = in_.number32();
    site.space = in_.byte();
    site.kind = in_.byte();
    site.foreseen = in_.byte() != 0;
    site.text = in_.text();
  }
  void read_addresses(unsigned tag, Access& to) {
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

  std::vector<Last> last_;  // by site of the running kernel
  wedjat::Expectation expectation_;
  std::uint64_t warps_ = 1;     // of a CTA of the launch
  std::uint64_t left_out_ = 0;  // that are still to come
  std::uint64_t cta_ = 0;       // of the record before
  std::uint32_t warp_ = 0;
};

}  // namespace memory_trace
