// A replay as a page: what was replayed and what was compared.
#pragma once
#include "cli/options/page_options.h"
#include "traces/read/trace.h"
#include "traces/replay/state/report.h"

namespace wedjat::cli {

/// What is known before anything was replayed.
hooks::Page page_of(const traces::Trace& trace);
hooks::Page page_of(const traces::Trace& trace, const traces::ReplayReport& report,
                    const std::string& verdict, const PageOptions& options);

}  // namespace wedjat::cli
