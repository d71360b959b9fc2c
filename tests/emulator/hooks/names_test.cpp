// Names of kernels in reports.
#include "emulator/hooks/report/names.h"

#include <doctest/doctest.h>

using namespace wedjat::hooks;

TEST_CASE("kernels that a message names are demangled, quoted instructions are not") {
  CHECK(demangled_in("trap: t\n  kernel _Z4gemmPfi\n  at k.ptx:4 'call _Z1fv' in _Z1fv\n  CTA (0,0,0)") ==
        "trap: t\n  kernel gemm(float*, int)\n  at k.ptx:4 'call _Z1fv' in f()\n  CTA (0,0,0)");
  CHECK(demangled_in("launch of _Z4gemmPfi: too large") == "launch of gemm(float*, int): too large");
  CHECK(demangled_in("in launch 163 of _Z4gemmPfi, CTA 0") == "in launch 163 of gemm(float*, int), CTA 0");
  CHECK(demangled_in("kernel _Z, of 3 CTAs") == "kernel _Z, of 3 CTAs");
  CHECK(demangled_in("") == "");
}

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

TEST_CASE("a kernel is meant by its name as people read it, in whole or in part, or as the linker knows it") {
  const std::string name = "_ZN3lin4gemmIfLi16EEEvPT_iPFviE";
  REQUIRE(demangled(name) == "void lin::gemm<float, 16>(float*, int, void (*)(int))");
  for (const char* const pattern :
       {"*", "_ZN3lin4gemm*", "void lin::gemm<float, 16>(float*, int, void (*)(int))",
        "lin::gemm<float, 16>(float*, int, void (*)(int))", "lin::gemm<float, 16>", "lin::gemm<float*",
        "lin::gemm", "gemm", "ge*"})
    CHECK_MESSAGE(means_kernel(pattern, name), pattern);
  for (const char* const pattern : {"", "lin", "gem", "gemm<double>", "void", "_ZN3lin4gemm"})
    CHECK_MESSAGE(!means_kernel(pattern, name), pattern);
  CHECK(means_kernel("_ZN12_GLOBAL__N_11kEv", "_ZN12_GLOBAL__N_11kEv"));
  CHECK(means_kernel("k", "_ZN12_GLOBAL__N_11kEv"));
  CHECK(means_kernel("saxpy*", "_Z5saxpyifPKfPf"));
  CHECK(means_kernel("plain", "plain"));
  CHECK_FALSE(means_kernel("plai", "plain"));
}
