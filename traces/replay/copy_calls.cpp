// Copies. What a copy brought to the host is the oracle: it is compared with what our memory holds at that
// moment of the replay.
#include <cstring>

#include "traces/replay/handlers.h"

namespace wedjat::traces {
namespace {

// A box of bytes in linear memory: `width` bytes in each of height x depth rows.
struct Box {
  std::uint64_t start = 0, pitch = 0, slice = 0;
};

struct Extent {
  std::uint64_t width = 0, height = 1, depth = 1;
};

Bytes read_box(Replayer& replayer, const Box& box, const Extent& extent) {
  Bytes packed(extent.width * extent.height * extent.depth);
  std::size_t at = 0;
  for (std::uint64_t z = 0; z < extent.depth; ++z)
    for (std::uint64_t y = 0; y < extent.height; ++y, at += extent.width)
      replayer.device().read(box.start + z * box.slice + y * box.pitch,
                             std::span(packed).subspan(at, extent.width));
  return packed;
}

void write_box(Replayer& replayer, const Box& box, const Extent& extent, const Bytes& packed) {
  std::size_t at = 0;
  for (std::uint64_t z = 0; z < extent.depth; ++z)
    for (std::uint64_t y = 0; y < extent.height; ++y, at += extent.width)
      replayer.device().write(box.start + z * box.slice + y * box.pitch,
                              std::span(packed).subspan(at, extent.width));
}

// One side of a copy: memory of the device, or of the host alone (then its contents are a payload, if the
// trace has them).
void copy(Replayer& replayer, const Call& call, std::uint64_t source, const Box& from,
          std::uint64_t destination, const Box& to, const Extent& extent) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
  const auto place = [](const Box& box, std::uint64_t start, std::uint64_t at) {
    return Box{at + (box.start - start), box.pitch, box.slice};
  };
  const Event* in = call.payload("host_in");
  const Event* out = call.payload("host_out");
  const auto source_here = replayer.resolve(source), destination_here = replayer.resolve(destination);
  Bytes contents;
  if (in)
    contents = replayer.trace().contents(*in);
  else if (source_here)
    contents = read_box(replayer, place(from, source, *source_here), extent);
  else if (destination_here)
    replayer.refuse(call, "the trace does not hold the host memory it copies from");
  if (contents.size() != extent.width * extent.height * extent.depth && (in || source_here))
    replayer.refuse(call, "the recorded host memory has " + std::to_string(contents.size()) +
                              " bytes, the copy moves " +
                              std::to_string(extent.width * extent.height * extent.depth));
  if (destination_here)
    write_box(replayer, place(to, destination, *destination_here), extent, contents);
  else if (out && source_here)
    replayer.check(call, std::string(call.symbol), source, replayer.trace().contents(*out), contents);
}

void copy_line(Replayer& replayer, const Call& call, std::uint64_t source, std::uint64_t destination) {
  const std::uint64_t bytes = call.entry->number("ByteCount");
  copy(replayer, call, source, {source, 0, 0}, destination, {destination, 0, 0}, {bytes, 1, 1});
}

// CUDA_MEMCPY2D and CUDA_MEMCPY3D as C lays them out (64-bit).
struct Side2D {
  std::uint64_t x_in_bytes, y;
  std::uint32_t memory_type, padding;
  std::uint64_t host, device, array, pitch;
};
struct Copy2D {
  Side2D source, destination;
  std::uint64_t width_in_bytes, height;
};
static_assert(sizeof(Copy2D) == 128);

struct Side3D {
  std::uint64_t x_in_bytes, y, z, lod;
  std::uint32_t memory_type, padding;
  std::uint64_t host, device, array, context, pitch, height;
};
struct Copy3D {
  Side3D source, destination;
  std::uint64_t width_in_bytes, height, depth;
};
static_assert(sizeof(Copy3D) == 200);

template <class T>
T structure(Replayer& replayer, const Call& call) {
  const Bytes& bytes = call.entry->bytes("pCopy_in");
  if (bytes.size() != sizeof(T))
    replayer.refuse(call, "its description has " + std::to_string(bytes.size()) + " bytes, not " +
                              std::to_string(sizeof(T)));
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// CUmemorytype: 1 host, 2 device, 3 array, 4 unified.
template <class Side>
std::uint64_t base_of(Replayer& replayer, const Call& call, const Side& side) {
  if (side.memory_type == 3) replayer.refuse(call, "copies from or to a CUDA array are not replayed");
  return side.memory_type == 1 ? side.host : side.device;
}

}  // namespace

namespace handle {

void copy_any(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, call.entry->number("src"), call.entry->number("dst"));
}

void copy_peer(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, call.entry->number("srcDevice"), call.entry->number("dstDevice"));
}

void copy_to_device(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, call.entry->number("srcHost"), call.entry->number("dstDevice"));
}

void copy_to_host(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, call.entry->number("srcDevice"), call.entry->number("dstHost"));
}

void copy_on_device(Replayer& replayer, const Call& call) {
  copy_line(replayer, call, call.entry->number("srcDevice"), call.entry->number("dstDevice"));
}

void copy_2d(Replayer& replayer, const Call& call) {
  const auto what = structure<Copy2D>(replayer, call);
  const auto box = [](const Side2D& side, std::uint64_t base) {
    return Box{base + side.y * side.pitch + side.x_in_bytes, side.pitch, 0};
  };
  const std::uint64_t from = base_of(replayer, call, what.source),
                      to = base_of(replayer, call, what.destination);
  copy(replayer, call, from, box(what.source, from), to, box(what.destination, to),
       {what.width_in_bytes, what.height, 1});
}

void copy_3d(Replayer& replayer, const Call& call) {
  const auto what = structure<Copy3D>(replayer, call);
  const auto box = [](const Side3D& side, std::uint64_t base) {
    const std::uint64_t slice = side.pitch * side.height;
    return Box{base + side.z * slice + side.y * side.pitch + side.x_in_bytes, side.pitch, slice};
  };
  const std::uint64_t from = base_of(replayer, call, what.source),
                      to = base_of(replayer, call, what.destination);
  copy(replayer, call, from, box(what.source, from), to, box(what.destination, to),
       {what.width_in_bytes, what.height, what.depth});
}

}  // namespace handle
}  // namespace wedjat::traces
