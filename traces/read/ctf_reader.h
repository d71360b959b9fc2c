// Reads the CTF streams LTTng wrote, through libbabeltrace2.
#pragma once

#include <filesystem>
#include <vector>

#include "traces/read/event.h"

namespace wedjat::traces {

// Every event below `events`, in no particular order. A last packet cut short (a killed recording) or any
// other damage is an error unless `damage` is given: then what could be read is returned and the cause is
// added there. Throws FormatError with babeltrace's own account of the cause.
std::vector<Event> read_ctf(const std::filesystem::path& events, std::vector<std::string>* damage = nullptr);

}  // namespace wedjat::traces
