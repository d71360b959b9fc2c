// Programs under `wedjat live`.
#include "tests/interposer/live/live.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

TEST_CASE("a program of the driver API computes what it should") {
  const Outcome outcome = live("saxpy");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("native code of its kernels computes the same, or is refused where there is none") {
  const bool possible = wedjat("--version").output.find("native code: yes") != std::string::npos;
  const Outcome native = live("saxpy", "--jit all");
  INFO(native.output);
  CHECK(native.code == (possible ? 0 : 4));
  CHECK((native.output == "") == possible);
  CHECK(live("saxpy", "--jit off").code == 0);
  CHECK(live("saxpy", "--jit sometimes").code == 2);
}

TEST_CASE("native code is kept when the program ends") {
  if (wedjat("--version").output.find("native code: yes") == std::string::npos) return;
  const Folder folder;
  const std::filesystem::path kept = folder.path / "kept";
  const Outcome outcome = shell("WEDJAT_JIT_CACHE=" + kept.string() + " " + WEDJAT_COMMAND +
                                " live --jit all -- " + WEDJAT_LIVE_PROGRAMS + "/saxpy");
  CHECK(outcome.code == 0);
  REQUIRE(std::filesystem::is_directory(kept));
  CHECK(std::ranges::any_of(std::filesystem::directory_iterator(kept),
                            [](const auto& each) { return each.path().extension() == ".code"; }));
}

TEST_CASE("graphs are captured, made, changed and launched") {
  const Outcome outcome = live("graphs");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("executable graphs hold what their graphs were given") {
  const Outcome outcome = live("user_objects");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("graphs decide what runs: if, else, while, switch") {
  const Outcome outcome = live("conditions");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("kernels launch graphs: behind their own, beside it, their own once more") {
  const Outcome outcome = live("graph_launches");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("in cudaGraphLaunch") != std::string::npos);  // which fails at last
}

TEST_CASE("texture and surface references, and launches that are set up piece by piece") {
  const Outcome outcome = live("references");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("arrays, textures, the linker, occupancy, pools and virtual memory") {
  const Outcome outcome = live("objects");
  CHECK(outcome.code == 0);
  INFO(outcome.output);
  CHECK(outcome.output.find("expected") == std::string::npos);
  CHECK(outcome.output.find("not so") == std::string::npos);
}

TEST_CASE(
    "clusters, cooperative grids, libraries, registered memory, levels of arrays, several host threads") {
  const Outcome outcome = live("launches");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("0 wrong") != std::string::npos);
}

TEST_CASE("the same program gets the same addresses") {
  const std::string first = live("launches").output;
  CHECK(first.find("memory at ") != std::string::npos);
  CHECK(live("launches").output == first);
}

TEST_CASE("a tensor map is made and used") {
  for (const char* program : {"tensor_map", "im2col"}) {
    const Outcome outcome = live(program);
    INFO(outcome.output);
    CHECK(outcome.code == 0);
    CHECK(outcome.output.find("expected") == std::string::npos);
    CHECK(outcome.output.find("not so") == std::string::npos);
  }
}

TEST_CASE("the recorder's example runs") {
  const Outcome outcome = live("driver");
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "driver: 0 wrong\n");
}

TEST_CASE("every function of the table is there, by name and through cuGetProcAddress") {
  const Folder folder;
  std::ifstream file(std::string(WEDJAT_SOURCE_DIR) + "/interposer/api/api_table.json");
  const auto table = nlohmann::json::parse(file);
  std::string names;
  for (const auto& function : table.at("functions"))
    names += function.at("name").get<std::string>() + " " + function.at("base").get<std::string>() + " " +
             std::to_string(function.at("version").get<int>()) + " " +
             function.at("flavour").get<std::string>() + "\n";
  const Outcome outcome = live("resolve " + folder.file("names", names));
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("wrong calls get the driver's codes, and a failed kernel stays with its context") {
  const Outcome outcome = live("bad_calls");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("expected") == std::string::npos);
}

TEST_CASE("with --keep-ptx what compilers in a program made runs, and without it is refused") {
  const std::string program = "compiled " WEDJAT_BUILD_DIR "/tests/fake_compilers/libnvrtc.so";
  const Outcome kept = live(program, "--keep-ptx");
  INFO(kept.output);
  CHECK(kept.code == 0);
  const Outcome refused = live(program);
  INFO(refused.output);
  CHECK(refused.code == 1);
  CHECK(refused.output.find("no PTX that a device of compute capability 9.0 runs") != std::string::npos);
  const Folder folder;
  const std::string trace = (folder.path / "trace").string();
  const Outcome recorded = live(program, "--keep-ptx --record " + trace);
  INFO(recorded.output);
  CHECK(recorded.code == 0);
  const Outcome replayed = wedjat("replay " + trace);
  INFO(replayed.output);
  CHECK(replayed.code == 0);
  CHECK(replayed.output.find("exact: all 16 bytes") != std::string::npos);
}

TEST_CASE("our runtime counts as loaded, so no library takes one of its own in its place") {
  const Outcome outcome = wedjat("live -- grep -c lib/wedjat/live/libcudart.so.13 /proc/self/maps");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
}

TEST_CASE("a program may end while native code of its kernels is being made") {
  for (unsigned rounds = 500; rounds < 64000; rounds += rounds / 3) {
    const Outcome outcome = live("hot " + std::to_string(rounds));
    INFO(rounds, " rounds: ", outcome.output);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("what is not carried out is told once and counted; --strict ends the program") {
  const Outcome lenient = live("unsupported");
  CHECK(lenient.code == 0);
  CHECK(lenient.output.find("went on") != std::string::npos);
  CHECK(lenient.output.find("wedjat: cuGraphicsUnregisterResource is not carried out\n") !=
        std::string::npos);
  CHECK(lenient.output.find("wedjat: 3 calls of 2 functions were not carried out") != std::string::npos);
  const Outcome strict = live("unsupported", "--strict");
  CHECK(strict.code == 4);
  CHECK(strict.output.find("went on") == std::string::npos);
}

TEST_CASE("tools watch a live run; what they find gives code 6 if the program ends well") {
  const Outcome clean = live("saxpy", "--check");
  CHECK(clean.code == 0);
  CHECK(clean.output.find("memory_check:\n  no errors: 3 launches watched") != std::string::npos);
  const Outcome counted = live("saxpy", "--tool instruction_count");
  CHECK(counted.output.find("saxpy  1728  54792") != std::string::npos);
  const Outcome found = live("out_of_bounds", "--tool memory_check");
  INFO(found.output);
  CHECK(found.code == 6);
  CHECK(found.output.find("out_of_bounds") != std::string::npos);
  CHECK(live("out_of_bounds").code == 0);
  CHECK(live("saxpy", "--fidelity").output.find("not_exact\n                 1728         0") !=
        std::string::npos);
  const Outcome missing = live("saxpy", "--tool nosuch");
  CHECK(missing.code == 2);
  CHECK(missing.output.find("no tool 'nosuch'") != std::string::npos);
}

TEST_CASE("managed variables are no leaks: they go with their module, when nobody watches any more") {
  const Outcome outcome = live("managed", "--tool memory_check");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("no errors: 1 launch watched") != std::string::npos);
  CHECK(outcome.output.find("leak") == std::string::npos);
}

TEST_CASE("what a tool writes may have a name that is no UTF-8") {
  const Folder folder;
  const std::filesystem::path file = folder.path / "caf\xe9.mem";
  const Outcome outcome = live("saxpy", "--tool memory_trace,file=" + file.string());
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("--lenient lets through what a GPU does not notice, and says how much it was") {
  const Outcome strict = live("lenient");
  CHECK(strict.code != 0);
  CHECK(strict.output.find("`wedjat live --lenient` lets through") != std::string::npos);
  const Outcome lenient = live("lenient", "--lenient");
  INFO(lenient.output);
  CHECK(lenient.code == 0);
  CHECK(lenient.output.find("accesses beyond allocations, that a GPU allows") != std::string::npos);
  CHECK(lenient.output.substr(lenient.output.rfind(' ') + 1) == "4\n");
}

TEST_CASE("a program is not run in vain") {
  const Folder folder;
  const std::string ran = (folder.path / "ran").string();
  const Outcome outcome = wedjat("live --json " + (folder.path / "no/such").string() + " -- touch " + ran);
  CHECK(outcome.code == 3);
  CHECK(outcome.output.find("no/such: cannot be written") != std::string::npos);
  CHECK(wedjat("live --tool nosuch -- touch " + ran).code == 2);
  CHECK_FALSE(std::filesystem::exists(ran));
}

TEST_CASE("a value that was forgotten is not the -- behind it") {
  const Folder folder;
  const std::string ran = (folder.path / "ran").string();
  for (const char* const command : {"live --json", "live --record", "live --tool", "record -o"}) {
    const Outcome outcome = wedjat(std::string(command) + " -- touch " + ran);
    INFO(outcome.output);
    CHECK(outcome.code == 2);
    CHECK(outcome.output.find("wants a value, which -- is not") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(ran));
}

TEST_CASE("--json tells the end of every process") {
  const Folder folder;
  const std::string file = (folder.path / "summary").string();
  CHECK(live("out_of_bounds", "--tool memory_check --json " + file).code == 6);
  std::ifstream in(file);
  const auto summary = nlohmann::json::parse(in);
  CHECK(summary["exit_code"] == 0);
  CHECK(summary["wedjat_exit_code"] == 6);
  REQUIRE(summary["processes"].size() == 1);
  CHECK(summary["processes"][0]["launches"] == 1);
  CHECK(summary["processes"][0]["kernels"].empty());  // it failed
  CHECK(summary["processes"][0]["tools"][0]["tool"] == "memory_check");
  CHECK(live("unsupported", "--json " + file).code == 0);
  std::ifstream again(file);
  CHECK(nlohmann::json::parse(again)["processes"][0]["not_carried_out"]["cuGraphicsUnregisterResource"] == 2);
}

TEST_CASE("--json tells how often each kernel ran, how much of it natively, and what making that took") {
  const bool possible = wedjat("--version").output.find("native code: yes") != std::string::npos;
  const Folder folder;
  const std::string file = (folder.path / "summary").string();
  const auto kernel_with = [&](const std::string& jit) {
    CHECK(live("saxpy", "--json " + file + " --jit " + jit).code == 0);
    std::ifstream in(file);
    const auto process = nlohmann::json::parse(in)["processes"][0];
    REQUIRE(process["kernels"].size() == 1);
    CHECK(process["kernels"][0]["kernel"] == "saxpy");
    CHECK(process["kernels"][0]["launches"] == process["launches"]);
    CHECK(process["kernels"][0]["seconds"] > 0);
    return process;
  };
  const auto interpreted = kernel_with("off");
  CHECK(interpreted["kernels"][0]["native_steps"] == 0);
  CHECK(interpreted["native"].empty());
  if (!possible) return;
  const auto native = kernel_with("all");
  CHECK(native["kernels"][0]["steps"] == interpreted["kernels"][0]["steps"]);
  CHECK(native["kernels"][0]["native_steps"] > 0);
  REQUIRE(native["native"].size() == 1);
  CHECK(native["native"][0]["kernel"] == "saxpy");
  CHECK(native["native"][0]["pieces"].get<int>() + native["native"][0]["kept"].get<int>() > 0);
}

TEST_CASE("a live run is recorded, and the trace replays to the same bits") {
  const Folder folder;
  const std::string trace = (folder.path / "trace").string();
  const Outcome recorded = live("saxpy", "--record " + trace);
  INFO(recorded.output);
  CHECK(recorded.code == 0);
  const Outcome replayed = wedjat("replay " + trace);
  INFO(replayed.output);
  CHECK(replayed.code == 0);
  CHECK(replayed.output.find("recorded on NVIDIA H200, emulated by wedjat live") != std::string::npos);
  CHECK(replayed.output.find("exact: all 12,002 bytes the emulated device brought back") !=
        std::string::npos);
  CHECK(wedjat("info " + trace).output.find("emulated by wedjat live") != std::string::npos);
}

TEST_CASE("memory that is given out again holds zeros, in the replay of the recording too") {
  const Folder folder;
  const std::string trace = (folder.path / "trace").string();
  const Outcome recorded = live("given_again", "--record " + trace);
  INFO(recorded.output);
  CHECK(recorded.code == 0);
  const Outcome replayed = wedjat("replay " + trace);
  INFO(replayed.output);
  CHECK(replayed.code == 0);
}

TEST_CASE("graphs that decide, nodes of captures and calls that do little replay as they ran") {
  for (const std::string program : {"conditions", "graphs", "graph_copies", "high_memory", "odd_calls"}) {
    const Folder folder;
    const std::string trace = (folder.path / "trace").string();
    CHECK(live(program, "--record " + trace).code == 0);
    const Outcome replayed = wedjat("replay " + trace);
    INFO(replayed.output);
    CHECK(replayed.code == 0);
  }
}

TEST_CASE(
    "what waits left unseen of memory that both sides see is compared when the context or the program ends") {
  for (const auto& [program, place] :
       {std::pair{"left_unseen", "cuDevicePrimaryCtxRelease"}, std::pair{"left_unseen kept", "the end"},
        std::pair{"left_unseen released written", "cuDevicePrimaryCtxRelease"},
        std::pair{"left_unseen kept written", "the end"}}) {
    bool compared = false;
    // A wait that finds time for a look leaves nothing to be looked at later: not so in each of three runs.
    for (int tries = 0; tries < 3 && !compared; ++tries) {
      const Folder folder;
      const std::string trace = (folder.path / "trace").string();
      CHECK(live(program, "--record " + trace).code == 0);
      const Outcome replayed = wedjat("replay " + trace);
      INFO(replayed.output);
      CHECK(replayed.code == 0);
      compared = replayed.output.find(std::string("host memory at ") + place) != std::string::npos;
    }
    CHECK(compared);
  }
}

TEST_CASE("memory that both sides see and no kernel changes is compared all the same") {
  const Folder folder;
  const std::string trace = (folder.path / "trace").string();
  CHECK(live("left_unseen same", "--record " + trace).code == 0);
  const Outcome replayed = wedjat("replay " + trace);
  INFO(replayed.output);
  CHECK(replayed.code == 0);
  CHECK(replayed.output.find(", unchanged ") != std::string::npos);
  CHECK(replayed.output.find("exact: all 67,108,864 bytes") != std::string::npos);
}

TEST_CASE("machine code without PTX is refused with its file and its kernels") {
  const Folder folder;
  // An ELF file with the section names that a cubin of two kernels has, and nothing else.
  std::string names("\0.shstrtab\0.text.first\0.text.second\0", 37);
  std::string elf(64, '\0');
  elf.replace(0, 5,
              "\x7f"
              "ELF\2");
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) elf[at + i] = static_cast<char>(value >> 8 * i);
  };
  const auto section = [&](std::uint64_t name, std::uint64_t offset, std::uint64_t size) {
    const std::size_t at = elf.size();
    elf.append(64, '\0');
    put(at, name, 4);
    put(at + 24, offset, 8);
    put(at + 32, size, 8);
  };
  put(40, 64, 8);  // where the sections are told
  put(48, 90, 4);  // sm_90
  put(58, 64, 2);
  put(60, 3, 2);
  section(1, 64 + 3 * 64, names.size());
  section(11, 0, 0);
  section(23, 0, 0);
  const std::string file = folder.file("code.cubin", elf + names);
  const Outcome outcome = live("load " + file);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("code.cubin holds machine code for sm_90 (kernels first, second) and no PTX") !=
        std::string::npos);
}

TEST_CASE("--shell prints an environment in which programs find the driver") {
  const std::string program = std::string(WEDJAT_LIVE_PROGRAMS) + "/saxpy";
  const Outcome outcome = shell("eval \"$(" + std::string(WEDJAT_COMMAND) + " live --shell)\" && " + program);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
}

TEST_CASE("wrong arguments, and programs that are not there") {
  CHECK(wedjat("live").code == 2);
  CHECK(wedjat("live --shell -- true").code == 2);
  CHECK(wedjat("live --threads 5000 -- true").code == 2);
  CHECK(wedjat("live -- /nowhere/at/all").code == 127);
  CHECK(wedjat("live -- sh -c 'exit 42'").code == 42);
}

TEST_CASE("handlers of the program's end still call the driver, recorded or not") {
  const Outcome outcome = live("late");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "");
  const Folder folder;
  const std::string trace = (folder.path / "trace").string();
  const Outcome recorded = live("late", "--record " + trace);
  INFO(recorded.output);
  CHECK(recorded.code == 0);
  const Outcome replayed = wedjat("replay " + trace);
  INFO(replayed.output);
  CHECK(replayed.code == 0);
}
