#include "traces/replay/calls/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cuda_abi.h"

namespace wedjat::traces {
namespace {

// A side where the replay has it: an address of the device or an array; nowhere if the host alone has it.
class Place {
 public:
  Place(Replayer& replayer, const Side& side, const Extent& extent)
      : replayer_(replayer),
        side_(side),
        span_(span_of(extent, side.pitch, side.plane).value_or(0)),
        address_(side.array ? 0 : find()) {}

  // Refuses what is not all there.
  void require(const Call& call) const {
    if (span_ == 0) replayer_.refuse(call, "its rows overlap, or are more than an address space has");
    if (!side_.array && !replayer_.device().holds(address_, span_))
      replayer_.refuse(
          call, fmt::format("of {} bytes from {:#x} not all are memory of the replay", span_, side_.start));
    if (!side_.array) return;
    const std::uint64_t size = side_.array->shape().bytes();
    if (side_.start > size || span_ > size - side_.start)
      replayer_.refuse(call, "it reaches past the end of an array of " + std::to_string(size) + " bytes");
  }

  bool here() const { return side_.array || address_; }
  bool still_here() const { return side_.array || replayer_.device().holds(address_, span_); }
  std::uint64_t span() const { return span_; }

  // Bytes of the box from `offset` on, packed row by row.
  void read(const Extent& extent, std::uint64_t offset, std::span<std::byte> packed) const {
    each_piece(extent, offset, packed.size(), [&](std::uint64_t there, std::size_t at, std::size_t bytes) {
      if (side_.array)
        std::memcpy(packed.data() + at, side_.array->data() + side_.start + there, bytes);
      else
        replayer_.device().read(address_ + there, packed.subspan(at, bytes));
    });
  }
  void write(const Extent& extent, std::uint64_t offset, std::span<const std::byte> packed) const {
    each_piece(extent, offset, packed.size(), [&](std::uint64_t there, std::size_t at, std::size_t bytes) {
      if (side_.array)
        std::memcpy(side_.array->data() + side_.start + there, packed.data() + at, bytes);
      else
        replayer_.device().write(address_ + there, packed.subspan(at, bytes));
    });
  }
  // Whether both may have bytes in common.
  bool may_overlap(const Place& other) const {
    if (side_.array || other.side_.array) return side_.array == other.side_.array;
    return address_ < other.address_ + other.span_ && other.address_ < address_ + span_;
  }
  // The recording holds these bytes of memory both sides see.
  void recorded(const Extent& extent, const Bytes& packed) const {
    each_piece(extent, 0, packed.size(), [&](std::uint64_t there, std::size_t at, std::size_t bytes) {
      replayer_.host_memory().recorded(side_.start + there, std::span(packed).subspan(at, bytes));
    });
  }

 private:
  // 0 for memory of the host alone, also where a part of it is shared.
  std::uint64_t find() const {
    const HostRange* range =
        side_.owner == Owner::device ? nullptr : replayer_.host_memory().find(side_.start);
    if (range && span_ > range->size - (side_.start - range->host)) return 0;
    if (side_.owner == Owner::host && !range) return 0;
    return replayer_.resolve(side_.start).value_or(0);
  }

