// What Ctrl-C does to commands that run kernels.
#pragma once

namespace wedjat::cli {

/// What a command does once it was interrupted.
enum class Then {
  end,   ///< it tells, and ends; if it has not within some seconds, the signal does what it did before
  keep,  ///< it keeps what it reached, however long that takes
};

/// From now on SIGINT and SIGTERM end the running launch, which says where it was; a second one does
/// what it did before.
void end_launches_on_signals(Then then = Then::end);
/// Between launches: throws device::Interrupted if one came.
void check_interruption();
/// What the command returns then, as a shell would say it.
int interrupted_exit_code();

}  // namespace wedjat::cli
