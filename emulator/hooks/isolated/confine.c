/* Gives up all this process does not need to watch a program: from here on it can compute, read files, print,
 * and talk through files it has open. Both hosts of isolated tools call it before they load one. */
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int limit(int what, rlim_t most) {
  const struct rlimit limits = {most, most};
  return setrlimit(what, &limits);
}

#if __has_feature(address_sanitizer)
/* Its shadow is larger than any limit of the address space, so it watches the memory in use; its search for
 * leaks would stop threads, which is not allowed here. */
const char* __asan_default_options(void) { return "hard_rss_limit_mb=2048:detect_leaks=0"; }
enum { is_sanitized = 1 };
#else
enum { is_sanitized = 0 };
#endif

__attribute__((visibility("default"))) int wedjat_confine(void) {
  static const int allowed[] = {SCMP_SYS(read),           SCMP_SYS(write),          SCMP_SYS(readv),
                                SCMP_SYS(writev),         SCMP_SYS(pread64),        SCMP_SYS(lseek),
                                SCMP_SYS(close),          SCMP_SYS(fstat),          SCMP_SYS(newfstatat),
                                SCMP_SYS(stat),           SCMP_SYS(lstat),          SCMP_SYS(access),
                                SCMP_SYS(readlink),       SCMP_SYS(getdents64),     SCMP_SYS(getcwd),
                                SCMP_SYS(mmap),           SCMP_SYS(munmap),         SCMP_SYS(mremap),
                                SCMP_SYS(mprotect),       SCMP_SYS(madvise),        SCMP_SYS(brk),
                                SCMP_SYS(futex),          SCMP_SYS(poll),           SCMP_SYS(ppoll),
                                SCMP_SYS(select),         SCMP_SYS(pselect6),       SCMP_SYS(recvfrom),
                                SCMP_SYS(sendto),         SCMP_SYS(clock_gettime),  SCMP_SYS(clock_nanosleep),
                                SCMP_SYS(nanosleep),      SCMP_SYS(gettimeofday),   SCMP_SYS(sched_yield),
                                SCMP_SYS(rt_sigaction),   SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
                                SCMP_SYS(sigaltstack),    SCMP_SYS(getpid),         SCMP_SYS(gettid),
                                SCMP_SYS(getuid),         SCMP_SYS(geteuid),        SCMP_SYS(getgid),
                                SCMP_SYS(getegid),        SCMP_SYS(getrandom),      SCMP_SYS(sysinfo),
                                SCMP_SYS(uname),          SCMP_SYS(exit),           SCMP_SYS(exit_group),
                                SCMP_SYS(restart_syscall)};
  if (!is_sanitized && limit(RLIMIT_AS, (rlim_t)2 << 30)) return -1;
  if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_NOFILE, 64)) return -1;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return -1;
  int failed = 0;
  for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; ++i)
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
  /* Whether a file is a terminal, and close-on-exec; nothing a terminal would do. */
  failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                             SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)TCGETS, 0));
  failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                             SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)FIOCLEX, 0));
  /* A sanitizer asks a pipe whether memory can be read. */
  if (is_sanitized) failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(pipe2), 0);
  /* Files: to read only. Signals: to itself only, for abort(). */
  failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                             SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, O_RDONLY));
  failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                             SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
  failed |= seccomp_load(filter);
  seccomp_release(filter);
  return failed ? -1 : 0;
}
