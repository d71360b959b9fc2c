// What a device holds before a launch, and what of it a bundle keeps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "traces/bundle/bundle.h"
#include "traces/extract/touched.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

class Snapshot {
 public:
  // Of allocations, of variables that the kernel's program declares, of arrays behind textures and surfaces.
  // Throws device::Refused if that is more than `limit` bytes.
  Snapshot(const Launching& launching, const wedjat_launch& launch,
           const std::map<std::uint64_t, TouchLog::Allocation>& allocations, std::uint64_t limit);

  // The launch is over: the bundle, with what it wrote as `device` holds it now.
  Bundle bundle(device::Device& device, const Touched& touched) const;

 private:
  struct Part {
    std::vector<std::byte> contents;
    Bundle::Region region;
    bool is_variable = false, whole = false;  // whole: constant memory, which is read without addresses
  };
  void add(device::Device& device, Bundle::Region region, bool is_variable, bool whole);
  const Part* part_of(std::uint64_t address) const;
  void keep_memory(Bundle& bundle, device::Device& device, const Touched& touched) const;
  void keep_texels(Bundle& bundle, device::Device& device, const Touched& touched) const;
  std::size_t keep_array(Bundle& bundle, const std::shared_ptr<memory::Array>& array) const;

  Bundle launch_;                        // what is known before it runs
  std::map<std::uint64_t, Part> parts_;  // by address
  std::map<std::shared_ptr<memory::Array>, std::vector<std::byte>> arrays_;
  mutable std::vector<std::shared_ptr<memory::Array>> kept_;
  std::uint64_t limit_, bytes_ = 0;
};

}  // namespace wedjat::traces
