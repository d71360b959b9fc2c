#include "cli/reduce/files.h"

#include <fmt/format.h>

#include <optional>

#include "cli/options/library_error.h"
#include "cli/reduce/bundled.h"
#include "emulator/device/error.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::reduce {
namespace {

namespace fs = std::filesystem;

void write_files(const fs::path& folder, const Verdict& verdict, const Case& original, const Case& best,
                 const std::string& name, std::uint64_t tried, const Running& running, bool done) {
  const Case finished = verdict.finished(best);
  traces::write_file(folder / "reduced.ptx", finished.text());
  const std::string elsewhere =
      done ? write_bundle(folder / "bundle", finished, running.contract, running.limits) : "";
  traces::write_file(folder / "report.md", report(verdict, original, finished, name, tried, elsewhere));
}

}  // namespace

void reduce_to(const fs::path& folder, const Verdict& verdict, const Case& original, Case& best,
               Search& search, const std::string& name, const Running& running) {
  try {
    reduce(best, search);
  } catch (...) {
    write_files(folder, verdict, original, best, name, search.tried(), running, false);
    if (device::interrupted() == 0) throw;
    // Where the candidate was that happened to run says nothing.
    throw device::Interrupted(fmt::format(
        "interrupted after {} candidates: {} statements are {} now, in {}; more may go", search.tried(),
        sizes_of(original).statements, sizes_of(best).statements, (folder / "reduced.ptx").string()));
  }
  write_files(folder, verdict, original, best, name, search.tried(), running, true);
}

Reduced reduce_file(const FileQuestion& asked, const std::string& file, const fs::path& folder,
                    unsigned threads, const Search::Progress& progress) {
  const std::string ptx = traces::read_file(file);
  const bool beside = !asked.directives.empty();
  const Case original{split(ptx), expect::parse(beside ? asked.directives : file,
                                                beside ? traces::read_file(asked.directives) : ptx, true)};
  Case best = original;
  Search::Limit limit(asked.seconds);
  std::optional<Verdict> verdict;
  try {
    verdict.emplace(asked.question, best);
  } catch (const cli::LibraryError&) {
    if (device::interrupted() == 0) throw;
    throw device::Interrupted("interrupted before it was known whether " + file + " shows what is to stay");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw traces::FormatError(folder.string(), "cannot be made: " + error.message());
  traces::write_file(folder / "original.ptx", original.text());
  Search search(*verdict, threads, progress, limit);
  reduce_to(folder, *verdict, original, best, search, fs::path(file).filename().string(), asked.running);
  return {verdict->text(), sizes_of(original), sizes_of(best), search.tried(), !search.late()};
}

}  // namespace wedjat::reduce
