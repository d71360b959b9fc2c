// Which tools there are.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/library/errors.h"
#include "emulator/hooks/session/library.h"

using namespace wedjat;
using namespace wedjat::library;

extern "C" WedjatStatus wedjat_tools(char** json) {
  return guarded(__func__, [&] {
    need(json, "json");
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& path : hooks::all_libraries()) {
      nlohmann::json one{{"path", path}};
      if (hooks::is_python(path)) {
        one["name"] = std::filesystem::path(path).stem().string();
        one["summary"] = hooks::summary_of_python(path);
        one["options"] = "";
        one["checks"] = false;
      } else {
        const wedjat_tool& tool = hooks::open_library(path);
        one["name"] = tool.name;
        one["summary"] = tool.summary == nullptr ? "" : tool.summary;
        one["options"] = tool.options == nullptr ? "" : tool.options;
        one["checks"] = (tool.capabilities & WEDJAT_CHECKS) != 0;
      }
      all.push_back(std::move(one));
    }
    *json = json_for_caller(all);
  });
}
