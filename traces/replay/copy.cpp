#include "traces/replay/copy.h"

#include <algorithm>
#include <cstring>

#include "cuda_abi.h"

namespace wedjat::traces {
namespace {

// A side where the replay has it: an address of the device or an array; nowhere if the host alone has it.
class Place {
 public:
  Place(Replayer& replayer, const Call& call, const Side& side, const Extent& extent)
      : replayer_(replayer),
        side_(side),
        address_(side.array ? 0 : replayer.resolve(side.start).value_or(0)) {
    if (!side.array) return;
    const std::uint64_t size = side.array->shape().bytes();
    const std::uint64_t last =
        (extent.depth - 1) * side.plane + (extent.height - 1) * side.pitch + extent.width;
    if (extent.width > size || side.start > size || last > size - side.start)
      replayer.refuse(call, "it reaches past the end of an array of " + std::to_string(size) + " bytes");
  }

  bool here() const { return side_.array || address_; }

  void read(const Extent& extent, Bytes& packed) const {
    each_row(extent, [&](std::uint64_t offset, std::size_t at) {
      if (side_.array)
        std::memcpy(packed.data() + at, side_.array->data() + side_.start + offset, extent.width);
      else
        replayer_.device().read(address_ + offset, std::span(packed).subspan(at, extent.width));
    });
  }
  void write(const Extent& extent, const Bytes& packed) const {
    each_row(extent, [&](std::uint64_t offset, std::size_t at) {
      if (side_.array)
        std::memcpy(side_.array->data() + side_.start + offset, packed.data() + at, extent.width);
      else
        replayer_.device().write(address_ + offset, std::span(packed).subspan(at, extent.width));
    });
  }
  // The recording told these bytes of memory both sides see.
  void told(const Extent& extent, const Bytes& packed) const {
    each_row(extent, [&](std::uint64_t offset, std::size_t at) {
      replayer_.host_memory().told(side_.start + offset, std::span(packed).subspan(at, extent.width));
    });
  }

 private:
  template <class Row>
  void each_row(const Extent& extent, const Row& row) const {
    std::size_t at = 0;
    for (std::uint64_t z = 0; z < extent.depth; ++z)
      for (std::uint64_t y = 0; y < extent.height; ++y, at += extent.width)
        row(z * side_.plane + y * side_.pitch, at);
  }

  Replayer& replayer_;
  Side side_;
  std::uint64_t address_;
};

bool told_why_not(const Call& call) {
  return std::any_of(call.attached.begin(), call.attached.end(),
                     [](const Event* event) { return event->name == "uncaptured"; });
}

Side side_of(Replayer& replayer, const Call& call, CUmemorytype type, std::uint64_t host,
             std::uint64_t device, CUarray array, std::uint64_t x, std::uint64_t y, std::uint64_t z,
             std::uint64_t pitch, std::uint64_t height) {
  if (type == CU_MEMORYTYPE_ARRAY)
    return Side::in_array(replayer, call, reinterpret_cast<std::uint64_t>(array), x, y, z);
  const std::uint64_t base = type == CU_MEMORYTYPE_HOST ? host : device;
  return {nullptr, base + z * pitch * height + y * pitch + x, pitch, pitch * height};
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
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
  constexpr std::uint64_t most = std::uint64_t{1} << 47;  // bytes of an address space
  if (extent.width > most || extent.height > most / extent.width ||
      extent.depth > most / (extent.width * extent.height))
    replayer.refuse(call, "it moves more bytes than an address space has");
  const Event* in = call.payload("host_in" + suffix);
  const Event* out = call.payload("host_out" + suffix);
  const Place source(replayer, call, from, extent), target(replayer, call, to, extent);
  auto& [contents, hardware] = replayer.copy_buffers();
  if (in) {
    replayer.trace().contents(*in, contents);
  } else if (source.here()) {
    contents.resize(extent.bytes());
    source.read(extent, contents);
  } else if (target.here()) {
    replayer.refuse(call, "the trace does not hold the host memory it copies from");
  } else {
    return;  // from host to host
  }
  if (contents.size() != extent.bytes())
    replayer.refuse(call, "the recorded host memory has " + std::to_string(contents.size()) +
                              " bytes, the copy moves " + std::to_string(extent.bytes()));
  if (!target.here()) {
    if (out) {
      replayer.trace().contents(*out, hardware);
      replayer.check(call, std::string(call.symbol), from.start, hardware, contents);
    } else if (!in && !told_why_not(call)) {
      replayer.not_compared(call, "the trace does not hold what it brought to the host");
    }
    return;
  }
  target.write(extent, contents);
  const std::uint64_t reach = (extent.depth - 1) * to.plane + (extent.height - 1) * to.pitch + extent.width;
  if (!to.array) replayer.host_memory().given(to.start, reach);
  if (!out) return;
  // The host looked at memory both sides see when it had waited for the copy, or a host function of the
  // stream had. What came after the copy, before or after that look, may have written there too.
  replayer.later(out->sequence, [&replayer, &call, out, target, extent, reach, from = from.start,
                                 to = to.start, contents = contents] {
    const Bytes expected = replayer.trace().contents(*out);
    Bytes now(extent.bytes());
    target.read(extent, now);
    Bytes got = now;
    for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
      if (contents[i] == expected[i]) got[i] = contents[i];
    replayer.check(call, std::string(call.symbol), got == contents ? from : to, expected, got);
    if (got != expected) {  // told once: what is done with these bytes from here on is not to differ for it
      for (std::size_t i = 0; i < now.size(); ++i)
        if (got[i] != expected[i]) now[i] = expected[i];
      target.write(extent, now);
    }
    target.told(extent, expected);
    replayer.host_memory().taken(to, reach);
  });
}

void copy_box(Replayer& replayer, const Call& call, const Bytes& description) {
  const auto box = replayer.structure<CUDA_MEMCPY3D>(call, description);
  const Side from =
      side_of(replayer, call, box.srcMemoryType, reinterpret_cast<std::uint64_t>(box.srcHost), box.srcDevice,
              box.srcArray, box.srcXInBytes, box.srcY, box.srcZ, box.srcPitch, box.srcHeight);
  const Side to =
      side_of(replayer, call, box.dstMemoryType, reinterpret_cast<std::uint64_t>(box.dstHost), box.dstDevice,
              box.dstArray, box.dstXInBytes, box.dstY, box.dstZ, box.dstPitch, box.dstHeight);
  copy(replayer, call, from, to, {box.WidthInBytes, box.Height, box.Depth});
}

namespace handle {

void copy_2d(Replayer& replayer, const Call& call) {
  const auto box = replayer.structure<CUDA_MEMCPY2D>(call, "pCopy");
  const Side from = side_of(replayer, call, box.srcMemoryType, reinterpret_cast<std::uint64_t>(box.srcHost),
                            box.srcDevice, box.srcArray, box.srcXInBytes, box.srcY, 0, box.srcPitch, 0);
  const Side to = side_of(replayer, call, box.dstMemoryType, reinterpret_cast<std::uint64_t>(box.dstHost),
                          box.dstDevice, box.dstArray, box.dstXInBytes, box.dstY, 0, box.dstPitch, 0);
  copy(replayer, call, from, to, {box.WidthInBytes, box.Height, 1});
}

void copy_3d(Replayer& replayer, const Call& call) {
  copy_box(replayer, call, replayer.input(call, "pCopy"));
}

}  // namespace handle
}  // namespace wedjat::traces
