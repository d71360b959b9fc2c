#include "cli/options/kernel_options.h"

#include "cli/options/numbers.h"

namespace wedjat::cli {

void add_contract_option(CLI::App& command, kernel::Contract& contract) {
  command
      .add_option_function<std::string>(
          "--contract",
          [&contract](const std::string& name) {
            contract = name == "none" ? kernel::Contract::none : kernel::Contract::ptxas;
          },
          "unmarked mul and add: fused where ptxas fuses them, as on hardware, or none")
      ->check(CLI::IsMember({"none", "ptxas"}))
      ->default_str("ptxas");
}

void add_limit_options(CLI::App& command, device::LaunchLimits& limits) {
  command
      .add_option("--step-limit", limits.step_limit,
                  "give up on a kernel when one CTA has run so many warp instructions (default: never)")
      ->check(whole_numbers);
  command
      .add_option("--launch-step-limit", limits.launch_step_limit,
                  "give up on a kernel when all its CTAs have run so many (default: never)")
      ->check(whole_numbers);
  command
      .add_option("--stack-limit", limits.stack_limit,
                  "bytes of local memory for a thread that recurses, calls through pointers or uses alloca")
      ->check(CLI::Range(std::uint64_t{1024}, std::uint64_t{64} << 20))
      ->capture_default_str();
}

void choose(kernel::Contract contract, const device::LaunchLimits& limits, WedjatRunOptions& to) {
  to.contract = contract == kernel::Contract::none ? WEDJAT_CONTRACT_NONE : WEDJAT_CONTRACT_PTXAS;
  to.step_limit = limits.step_limit;
  to.launch_step_limit = limits.launch_step_limit;
  to.stack_limit = limits.stack_limit;
}

}  // namespace wedjat::cli
