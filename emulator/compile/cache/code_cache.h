// The folder that keeps native code from one process to the next.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "emulator/compile/cache/piece.h"

namespace wedjat::compile {

/// Several processes and threads may use one folder.
class CodeCache {
 public:
  /// `most_bytes`: of all files; those that were not used for longest go. `tell`: of what is wrong there,
  /// each thing once; may be empty.
  CodeCache(std::filesystem::path folder, std::uint64_t most_bytes,
            std::function<void(const std::string&)> tell);

  /// What is kept under a key; empty if there is nothing, or nothing that can be trusted.
  std::vector<Piece> load(const Key& key);
  /// Adds pieces to what is kept, in place of those that they stand for. That it cannot is told, once.
  void add(const Key& key, std::span<const Piece> pieces);

 private:
  std::filesystem::path file_of(const Key& key) const;
  std::vector<Piece> read(const Key& key);
  void write(const Key& key, std::span<const std::byte> bytes);
  void evict();
  void tell_once(const std::string& what);

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  const std::function<void(const std::string&)> tell_;
  std::mutex mutex_;
  std::set<std::string> told_;
  std::uint64_t written_ = 0;  ///< bytes, since files were last looked for that have to go
  bool evicted_ = false;
};

/// Where code is kept unless somebody says otherwise: $WEDJAT_JIT_CACHE, which may be `off`, else below
/// $XDG_CACHE_HOME or ~/.cache. Empty: nowhere.
std::filesystem::path usual_code_cache();
/// The same where a folder, `off` or nothing was asked for.
std::filesystem::path code_cache_named(const std::string& wanted);

}  // namespace wedjat::compile
