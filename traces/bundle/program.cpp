#include "traces/bundle/program.h"

#include <fmt/format.h>

#include "traces/bundle/program_memory.h"
#include "traces/bundle/program_texels.h"

namespace wedjat::traces {
namespace {

// What every program has. It ends with 0 if all is as expected, 1 if bytes differ, 2 if the driver refuses, 3
// if the addresses are not to be had.
constexpr const char* common = R"(
#define must(call) do { CUresult r_ = (call); const char *s_ = "?"; if (r_ != CUDA_SUCCESS) { cuGetErrorString(r_, &s_); \
  fprintf(stderr, "%s: %s\n", #call, s_); exit(2); } } while (0)
typedef unsigned long long u64;
static CUmodule module;
static void *contents_of(const char *name, u64 *bytes) { /* of a whole file */
  FILE *file = fopen(name, "rb"); if (!file) { fprintf(stderr, "%s cannot be read\n", name); exit(2); }
  fseek(file, 0, SEEK_END); *bytes = ftell(file); rewind(file); char *all = calloc(*bytes + 1, 1);
  if (fread(all, 1, *bytes, file) != *bytes) { fprintf(stderr, "%s ends early\n", name); exit(2); }
  return fclose(file), all;
}
)";

constexpr const char* comparing = R"(
static u64 each_run(const char *name, int compare, FILE *answer) { /* {address, bytes, length of the pattern}, pattern */
  u64 size, run[3], differing = 0, compared = 0; char *all = contents_of(name, &size);
  if (answer) fwrite(all, 1, 8, answer);
  for (char *at = all + 8; at < all + size; at += sizeof run + run[2]) {
    memcpy(run, at, sizeof run);
    char *want = malloc(run[1]), *got = malloc(run[1]);
    for (u64 i = 0; i < run[1]; ++i) want[i] = (at + sizeof run)[i % run[2]];
    must(compare ? cuMemcpyDtoH(got, now(run[0], 0), run[1]) : cuMemcpyHtoD(now(run[0], 0), want, run[1]));
    for (u64 i = 0; compare && i < run[1]; ++i)
      if (want[i] != got[i] && differing++ == 0)
        printf("%s: the first difference is at %#llx: %#04x expected, got %#04x\n", name, run[0] + i, want[i] & 255, got[i] & 255);
    if (answer) { u64 head[3] = {run[0], run[1], run[1]}; fwrite(head, 1, sizeof head, answer); fwrite(got, 1, run[1], answer); }
    compared += run[1]; free(want); free(got);
  }
  if (compare) printf("%s: %llu of %llu bytes differ\n", name, differing, compared);
  free(all); return differing;
}
)";

// For a format of printf.
std::string as_c_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    if (c == '%') safe += '%';
    safe += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return safe;
}

std::string shape(const std::uint32_t (&of)[3]) { return fmt::format("{}, {}, {}", of[0], of[1], of[2]); }

// What the kernel must be told before it is launched so.
std::string attributes(const device::LaunchConfig& config, std::string& list) {
  std::string text;
  unsigned count = 0;
  if (config.cluster[0] * config.cluster[1] * config.cluster[2] > 1) {
    text += fmt::format(
        "  must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));\n"
        "  attributes[{}] = (CUlaunchAttribute){{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value = "
        "{{.clusterDim = {{{}, {}, {}}}}}}};\n",
        count, config.cluster[0], config.cluster[1], config.cluster[2]);
    ++count;
  }
  if (config.cooperative) {
    text += fmt::format(
        "  attributes[{}].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE; attributes[{}].value.cooperative = 1;\n",
        count, count);
    ++count;
  }
  if (config.shared_bytes > 48 * 1024)
    text += fmt::format(
        "  must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, {}));\n",
        config.shared_bytes);
  list = count == 0 ? "NULL, 0" : fmt::format("attributes, {}", count);
  return count == 0 ? text : "  CUlaunchAttribute attributes[2] = {0};\n" + text;
}

std::string load(const Bundle& bundle) {
  if (bundle.sources.size() == 1)
    return "  must(cuModuleLoadData(&module, contents_of(argc > 1 ? argv[1] : \"module.ptx\", &size))); /* "
           "or a cubin of "
           "it */\n";
  std::string text = "  CUlinkState link; void *image;\n  must(cuLinkCreate(0, NULL, NULL, &link));\n";
  for (std::size_t i = 0; i < bundle.sources.size(); ++i)
    text += fmt::format("  must(cuLinkAddFile(link, CU_JIT_INPUT_PTX, \"module{}.ptx\", 0, NULL, NULL));\n",
                        i == 0 ? "" : std::to_string(i));
  return text + "  must(cuLinkComplete(link, &image, &size));\n  must(cuModuleLoadData(&module, image));\n";
}

}  // namespace

