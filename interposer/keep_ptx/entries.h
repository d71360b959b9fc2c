// Which functions are watched.
#pragma once

namespace wedjat::keep_ptx {

// What the program may call for `found`, which it asked for by name: its own or ours.
void* watched(const char* name, void* found);

}  // namespace wedjat::keep_ptx
