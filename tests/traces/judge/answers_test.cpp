// Answers of machines with a GPU, written here.
#include "traces/judge/answers.h"

#include <unistd.h>

#include <filesystem>

#include "tests/traces/judge/launches.h"
#include "traces/format/error.h"

namespace fs = std::filesystem;
using namespace wedjat::traces;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("wedjat-answers-" + std::to_string(getpid()));
  Bundle bundle = test::launch("ld.global.u32 %r0, [%d0]; not.b32 %r1, %r0; st.global.u32 [%d1], %r1;");
  Folder() { write_bundle(path, bundle); }
  ~Folder() { fs::remove_all(path); }
  void answer(const std::string& name, const Runs& runs) const {
    write_runs(path / (name + ".answer"), runs);
  }
};

}  // namespace

TEST_CASE("-O0 agrees and -O3 does not: its machine code is wrong") {
  const Folder folder;
  folder.answer("O0", folder.bundle.expected);
  folder.answer("O3", test::changed(folder.bundle, test::out, 8));
  const auto all = judge_answers(folder.path, {});
  REQUIRE(all.size() == 2);
  CHECK(all[0].compiled == "O0");
  CHECK(all[0].judged.verdict == Judged::agrees);
  CHECK(all[1].judged.verdict == Judged::machine_code);
  CHECK(all[1].judged.fault.has_value());
}

TEST_CASE("where nobody agrees, it may be this emulator") {
  const Folder folder;
  for (const char* name : {"O0", "O3", "driver"})
    folder.answer(name, test::changed(folder.bundle, test::out, 8));
  for (const AnswerJudged& one : judge_answers(folder.path, {})) {
    CHECK(one.judged.verdict == Judged::unknown);
    CHECK(test::has_cause(one.judged, "nobody agrees"));
  }
}

TEST_CASE("no answer, or one to another bundle, is told") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(judge_answers(folder.path, {}), doctest::Contains("holds no answers"), FormatError);
  folder.answer("O0", {{test::out + 64, 1, {std::byte{}}}});
  CHECK_THROWS_WITH_AS(judge_answers(folder.path, {}),
                       doctest::Contains("O0.answer: does not answer this bundle"), FormatError);
}
