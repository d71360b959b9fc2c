#include "emulator/device/error.h"
#include "emulator/ptx/text/excerpt.h"
#include "traces/extract/extract.h"

namespace wedjat::traces {

std::string trim_ptx(Bundle& bundle, const ReplayOptions& options) {
  std::vector<ptx::Source> whole;
  for (const auto& source : bundle.sources) whole.emplace_back(source.name, source.text);
  // The host may know where a variable lies that no reachable text names.
  std::vector<std::string_view> roots = {bundle.kernel};
  for (const auto& variable : bundle.variables) roots.push_back(variable.label);
  ptx::Excerpt excerpt = ptx::excerpt(whole, roots);
  if (!excerpt.whole_because.empty()) return excerpt.whole_because;

  std::vector<device::PtxSource> trimmed;
  for (std::size_t i = 0; i < excerpt.texts.size(); ++i)
    if (!excerpt.texts[i].empty())
      trimmed.push_back({bundle.sources[i].name, std::move(excerpt.texts[i]), bundle.sources[i].contract});
  std::swap(bundle.sources, trimmed);
  try {
    prove(bundle, options);
  } catch (const device::Refused& refused) {
    std::swap(bundle.sources, trimmed);
    return std::string("with less of it, ") + refused.what();
  }
  return {};
}

}  // namespace wedjat::traces
