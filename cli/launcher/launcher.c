// `wedjat` of a package: runs the variant of the command that this processor can run best.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/platform/x86.h>
#include <unistd.h>

enum { wrong_arguments = 2, broken_input = 3, refused = 4 };  // exit codes, as the command has them

// Whether this processor has every feature of a level.
#define WEDJAT_FEATURE(name) runs = runs && CPU_FEATURE_ACTIVE(name);
static int runs_v4(void) {
  int runs = 1;
#include "features-x86-64-v4.inc"
  return runs;
}

static int runs_v3(void) {
  int runs = 1;
#include "features-x86-64-v3.inc"
  return runs;
}

static int runs_v2(void) {
  int runs = 1;
#include "features-x86-64-v2.inc"
  return runs;
}

// The best first.
static const struct {
  const char* name;
  int (*runs)(void);
} variants[] = {{"x86-64-v4", runs_v4}, {"x86-64-v3", runs_v3}, {"x86-64-v2", runs_v2}};

// The folder above this executable's, cut in place; NULL if it cannot be found.
static char* installation(char* path, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length < 0) return NULL;
  path[length] = '\0';
  for (int up = 0; up < 2; ++up) {
    char* const slash = strrchr(path, '/');
    if (slash == NULL) return NULL;
    *slash = '\0';
  }
  return path;
}

int main(int argc, char** argv) {
  (void)argc;
  char root[4096], command[4200];
  if (installation(root, sizeof root) == NULL) {
    fprintf(stderr, "wedjat: error: /proc/self/exe: %s\n", strerror(errno));
    return broken_input;
  }
  const char* const asked = getenv("WEDJAT_VARIANT");
  for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
    if (asked != NULL ? strcmp(asked, variants[i].name) != 0 : !variants[i].runs()) continue;
    snprintf(command, sizeof command, "%s/lib/wedjat/%s/bin/wedjat", root, variants[i].name);
    execv(command, argv);
    fprintf(stderr, "wedjat: error: %s cannot be started: %s\n", command, strerror(errno));
    return broken_input;
  }
  if (asked != NULL) {
    fprintf(stderr, "wedjat: error: WEDJAT_VARIANT is '%s'; there are x86-64-v2, x86-64-v3, x86-64-v4\n",
            asked);
    return wrong_arguments;
  }
  fprintf(stderr, "wedjat: error: this processor lacks what the least variant (x86-64-v2) needs\n");
  return refused;
}
