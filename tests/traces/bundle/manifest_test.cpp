// Folders that are no bundle, or a broken one.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "traces/bundle/bundle.h"
#include "traces/format/error.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most = 1 << 20;

struct Folder {
  fs::path path = fs::temp_directory_path() / "wedjat-manifest-test";
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
};

Bundle small_bundle() {
  Bundle bundle;
  bundle.kernel = "k";
  bundle.sources = {{"a", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"}};
  bundle.config.grid[0] = 3;
  bundle.config.cooperative = true;
  bundle.parameters.resize(16);
  bundle.limits["CU_LIMIT_STACK_SIZE"] = 4096;
  bundle.pointers = {{8}, {0x7fffffffff000000, 0x7fffffffff000010}, {}};
  bundle.memory = {{0x7fffffffff000000, 64, "x"}};
  add_contents(bundle.input, 0x7fffffffff000000, std::vector<std::byte>(64));
  bundle.arrays.push_back({{4, 2, 0, wedjat::memory::ChannelFormat::s16, 2}, std::vector<std::byte>(32), {}});
  bundle.textures.push_back({5, {0}, {}});
  bundle.textures[0].object.sampler.filter = wedjat::memory::Filter::linear;
  bundle.surfaces.push_back({6, 0});
  bundle.handles.push_back({0, 5});
  return bundle;
}

std::string error_of(const fs::path& folder) {
  try {
    read_bundle(folder, most);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a folder gives back what was written") {
  const Folder folder;
  write_bundle(folder.path, small_bundle());
  CHECK(is_bundle(folder.path));
  const Bundle back = read_bundle(folder.path, most);
  CHECK(back.kernel == "k");
  CHECK(back.config.grid[0] == 3);
  CHECK(back.config.cooperative);
  CHECK(back.parameters.size() == 16);
  CHECK(back.limits == small_bundle().limits);
  REQUIRE(back.pointers.has_value());
  CHECK(back.pointers->parameters == std::vector<std::uint64_t>{8});
  CHECK(back.pointers->input.at(1) == 0x7fffffffff000010);
  CHECK(back.pointers->expected.empty());
  CHECK(back.memory.at(0).address == 0x7fffffffff000000);
  CHECK(back.arrays.at(0).shape.format == wedjat::memory::ChannelFormat::s16);
  CHECK(back.arrays.at(0).input.size() == 32);
  CHECK(back.textures.at(0).object.sampler.filter == wedjat::memory::Filter::linear);
  CHECK(back.surfaces.at(0).handle == 6);
  CHECK(back.handles.at(0).handle == 5);
  CHECK_FALSE(back.hardware.has_value());
  CHECK_THROWS_WITH_AS(write_bundle(folder.path, small_bundle()), doctest::Contains("is not empty"),
                       FormatError);
}

TEST_CASE("what is missing, of a newer version or no bundle is told with its file") {
  const Folder folder;
  CHECK_FALSE(is_bundle(folder.path));
  write_bundle(folder.path, small_bundle());
  const fs::path manifest = folder.path / "manifest.json";
  std::ifstream in(manifest);
  const auto whole = nlohmann::json::parse(in);
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto changed = whole;
    changed[key] = value;
    std::ofstream(manifest) << changed;
    return error_of(folder.path);
  };
  CHECK(with("version", 2).find("manifest.json: is of version 2; this wedjat reads 1") != std::string::npos);
  CHECK(with("format", "other").find("does not describe a bundle") != std::string::npos);
  CHECK(with("grid", "x").find("manifest.json") != std::string::npos);
  CHECK(with("input", "../secret").find("'../secret' is no file of this folder") != std::string::npos);
  CHECK(with("memory", nlohmann::json::array({{{"label", "x"}, {"address", "zz"}, {"bytes", 1}}}))
            .find("is no number") != std::string::npos);
  CHECK(with("limits", {{"exit(1); //", 1}}).find("there is no limit 'exit(1); //'") != std::string::npos);
  CHECK(with("limits", nullptr).find("manifest.json") != std::string::npos);
  CHECK(with("kernel", "k").empty());
  CHECK(with("pointers", nullptr).empty());
  const auto with_pointers = [&](const std::vector<std::uint64_t>& words) {
    std::ofstream out(folder.path / "pointers.bin", std::ios::binary);
    out << "WJPTRS1\n";
    out.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
    out.close();
    return with("kernel", "k");
  };
  CHECK(with_pointers({1, 1, 0, 8, 64}).empty());
  CHECK(with_pointers({1, 0, 0, 16}).find("a pointer behind the end of the parameters") != std::string::npos);
  CHECK(with_pointers({1, ~std::uint64_t{0}, 0, 8}).find("ends before the last pointer") !=
        std::string::npos);
  CHECK(with_pointers({1, 0, 0, 8, 9}).find("has more than its pointers") != std::string::npos);
  CHECK(with_pointers({1, 0}).find("is no file of pointers") != std::string::npos);
  CHECK(with_pointers({1, 0, 0, 0}).empty());
  fs::remove(folder.path / "parameters.bin");
  CHECK(error_of(folder.path).find("parameters.bin") != std::string::npos);
  std::ofstream(manifest) << "{";
  CHECK(error_of(folder.path).find("manifest.json") != std::string::npos);
}

TEST_CASE("contents that lie in no memory, or are too many, are refused before there is room for them") {
  const auto error_with = [](std::uint64_t address, std::uint64_t bytes, std::uint64_t memory) {
    const Folder folder;
    Bundle bundle = small_bundle();
    bundle.memory.at(0).bytes = memory;
    for (Runs* const runs : {&bundle.input, &bundle.expected})
      *runs = {{address, bytes, std::vector<std::byte>(8)}};
    write_bundle(folder.path, bundle);
    return error_of(folder.path);
  };
  constexpr std::uint64_t begin = 0x7fffffffff000000, huge = std::uint64_t{1} << 39;
  CHECK(error_with(begin, 64, 64).empty());
  CHECK(error_with(begin + 8, 56, 64).empty());
  const std::string none = "and no memory or variable that holds them";
  CHECK(
      error_with(begin, huge, 64).find("has contents of 549755813888 bytes at 0x7fffffffff000000, " + none) !=
      std::string::npos);
  CHECK(error_with(begin + 8, 64, 64).find(none) != std::string::npos);
  CHECK(error_with(begin - 8, 64, 64).find(none) != std::string::npos);
  CHECK(error_with(begin, most / 2 + 8, huge)
            .find("has contents of 1048592 bytes, and 1048576 are allowed (--memory-limit)") !=
        std::string::npos);
}