std::string program_of(const Bundle& bundle) {
  std::string list;
  const std::string attribute_lines = attributes(bundle.config, list);
  std::string text = fmt::format(
      "/* One launch of {}, made by `wedjat`; FORMAT.md of traces/bundle says what the files are.\n"
      " * ./bundle [MODULE [ANSWER]]: MODULE is module.ptx, or what ptxas made of it; ANSWER gets the bytes. "
      "*/\n",
      bundle.kernel);
  text += "#include <cuda.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
  text += memory_tables(bundle) + (common + 1) + memory_functions(bundle) + (comparing + 1) +
          texel_functions(bundle);
  text += R"(int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUfunction kernel; size_t size; u64 bytes, bad = 0;
  must(cuInit(0)); must(cuDeviceGet(&device, 0)); must(cuDevicePrimaryCtxRetain(&context, device)); must(cuCtxSetCurrent(context));
)";
  for (const auto& [name, value] : bundle.limits)
    text += fmt::format("  must(cuCtxSetLimit({}, {}));\n", name, value);
  std::string loading = load(bundle);
  if (bundle.sources.size() == 1) loading.replace(loading.find("&size"), 5, "&bytes");
  text += loading;
  for (const std::string& note : bundle.notes)
    text += fmt::format("  fprintf(stderr, \"NOTE: {}\\n\");\n", as_c_text(note));
  text += fmt::format("  must(cuModuleGetFunction(&kernel, module, \"{}\"));\n", bundle.kernel);
  text += "  place_memory(); each_run(\"input.runs\", 0, NULL);\n" + relocate_input(bundle);
  text += "  char *parameters = contents_of(\"parameters.bin\", &bytes); size = bytes;\n";
  text += relocate_parameters(bundle) + texel_calls(bundle);
  text +=
      "  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, "
      "CU_LAUNCH_PARAM_END};\n";
  text += attribute_lines;
  text += fmt::format("  CUlaunchConfig config = {{{}, {}, {}, NULL, {}}};\n", shape(bundle.config.grid),
                      shape(bundle.config.block), bundle.config.shared_bytes, list);
  text += "  must(cuLaunchKernelEx(&config, kernel, NULL, size ? extra : NULL)); must(cuCtxSynchronize());\n";
  text += relocate_expected(bundle);
  text +=
      "  FILE *answer = argc > 2 ? fopen(argv[2], \"wb\") : NULL;\n"
      "  bad += each_run(\"expected.runs\", 1, answer); if (answer) fclose(answer);\n";
  if (bundle.hardware) text += "  bad += each_run(\"hardware.runs\", 1, NULL);\n";
  text += texel_comparisons(bundle);
  return text + "  return bad != 0;\n}\n";
}

std::string makefile_of(const Bundle& bundle) {
  std::string text =
      "# make run: the launch on this machine's GPU, compared with what was expected.\n"
      "CUDA ?= /usr/local/cuda\nARCH ?= sm_90a\nCC ?= cc\n\n"
      "bundle: main.c\n\t$(CC) -O2 -o $@ main.c -I$(CUDA)/include -L$(CUDA)/lib64/stubs -lcuda\n\n"
      "run: bundle\n\t./bundle\n";
  if (bundle.sources.size() == 1)
    text +=
        "\n# make answers: the same as compiled by ptxas at every level and by the driver, for `wedjat judge "
        "--answer .`\n"
        "levels = O0 O1 O2 O3\n\n"
        "%.cubin: module.ptx\n\t$(CUDA)/bin/ptxas -arch=$(ARCH) -$* -o $@ $<\n\n"
        "answers: bundle $(levels:%=%.cubin)\n"
        "\t-./bundle module.ptx driver.answer\n"
        "\t-for level in $(levels); do ./bundle $$level.cubin $$level.answer; done\n"
        "\t-$(CUDA)/bin/ptxas --version | tail -1 > toolchain.txt\n";
  return text + "\nclean:\n\trm -f bundle *.cubin *.answer toolchain.txt\n.PHONY: run answers clean\n";
}

}  // namespace wedjat::traces
