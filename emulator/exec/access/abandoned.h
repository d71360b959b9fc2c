// How an attempt to run a launch on several host threads ends early.
#pragma once

namespace wedjat::exec {

/// Thrown where a launch cannot go on: it has to be undone and run by one thread.
struct Abandoned {};

}  // namespace wedjat::exec
