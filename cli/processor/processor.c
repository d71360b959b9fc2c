// Ends the program with a message if this processor lacks what the rest of it was compiled for.
#include <stdlib.h>
#include <string.h>
#include <sys/platform/x86.h>
#include <unistd.h>

static void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _Exit(4);
}

// Before all other constructors: 101 is the first priority that programs may use.
__attribute__((constructor(101))) static void refuse_lesser_processor(void) {
  const char* missing = NULL;
#define WEDJAT_FEATURE(name) \
  if (!CPU_FEATURE_ACTIVE(name)) missing = #name;
#include "processor_features.inc"
#undef WEDJAT_FEATURE
  if (missing == NULL) return;
  say("wedjat: error: this program was built for a processor (" WEDJAT_ARCH ") that has ");
  say(missing);
  say(", which this one lacks: build it here, or install the package, which runs on any x86-64-v2\n");
  _Exit(4);
}
