// Preloaded into LTTng's programs when root records. They look at their user id to choose between /var/run/lttng, one
// daemon a machine, and LTTNG_HOME, one daemon wherever it is wanted. A recording wants its own: nothing of it may be
// left behind, and another recording must not get its events.
#include <unistd.h>

__attribute__((visibility("default"))) uid_t getuid(void) { return 1; }
__attribute__((visibility("default"))) uid_t geteuid(void) { return 1; }
