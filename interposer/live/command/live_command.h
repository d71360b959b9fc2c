// `wedjat live`.
#pragma once

namespace CLI {
class App;
}

namespace wedjat::live {

void add_live_command(CLI::App& app);

}  // namespace wedjat::live
