#include "emulator/cli/contract_option.h"

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

}  // namespace wedjat::cli
