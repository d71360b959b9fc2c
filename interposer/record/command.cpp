#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "interposer/record/record.h"
#include "interposer/record/separator.h"
#include "interposer/record/sizes.h"

namespace wedjat::interposer {

void add_record_command(CLI::App& app) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand("record", "Run a CUDA program and record all it asks of the driver");
  command->add_option("-o,--output", options->output, "Trace folder to make (default: PROGRAM.wedjat here)");
  command->add_option("--driver", options->driver, "The real libcuda.so.1 (default: searched for)")
      ->check(CLI::ExistingFile);
  command->add_flag(
      "--verify", options->verify,
      "Also keep what each kernel changes in device memory: slow, and every launch is waited for");
  command->add_flag("--time", options->time,
                    "Also keep how long each launch took: the driver's events around it, which nothing waits "
                    "for but which take time themselves");
  command
      ->add_option(
          "--last-memory", options->last_memory,
          "Most device memory, as 4GB, that is read when it is freed and again when the program ends, of "
          "a program that brings no results to the host (default: 1GB; 0: none)")
      ->transform(sizes);
  command->add_flag("--last-memory-always", options->last_memory_always,
                    "Read it also of a program that does");
  command->add_flag("--keep-ptx", options->keep_ptx,
                    "Keep the PTX of what compilers in the program (Triton, torch.compile, NVRTC, nvJitLink) "
                    "give the driver "
                    "as machine code, which replay cannot run");
  command->add_option("command", options->command, "Program and its arguments, after --")->required();
  refuse_separator(*command);
  command->positionals_at_end();
  command->footer("Example: wedjat record -o saxpy.wedjat -- ./saxpy 1024");
  command->callback([options] {
    int code = 125;
    try {
      code = record(*options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "wedjat: %s\n", error.what());
    }
    if (code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace wedjat::interposer
