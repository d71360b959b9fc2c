// Names and small codes of FORMAT.md that recorder and readers must spell alike.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wedjat::traces {

inline constexpr std::uint32_t kFormatVersion = 5;
inline constexpr std::uint32_t kWholeHostMemory = 2;  // the format since which host_rest is recorded
inline constexpr std::uint32_t kImpliedExits = 5;     // since which calls may have no exit event
// In the recorded program's environment.
inline constexpr const char* kVerifyVariable = "WEDJAT_VERIFY";
inline constexpr const char* kTimeVariable = "WEDJAT_TIME";  // launches are timed
inline constexpr const char* kStagingVariable =
    "WEDJAT_STAGING";  // where traces/format/staging.h finds memory
// How many bytes of device memory are read when it is freed, and again when the program ends
// (`device_memory`).
inline constexpr const char* kLastMemoryVariable = "WEDJAT_LAST_MEMORY";
inline constexpr const char* kAlwaysLastMemoryVariable = "WEDJAT_LAST_MEMORY_ALWAYS";
inline constexpr std::uint64_t kLastMemoryBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kNoCall = ~std::uint64_t{0};  // `call` of what no call brought about
inline constexpr const char* kCallProvider = "wedjat_cuda";
inline constexpr const char* kMetaProvider = "wedjat_meta";
inline constexpr const char* kEntrySuffix = "_entry";
inline constexpr const char* kExitSuffix = "_exit";
inline constexpr const char* kInSuffix = "_in";
inline constexpr const char* kOutSuffix = "_out";

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kStateFile = "state";
inline constexpr const char* kEventsFolder = "events";
inline constexpr const char* kBlobsFolder = "blobs";

// Longest payload carried inside an event; longer ones go to the blob store.
inline constexpr std::size_t kInlineBytes = 4096;

enum class Phase : std::uint8_t { entry = 0, exit = 1, later = 2 };

enum class ImageKind : std::uint8_t { ptx = 1, elf = 2, fatbin = 3, archive = 4, other = 5 };

enum class HostRangeKind : std::uint8_t { pinned = 1, registered = 2, managed = 3, graph = 4 };

enum class HostRangeOperation : std::uint8_t { begins = 1, ends = 2 };

}  // namespace wedjat::traces
