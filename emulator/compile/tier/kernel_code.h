// The native code of one kernel: what was asked for, what there is, and what its rows were seen to hold.
#pragma once
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/compile/analysis/geometry.h"
#include "emulator/compile/analysis/row_bytes.h"
#include "emulator/compile/cache/code_cache.h"
#include "emulator/compile/image/placed_code.h"
#include "emulator/compile/tier/journal.h"
#include "emulator/compile/tier/library.h"
#include "emulator/compile/tier/tier.h"

namespace wedjat::compile {

class KernelCode;

/// Of a place, for such paths.
std::uint64_t order_key(exec::NativeKernel::Place place, exec::PathKind paths);

/// Where code is to be made, by whom: at once, or by a thread in the background.
class Orders {
 public:
  virtual ~Orders() = default;
  virtual void place(std::shared_ptr<KernelCode> kernel, std::uint64_t key) = 0;
  /// That the process may use. Where it is one, whoever places an order makes it: its launch waits meanwhile.
  virtual unsigned processors() const = 0;
};

/// Where code is kept for later processes, and what else its key is made of.
struct Keeping {
  CodeCache& cache;
  Maker maker;
};

class KernelCode final : public exec::NativeKernel, public std::enable_shared_from_this<KernelCode> {
 public:
  /// `keeping` may be null; else there is the code that was kept.
  KernelCode(std::shared_ptr<const kernel::Kernel> kernel, const Geometry& geometry,
             const TierOptions& options, Library& library, Orders& orders, Journal& journal,
             Keeping* keeping = nullptr, std::shared_ptr<const exec::Probes> probes = nullptr);
  ~KernelCode() override;

  exec::NativeCode visited(Place place, exec::Entry& entry, std::uint32_t visits,
                           const Visitor& visitor) override;
  void refused(Place place, exec::Entry& entry, const Visitor& visitor) override;

  /// Makes the code of an order.
  void make(std::uint64_t key);
  /// Keeps what was made since, for later processes.
  void keep();
  const std::shared_ptr<const kernel::Kernel>& kernel() const { return kernel_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  struct Wanted {
    Place place{};
    exec::Entry* entry = nullptr;
    exec::PathKind paths{};
    std::vector<std::pair<std::uint32_t, std::uint8_t>> live;  ///< rows that live there: offset, bytes
    std::map<std::uint32_t, Shape> entry_shapes;
    std::uint32_t rival = 0;  ///< the least that was seen
    std::size_t number = 0;   ///< code stops at places with code that were wanted earlier
    unsigned made = 0;        ///< how often
    bool ordered = false;

    bool full() const { return paths == exec::PathKind::whole || paths == exec::PathKind::rest; }
    std::atomic<exec::NativeCode>& code() const { return entry->of(paths); }
  };

  const Liveness& liveness(std::uint32_t function);
  std::map<std::uint32_t, Shape> fills(std::uint32_t function, exec::PathKind paths) const;
  void look(Wanted& wanted, const Visitor& visitor);
  static bool begins_kernel(const Wanted& wanted);
  static exec::NativeCode code_of(const Wanted& wanted);
  Bounds bounds_of(const Wanted& wanted) const;
  struct Worth {
    double done = 0, making = 0;
    double waiting = 0;  ///< for a launch that waits until it is made
    bool reaches(double part) const { return making != 0 && done >= part * making; }
  };
  Worth worth_of(const Wanted& wanted);
  bool is_worth(const Wanted& wanted, const Worth& worth) const;
  void count_anew(const Request& request);
  exec::NativeCode order(std::uint64_t key);
  exec::NativeCode compile(const Request& request, const Liveness& live);

  // kept_code.cpp
  void take_kept();
  bool fits(const Piece& piece) const;
  std::uint64_t resolve(const Piece& piece, const Link& link);
  std::unique_ptr<PlacedCode> placed(std::span<const Piece> pieces);
  exec::NativeCode place_and_note(Piece piece);

  const std::shared_ptr<const kernel::Kernel> kernel_;
  const std::shared_ptr<const exec::Probes> probes_;  ///< null: no step only watches
  const Geometry geometry_;
  const TierOptions& options_;
  Library& library_;
  Orders& orders_;
  Journal& journal_;
  Keeping* const keeping_;
  Key key_;  ///< of what is kept
  std::mutex mutex_;
  Certificates certificates_;
  std::vector<std::unique_ptr<PlacedCode>> code_;
  std::vector<Piece> fresh_;  ///< not kept yet
  std::condition_variable made_;
  std::size_t places_ = 0;      ///< that code was ordered for
  std::size_t steps_made_ = 0;  ///< in all its pieces
  bool sweep_tried_ = false;    ///< of the thread that makes code
  std::map<std::uint64_t, Wanted> wanted_;
  std::map<std::uint32_t, std::unique_ptr<Liveness>> liveness_;
  std::map<std::uint32_t, RowBytes> bytes_;
};

}  // namespace wedjat::compile