  // Of `bytes` packed ones from `offset` on, what lies in one row: where it lies from the side's first byte
  // on, where among the packed ones, and how much it is.
  template <class Piece>
  void each_piece(const Extent& extent, std::uint64_t offset, std::size_t bytes, const Piece& piece) const {
    for (std::size_t at = 0, here; at < bytes; at += here, offset += here) {
      const std::uint64_t row = offset / extent.width, column = offset % extent.width;
      here = static_cast<std::size_t>(std::min<std::uint64_t>(extent.width - column, bytes - at));
      piece(row / extent.height * side_.plane + row % extent.height * side_.pitch + column, at, here);
    }
  }
  Replayer& replayer_;
  Side side_;
  std::uint64_t span_, address_;
};

bool says_why_not(const Call& call) {
  return std::any_of(call.attached.begin(), call.attached.end(),
                     [](const Event* event) { return event->name == "uncaptured"; });
}

Side side_of(Replayer& replayer, const Call& call, const interposer::BoxSide& side) {
  if (side.type == CU_MEMORYTYPE_ARRAY)
    return Side::in_array(replayer, call, reinterpret_cast<std::uint64_t>(side.array), side.x, side.y,
                          side.z);
  return {nullptr, side.start(), side.pitch, side.plane(),
          side.type == CU_MEMORYTYPE_HOST     ? Owner::host
          : side.type == CU_MEMORYTYPE_DEVICE ? Owner::device
                                              : Owner::either};
}

void copy(Replayer& replayer, const Call& call, const interposer::CopyBox& box) {
  copy(replayer, call, side_of(replayer, call, box.from), side_of(replayer, call, box.to), box.extent);
}

}  // namespace

Side Side::in_array(Replayer& replayer, const Call& call, std::uint64_t handle, std::uint64_t x,
                    std::uint64_t y, std::uint64_t z) {
  const auto& arrays = replayer.device().textures().arrays;
  const auto found = arrays.find(handle);
  if (found == arrays.end()) replayer.refuse(call, "nothing was recorded of the array it uses");
  const memory::ArrayShape& shape = found->second->shape();
  const std::uint64_t row = shape.row_bytes();
  return {found->second, (z * shape.rows() + y) * row + x, row, row * shape.rows()};
}

void copy(Replayer& replayer, const Call& call, const Side& from, const Side& to, const Extent& extent,
          const std::string& suffix) {
  const Event* in = call.payload("host_in" + suffix);
  const Event* out = call.payload("host_out" + suffix);
  // What the trace holds of a copy, and nothing is to become of.
  const auto leave = [&](const std::string& reason) {
    if (in) replayer.accounts().because(*in, reason);
    if (out) replayer.accounts().because(*out, reason);
  };
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return leave("the copy moves no bytes");
  const Place source(replayer, from, extent), target(replayer, to, extent);
  const auto missing = [](const char* side, const Side& of) {
    return fmt::format("its {} {:#x} is no memory of the replay", side, of.start);
  };
  // Neither is: from host to host, if the trace holds both ends of it.
  const bool host_to_host = !source.here() && !target.here() && in && out;
  std::string lost;
  if (!source.here() && from.owner == Owner::device) lost = missing("source", from);
  if (!target.here() && to.owner == Owner::device) lost = missing("target", to);
  if (!source.here() && !target.here() && !host_to_host)
    lost = missing(in ? "target" : "source", in ? to : from);
  if (!lost.empty()) {
    if (!in && !out && !says_why_not(call)) replayer.not_compared(call, lost);
    return leave(lost);
  }
  if (extent.width > ~std::uint64_t{0} / extent.height ||
      extent.width * extent.height > ~std::uint64_t{0} / extent.depth)
    replayer.refuse(call, "it moves more bytes than an address space has");
  if (!in && source.here()) source.require(call);
  if (target.here()) target.require(call);
  for (const Event* recorded : {in, out})
    if (recorded && recorded->number("size") != extent.bytes())
      replayer.refuse(call, fmt::format("the recorded host memory has {} bytes, the copy moves {}",
                                        recorded->number("size"), extent.bytes()));
  if (!in && out && !target.here())
    return replayer.check_recorded(
        call, std::string(call.symbol), from.start, *out,
        [&](std::uint64_t offset, std::span<std::byte> ours) { source.read(extent, offset, ours); });
  const auto target_changed = [&] {
    if (!to.array) replayer.host_memory().given(to.start, target.span());
  };
  if (in && !out && target.here()) {
    replayer.trace().contents(*in, [&](std::uint64_t offset, std::span<const std::byte> part) {
      target.write(extent, offset, part);
    });
    replayer.accounts().used(*in);
    return target_changed();
  }
  if (!in && !out && target.here() && source.here() && !source.may_overlap(target)) {
    Bytes& part = replayer.copy_buffers().first;
    constexpr std::uint64_t most = 1 << 20;
    for (std::uint64_t at = 0; at < extent.bytes(); at += part.size()) {
      part.resize(std::min(most, extent.bytes() - at));
      source.read(extent, at, part);
      target.write(extent, at, part);
    }
    return target_changed();
  }
  replayer.check_size(call, extent.bytes());
  auto& [contents, hardware] = replayer.copy_buffers();
  if (in) {
    replayer.trace().contents(*in, contents);
    replayer.accounts().used(*in);
  } else if (source.here()) {
    contents.resize(extent.bytes());
    source.read(extent, 0, contents);
  } else {
    replayer.refuse(call, "the trace does not hold the host memory it copies from");
  }
  if (!target.here()) {
    if (out) {
      replayer.trace().contents(*out, hardware);
      replayer.check(call, std::string(call.symbol), from.start, hardware, contents, out);
    } else if (!says_why_not(call)) {
      replayer.not_compared(call, "the trace does not hold what it brought to the host");
    }
    return;
  }
  target.write(extent, 0, contents);
  target_changed();
  if (!out) return;
  // The host looked at memory both sides see when it had waited for the copy, or a host function of the
  // stream had. What came after the copy, before or after that look, may have written there too.
  replayer.later(out->sequence, [&replayer, &call, out, target, extent, from = from.start, to = to.start,
                                 contents = std::move(contents)] {
    if (!target.still_here())
      return replayer.accounts().because(*out, "its target was freed before the recording says what it held");
    const auto brought = [&](std::uint64_t offset, std::span<std::byte> ours) {
      std::memcpy(ours.data(), contents.data() + offset, ours.size());
    };
    if (replayer.as_recorded(*out, brought)) {
      replayer.report_as_recorded(call, std::string(call.symbol), from, *out);
      target.recorded(extent, contents);
      return replayer.host_memory().taken(to, target.span());
    }
    const Bytes expected = replayer.trace().contents(*out);
    Bytes now(extent.bytes());
    target.read(extent, 0, now);
    Bytes got = now;
    for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
      if (contents[i] == expected[i]) got[i] = contents[i];
    replayer.check(call, std::string(call.symbol), got == contents ? from : to, expected, got, out);
    if (got !=
        expected) {  // reported once: what is done with these bytes from here on is not to differ for it
      for (std::size_t i = 0; i < now.size(); ++i)
        if (got[i] != expected[i]) now[i] = expected[i];
      target.write(extent, 0, now);
    }
    target.recorded(extent, expected);
    replayer.host_memory().taken(to, target.span());
  });
}

void copy_box(Replayer& replayer, const Call& call, const Bytes& description) {
  copy(replayer, call, interposer::box_of(replayer.structure<CUDA_MEMCPY3D>(call, description)));
}

namespace handle {

void copy_2d(Replayer& replayer, const Call& call) {
  copy(replayer, call, interposer::box_of(replayer.structure<CUDA_MEMCPY2D>(call, "pCopy")));
}

void copy_3d(Replayer& replayer, const Call& call) {
  copy_box(replayer, call, replayer.input(call, "pCopy"));
}

}  // namespace handle
}  // namespace wedjat::traces
