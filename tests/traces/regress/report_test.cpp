#include "traces/regress/report.h"

#include <doctest/doctest.h>

using namespace wedjat::traces;

namespace {

std::vector<Outcome> outcomes() {
  std::vector<Outcome> all(3);
  all[0].recording = {"suite", "fine", "fine.tar.zst"};
  all[0].verdict = Verdict::exact;
  all[0].notes = {"threads race: 7 bytes"};
  all[1].recording = {"suite", "wrong", "wrong.tar.zst"};
  all[1].verdict = Verdict::differs;
  all[1].unexpected_bytes = 3;
  Checked& checked = all[1].report.checked.emplace_back();
  checked.call = "cuMemcpyDtoH_v2";
  checked.difference.differing_bytes = 3;
  checked.difference.expected = "1 < 2";
  all[2].recording = {"suite", "broken", "broken.tar.zst"};
  all[2].error = "a \"quoted\" cause & more";
  return all;
}

}  // namespace

TEST_CASE("JUnit XML counts differences as failures and the rest as errors, and escapes text") {
  const std::string xml = junit_report(outcomes());
  CHECK(xml.find("tests=\"3\" failures=\"1\" errors=\"1\"") != std::string::npos);
  CHECK(xml.find("3 bytes differ unexpectedly") != std::string::npos);
  CHECK(xml.find("<error message=\"it could not be replayed\"") != std::string::npos);
  CHECK(xml.find("expected 1 &lt; 2") != std::string::npos);
  CHECK(xml.find("a &quot;quoted&quot; cause &amp; more") != std::string::npos);
}

TEST_CASE("JSON has the keys that machines read") {
  RegressOptions options;
  const std::string json = json_report(outcomes(), options);
  for (const char* key :
       {"\"programs\"", "\"name\": \"fine\"", "\"suite\": \"suite\"", "\"verdict\": \"differs\"", "\"notes\"",
        "\"differing_bytes\": 3", "\"seconds\"", "\"thread_instructions\"", "\"good\": false"})
    CHECK_MESSAGE(json.find(key) != std::string::npos, key);
  CHECK(json.find("without_contraction") == std::string::npos);
  options.without_contraction = true;
  CHECK(json_report(outcomes(), options).find("differing_bytes_without_contraction") != std::string::npos);
}

TEST_CASE("the HTML page names every program and counts the good ones") {
  const std::string html = html_report(outcomes(), {});
  CHECK(html.find("1 of 3 programs") != std::string::npos);
  for (const char* name : {"suite/fine", "suite/wrong", "suite/broken"})
    CHECK(html.find(name) != std::string::npos);
  CHECK(html.find("threads race: 7 bytes") != std::string::npos);
}
