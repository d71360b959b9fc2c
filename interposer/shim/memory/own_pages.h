// The pages that the recorder itself writes: their first touch is a page fault, too, which would look like a
// write of the application.
#pragma once

namespace wedjat::interposer {

// Has them mapped, once a process.
void populate_own_pages();

}  // namespace wedjat::interposer
