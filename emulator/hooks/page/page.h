// A page of a report: what was run, what each tool found, the code with its metrics.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/hooks/page/listing.h"
#include "emulator/hooks/report/report.h"

namespace wedjat::hooks {

/// A tool on a page.
struct ToolSection {
  Report report;
  std::string definitions;  ///< Markdown: what its metrics mean; may be empty
};

struct Page {
  std::string title;
  std::vector<std::pair<std::string, std::string>>
      facts;  ///< name and value: the program, the device, the verdict
  std::vector<std::string> notes;
  std::vector<Table> tables;
  std::vector<ToolSection> tools;
  std::vector<Listing> kernels;
  std::map<std::string, std::vector<std::string>>
      sources;  ///< lines of source files, by the name listings have
};

/// The whole file.
std::string to_html(const Page& page);

}  // namespace wedjat::hooks
