#include "emulator/cli/kernel_options.h"

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

void add_step_limit_option(CLI::App& command, std::uint64_t& step_limit) {
  command.add_option("--step-limit", step_limit,
                     "give up on a kernel when one CTA has run so many warp instructions (default: never)");
}

}  // namespace wedjat::cli
