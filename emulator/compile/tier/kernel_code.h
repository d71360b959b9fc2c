// The native code of one kernel: what was asked for, what there is, and what its rows were seen to hold.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/compile/analysis/geometry.h"
#include "emulator/compile/analysis/row_bytes.h"
#include "emulator/compile/tier/journal.h"
#include "emulator/compile/tier/library.h"
#include "emulator/compile/tier/tier.h"

namespace wedjat::compile {

class KernelCode;

/// Where code is to be made, by whom: at once, or by a thread in the background.
class Orders {
 public:
  virtual ~Orders() = default;
  virtual void place(std::shared_ptr<KernelCode> kernel, std::uint64_t key) = 0;
};

class KernelCode final : public exec::NativeKernel, public std::enable_shared_from_this<KernelCode> {
 public:
  KernelCode(std::shared_ptr<const kernel::Kernel> kernel, const Geometry& geometry,
             const TierOptions& options, Library& library, Orders& orders, Journal& journal);

  exec::NativeCode visited(Place place, exec::Entry& entry, std::uint32_t visits, const std::byte* rows,
                           std::uint32_t mask) override;
  void refused(Place place, exec::Entry& entry, const std::byte* rows, std::uint32_t mask) override;

  /// Makes the code of an order.
  void make(std::uint64_t key);
  const std::shared_ptr<const kernel::Kernel>& kernel() const { return kernel_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  struct Wanted {
    Place place{};
    exec::Entry* entry = nullptr;
    bool full = false;
    std::map<std::uint32_t, Shape> entry_shapes;
    unsigned made = 0;  ///< how often
    bool ordered = false;
  };

  const Liveness& liveness(std::uint32_t function);
  std::map<std::uint32_t, Shape> fills(std::uint32_t function, bool full) const;
  std::map<std::uint32_t, Shape> seen(Place place, const std::byte* rows, std::uint32_t mask);
  exec::NativeCode order(std::uint64_t key);

  const std::shared_ptr<const kernel::Kernel> kernel_;
  const Geometry geometry_;
  const TierOptions& options_;
  Library& library_;
  Orders& orders_;
  Journal& journal_;
  std::mutex mutex_;
  std::map<std::uint64_t, Wanted> wanted_;
  std::map<std::uint32_t, std::unique_ptr<Liveness>> liveness_;
  std::map<std::uint32_t, RowBytes> bytes_;
};

}  // namespace wedjat::compile
