#include "traces/bundle/program_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "traces/bundle/places.h"

namespace wedjat::traces {
namespace {

constexpr const char* finding = R"(
static u64 now(u64 address, int back) { /* of an address of the recording: the one here; or back */
  for (int i = 0; places[i].bytes; ++i) {
    u64 from = back ? places[i].at : places[i].address, to = back ? places[i].address : places[i].at;
    if (address - from < places[i].bytes + !places[i].variable) return address - from + to;
  }
  return address;
}
static void place_memory(void) { /* reserved as far as allocations go, mapped where it is touched */
  CUmemAllocationProp what = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
  CUmemAccessDesc access = {what.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}; CUmemGenericAllocationHandle memory; CUdeviceptr at;
  for (int i = 0; places[i].bytes; places[i++].at = at)
    if (places[i].variable) must(cuModuleGetGlobal(&at, NULL, module, places[i].variable));
)";

constexpr const char* reserving_anywhere = R"(
    else must(cuMemAddressReserve(&at, places[i].bytes + 0x200000, 0, 0, 0));
)";
constexpr const char* reserving_there = R"(
    else if (cuMemAddressReserve(&at, places[i].bytes, 0, places[i].address, 0) != CUDA_SUCCESS || at != places[i].address) {
      fprintf(stderr, "ERROR: the driver does not give the %llu bytes at %#llx, where the recording has them, and which words are addresses is\n"
              "not proved. Nothing was run: they would lead elsewhere. `wedjat run` replays this bundle anywhere.\n", places[i].bytes, places[i].address);
      exit(3);
    }
)";
constexpr const char* mapping = R"(
  for (int i = 0; maps[i].bytes; ++i) {
    must(cuMemCreate(&memory, maps[i].bytes, &what, 0)); must(cuMemMap(at = now(maps[i].address, 0), maps[i].bytes, 0, memory, 0));
    must(cuMemSetAccess(at, maps[i].bytes, &access, 1));
  }
}
)";

constexpr const char* relocation = R"(
static void relocate(const u64 *words, u64 count, int back) { /* words of memory that hold addresses */
  for (u64 i = 0, word; i < count; ++i) {
    must(cuMemcpyDtoH(&word, now(words[i], 0), 8)); word = now(word, back); must(cuMemcpyHtoD(now(words[i], 0), &word, 8));
  }
}
)";

bool moves_memory(const Bundle& bundle) {
  return bundle.pointers && (!bundle.pointers->input.empty() || !bundle.pointers->expected.empty());
}

// Granules that are touched, each with those that follow it without a gap.
std::string maps_of(const Bundle& bundle, const Places& places) {
  std::set<std::uint64_t> granules;
  const auto add = [&](std::uint64_t address, std::uint64_t bytes) {
    for (const auto& variable : bundle.variables)
      if (address - variable.address < variable.bytes) return;
    if (bytes == 0) return;
    for (std::uint64_t at = address / granule; at <= (address + bytes - 1) / granule; ++at)
      granules.insert(at * granule);
  };
  for (const auto& region : bundle.memory)
    if (bundle.surroundings) add(region.address - granule, region.bytes + 2 * granule);
  for (const Runs* const runs : {&bundle.input, &bundle.expected})
    for (const Run& run : *runs) add(run.address, run.bytes);
  for (const auto& texture : bundle.textures) {
    const memory::Texels& texels = texture.object.texels;
    if (texture.levels.empty())
      add(texels.address, texels.pitch != 0 ? texels.pitch * texels.shape.rows() : texels.shape.bytes());
  }
  const auto place_of = [&](std::uint64_t address) {
    return std::ranges::find_if(places.all(), [&](const MovablePart& place) {
      return place.variable.empty() && address - place.address < place.bytes;
    });
  };
  std::string text;
  for (auto at = granules.begin(); at != granules.end();) {
    const std::uint64_t first = *at;
    std::uint64_t end = first;
    for (; at != granules.end() && *at == end && place_of(*at) == place_of(first); ++at) end += granule;
    text += fmt::format("{{{:#x}, {:#x}}}, ", first, end - first);
  }
  return text;
}

}  // namespace

std::string memory_tables(const Bundle& bundle) {
  const Places places(bundle);
  std::string text =
      "static const struct { unsigned long long address, bytes; } maps[] = {" + maps_of(bundle, places);
  text +=
      "{0, 0}};\nstatic struct { const char *variable; unsigned long long address, bytes, at; } places[] = {";
  // References are bound, they have no address for the driver.
  const auto is_reference = [&](const MovablePart& place) {
    return !place.variable.empty() &&
           (std::ranges::count(bundle.textures, place.address, &Bundle::Texture::handle) != 0 ||
            std::ranges::count(bundle.surfaces, place.address, &Bundle::Surface::handle) != 0);
  };
  for (const MovablePart& place : places.all())
    if (!is_reference(place))
      text += place.variable.empty()
                  ? fmt::format("{{NULL, {:#x}, {:#x}, 0}}, ", place.address, place.bytes)
                  : fmt::format("{{\"{}\", {:#x}, {}, 0}}, ", place.variable, place.address, place.bytes);
  return text + "{0, 0, 0, 0}};\n";
}

std::string memory_functions(const Bundle& bundle) {
  std::string text = finding + 1;
  text += (bundle.pointers ? reserving_anywhere : reserving_there) + 1;
  text += mapping + 1;
  if (moves_memory(bundle)) text += relocation + 1;
  return text;
}

std::string relocate_input(const Bundle& bundle) {
  if (!bundle.pointers) return {};
  std::string text =
      "  u64 *pointers = contents_of(\"pointers.bin\", &bytes), word; /* counts and lists: parameters, "
      "input, expected */\n";
  if (moves_memory(bundle)) text += "  relocate(pointers + 4 + pointers[1], pointers[2], 0);\n";
  return text;
}

std::string relocate_parameters(const Bundle& bundle) {
  if (!bundle.pointers) return {};
  return "  for (u64 i = 4; i < 4 + pointers[1]; ++i) { memcpy(&word, parameters + pointers[i], 8); word = "
         "now(word, 0); "
         "memcpy(parameters + pointers[i], &word, 8); }\n";
}

std::string relocate_expected(const Bundle& bundle) {
  return moves_memory(bundle) ? "  relocate(pointers + 4 + pointers[1] + pointers[2], pointers[3], 1);\n"
                              : "";
}

}  // namespace wedjat::traces
