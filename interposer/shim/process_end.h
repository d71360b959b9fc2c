// What must still be told when the process ends.
#pragma once

namespace wedjat::interposer {

void before_process_end();

}  // namespace wedjat::interposer
