#include "cli/reduce/files.h"

#include "cli/reduce/bundled.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::reduce {

namespace fs = std::filesystem;

void write_files(const fs::path& folder, const Verdict& verdict, const Case& original, const Case& best,
                 const std::string& name, std::uint64_t tried, const Running& running, bool done) {
  const Case finished = verdict.finished(best);
  traces::write_file(folder / "reduced.ptx", finished.text());
  const std::string elsewhere =
      done ? write_bundle(folder / "bundle", finished, running.contract, running.limits) : "";
  traces::write_file(folder / "report.md", report(verdict, original, finished, name, tried, elsewhere));
}

Reduced reduce_file(const FileQuestion& asked, const std::string& file, const fs::path& folder,
                    unsigned threads, const Search::Progress& progress) {
  const std::string ptx = traces::read_file(file);
  const bool beside = !asked.directives.empty();
  const Case original{split(ptx), expect::parse(beside ? asked.directives : file,
                                                beside ? traces::read_file(asked.directives) : ptx, true)};
  Case best = original;
  Search::Limit limit(asked.seconds);
  const Verdict verdict(asked.question, best);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw traces::FormatError(folder.string(), "cannot be made: " + error.message());
  traces::write_file(folder / "original.ptx", original.text());
  Search search(verdict, threads, progress, limit);
  const auto finish = [&](bool done) {
    write_files(folder, verdict, original, best, fs::path(file).filename().string(), search.tried(),
                asked.running, done);
  };
  try {
    reduce(best, search);
  } catch (...) {
    finish(false);  // as far as it came
    throw;
  }
  finish(true);
  return {verdict.text(), sizes_of(original), sizes_of(best), search.tried(), !search.late()};
}

}  // namespace wedjat::reduce
