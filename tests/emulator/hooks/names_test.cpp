// Names of kernels in reports.
#include "emulator/hooks/report/names.h"

#include <doctest/doctest.h>

using namespace wedjat::hooks;

TEST_CASE("C++ names are demangled, others stay") {
  CHECK(demangled("_Z4gemmPfi") == "gemm(float*, int)");
  CHECK(demangled("gemm") == "gemm");
  CHECK(demangled("_Znonsense") == "_Znonsense");
  CHECK(demangled("") == "");
  const std::string endless = "_Z" + std::string(100000, 'P');
  CHECK(demangled(endless) == endless);
}

TEST_CASE("a report names kernels in cells, findings and titles") {
  Report report;
  report.tables = {{"by line: _Z1kv", {"kernel", "text"}, {Cell("_Z1kv"), Cell("_Z1kv")}}};
  report.findings = {{"error", "race", "_Z1kv", "_Z1kv", "", "", "", 0, 0, 0, 0}};
  demangle(report);
  CHECK(report.tables[0].title == "by line: k()");
  CHECK(std::get<std::string>(report.tables[0].cells[0]) == "k()");
  CHECK(std::get<std::string>(report.tables[0].cells[1]) == "_Z1kv");
  CHECK(report.findings[0].kernel == "k()");
  CHECK(report.findings[0].message == "_Z1kv");
}
