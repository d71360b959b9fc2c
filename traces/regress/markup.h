// Text inside XML and HTML.
#pragma once

#include "emulator/text/foreign_text.h"

namespace wedjat::traces {

inline std::string escaped(std::string_view text) { return text::html(text); }

}  // namespace wedjat::traces
