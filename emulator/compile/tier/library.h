// The library that holds the compiler, as it is opened: nothing of LLVM here.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/image/image.h"
#include "emulator/compile/lanes/lane_names.h"

namespace wedjat::compile {

/// Makes native code of regions.
class RegionCompiler {
 public:
  virtual ~RegionCompiler() = default;
  /// None if there is nothing there but what the loop has to do. One call at a time. Throws
  /// std::runtime_error.
  virtual std::optional<Image> compile(const Request& request, const Liveness& liveness) = 0;
};

/// Null if no code can be made on this machine; `why` says the reason.
using MakeCompiler = RegionCompiler*(const std::string& features, std::span<const LaneName> names,
                                     std::string& why);

/// Opens the library when code is first wanted.
class Library {
 public:
  Library(std::string features, std::function<void(const std::string&)> tell)
      : features_(std::move(features)), tell_(std::move(tell)) {}

  static const HostCalls& host();
  /// Where it lies; empty if there is none.
  static std::filesystem::path path();
  /// None if there is nothing to compile, no compiler, or the process ends. One piece at a time; `seconds`:
  /// what that took, without waiting. Throws what the compiler throws.
  std::optional<Image> compile(const Request& request, const Liveness& liveness, double& seconds);
  /// Why there is no compiler; empty: there is one.
  std::string why();
  /// The first piece takes longer: none was wanted yet.
  bool is_open() const { return tried_.load(std::memory_order_relaxed); }
  /// Passes on what went wrong.
  void tell(const std::string& what) const {
    if (tell_) tell_(what);
  }

 private:
  void open();

  const std::string features_;
  const std::function<void(const std::string&)> tell_;
  std::atomic<bool> tried_ = false;
  std::string why_;
  RegionCompiler* compiler_ = nullptr;  ///< stays until the process ends, as the code does that it made
};

}  // namespace wedjat::compile
