#include "interposer/shim/process_end.h"

#include "interposer/shim/pending.h"

namespace wedjat::interposer {

void before_process_end() { abandon_all_copies("the program ended without waiting for it"); }

}  // namespace wedjat::interposer
