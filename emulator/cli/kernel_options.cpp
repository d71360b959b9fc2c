#include "emulator/cli/kernel_options.h"

namespace wedjat::cli {

void add_contract_option(CLI::App& command, kernel::Contract& contract) {
  static const std::map<std::string, kernel::Contract> names = {{"none", kernel::Contract::none},
                                                                {"ptxas", kernel::Contract::ptxas}};
  command
      .add_option("--contract", contract,
                  "unmarked mul and add: fused where ptxas fuses them, as on hardware, or none")
      ->transform(CLI::Transformer(names, CLI::ignore_case))
      ->type_name("none|ptxas")
      ->default_str("ptxas");
}

void add_step_limit_option(CLI::App& command, std::uint64_t& step_limit) {
  command.add_option("--step-limit", step_limit,
                     "give up on a kernel when one CTA has run so many warp instructions (default: never)");
}

}  // namespace wedjat::cli
