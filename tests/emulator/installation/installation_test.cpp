#include "emulator/installation/installation.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

namespace fs = std::filesystem;

TEST_CASE("code knows the file it lies in") { CHECK(wedjat::own_file() == fs::canonical("/proc/self/exe")); }

TEST_CASE("the folder above that holds lib/wedjat") {
  for (const char* file :
       {"/root/bin/wedjat", "/root/lib/libwedjat.so.1", "/root/lib/wedjat/live/libcuda.so.1",
        "/root/lib/wedjat/wedjat-tool-host", "/root/tests/some_test"}) {
    INFO(file);
    CHECK(wedjat::installation_of(file) == "/root");
  }
  CHECK(wedjat::installation_of("/opt/lib/wedjat/bin/wedjat") == "/opt/lib/wedjat");
  const fs::path variant = "/root/lib/wedjat/x86-64-v3";
  for (const char* file : {"bin/wedjat", "lib/libwedjat.so.1", "lib/wedjat/live/libcuda.so.1"}) {
    INFO(file);
    CHECK(wedjat::installation_of(variant / file) == variant);
  }
}

TEST_CASE("the environment says it otherwise") {
  setenv("WEDJAT_INSTALLATION", "/elsewhere", 1);
  CHECK(wedjat::installation() == "/elsewhere");
  unsetenv("WEDJAT_INSTALLATION");
  CHECK(wedjat::installation() != "/elsewhere");
}
