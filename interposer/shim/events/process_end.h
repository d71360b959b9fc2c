// What must still be recorded when the process ends.
#pragma once

namespace wedjat::interposer {

/// Defined where it is known what is open: memory/pending.cpp.
void before_process_end();

}  // namespace wedjat::interposer
