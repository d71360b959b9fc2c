#include "emulator/compile/cache/code_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "emulator/compile/cache/bytes.h"
#include "emulator/compile/cache/owned_file.h"

namespace wedjat::compile {

namespace fs = std::filesystem;

namespace {

constexpr const char* extension = ".code";
// Of one file: a kernel has 256 places, code of each is some ten thousand bytes.
constexpr std::size_t most_file_bytes = std::size_t{64} << 20;
// How long another process is waited for that is adding code, and what is left by one that died while it was.
constexpr auto patience = std::chrono::seconds(1);
constexpr auto abandoned = std::chrono::hours(1);

// Of all who add to the folder there is one.
class Turn {
 public:
  explicit Turn(const fs::path& path) : file_(path, O_RDWR | O_CREAT, 0600) {
    if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path.string());
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!(has_ = ::flock(file_.descriptor(), LOCK_EX | LOCK_NB) == 0)) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        throw std::system_error(errno, std::generic_category(), path.string());
      if (std::chrono::steady_clock::now() > until) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  bool has() const { return has_; }

 private:
  OwnedFile file_;
  bool has_ = false;
};

}  // namespace

CodeCache::CodeCache(fs::path folder, std::uint64_t most_bytes, std::function<void(const std::string&)> tell)
    : folder_(std::move(folder)), most_bytes_(most_bytes), tell_(std::move(tell)) {}

fs::path CodeCache::file_of(const Key& key) const { return folder_ / (key.hex() + extension); }

void CodeCache::tell_once(const std::string& what) {
  if (told_.insert(what).second && tell_) tell_(what);
}

std::vector<Piece> CodeCache::load(const Key& key) {
  const std::lock_guard lock(mutex_);
  return read(key);
}

std::vector<Piece> CodeCache::read(const Key& key) {
  const fs::path path = file_of(key);
  try {
    if (const auto bytes = read_owned(path, most_file_bytes)) return decode(key, *bytes);
  } catch (const Damaged& error) {
    tell_once(fmt::format("{}: kept native code is not used: {}", path.string(), error.what()));
  }
  return {};
}

void CodeCache::add(const Key& key, std::span<const Piece> pieces) {
  if (pieces.empty()) return;
  const std::lock_guard lock(mutex_);
  try {
    fs::create_directories(fs::absolute(folder_).parent_path());
    if (fs::create_directory(folder_)) fs::permissions(folder_, fs::perms::owner_all);
    const Turn turn(folder_ / "lock");
    if (!turn.has()) return;  // the next one who makes the code may keep it
    std::vector<Piece> all = read(key);
    std::erase_if(all, [&](const Piece& old) {
      return std::ranges::any_of(pieces, [&](const Piece& piece) { return piece.stands_for(old); });
    });
    all.insert(all.end(), pieces.begin(), pieces.end());
    const std::vector<std::byte> bytes = encode(key, all);
    if (bytes.size() > most_file_bytes) return;
    write(key, bytes);
    written_ += bytes.size();
    if (!evicted_ || written_ > most_bytes_ / 8) evict();
  } catch (const std::system_error& error) {
    tell_once(fmt::format("native code cannot be kept in {}: {}", folder_.string(), error.code().message()));
  }
}

// Whoever reads finds the file as it was before or as it is afterwards.
void CodeCache::write(const Key& key, std::span<const std::byte> bytes) {
  std::string name = (folder_ / "new-XXXXXX").string();
  const int made = ::mkostemp(name.data(), O_CLOEXEC);
  if (made < 0) throw std::system_error(errno, std::generic_category(), name);
  int wrong = 0;
  while (!bytes.empty() && wrong == 0) {
    const ssize_t count = ::write(made, bytes.data(), bytes.size());
    if (count >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      wrong = errno;
  }
  if (::close(made) != 0 && wrong == 0) wrong = errno;
  if (wrong == 0 && ::rename(name.c_str(), file_of(key).c_str()) != 0) wrong = errno;
  if (wrong == 0) return;
  ::unlink(name.c_str());
  throw std::system_error(wrong, std::generic_category(), name);
}

// By age, until a quarter of the room is free.
void CodeCache::evict() {
  evicted_ = true;
  written_ = 0;
  struct File {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<File> files;
  std::uint64_t all = 0;
  const auto now = fs::file_time_type::clock::now();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    std::error_code gone;
    File file{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
    if (gone) continue;
    const bool is_half = file.path.filename().string().starts_with("new-");
    if (is_half && now - file.used > abandoned) fs::remove(file.path, gone);
    if (file.path.extension() != extension) continue;
    all += file.bytes;
    files.push_back(std::move(file));
  }
  if (all <= most_bytes_) return;
  std::ranges::sort(files, {}, &File::used);
  for (const File& file : files) {
    if (all <= most_bytes_ / 4 * 3) break;
    std::error_code gone;
    fs::remove(file.path, gone);
    all -= file.bytes;
  }
}

fs::path usual_code_cache() {
  const auto from = [](const char* variable) {
    const char* const text = std::getenv(variable);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string named = from("WEDJAT_JIT_CACHE"); !named.empty()) return named == "off" ? "" : named;
  // Folders that are not whole paths are none (XDG Base Directory Specification).
  if (const fs::path cache = from("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "wedjat" / "code";
  if (const fs::path home = from("HOME"); home.is_absolute()) return home / ".cache" / "wedjat" / "code";
  return {};
}

fs::path code_cache_named(const std::string& wanted) {
  if (wanted.empty()) return usual_code_cache();
  return wanted == "off" ? fs::path() : fs::path(wanted);
}

}  // namespace wedjat::compile
