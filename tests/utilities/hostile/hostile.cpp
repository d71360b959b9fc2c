// Does its worst where the option says: at=create, kernel, event, finish or destroy; how=…
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>
#include <wedjat/tool.hpp>

#ifndef HOSTILE_CAPABILITIES
#define HOSTILE_CAPABILITIES 0
#endif

using namespace wedjat;

struct Hostile : Tool {
  const std::string at = option("at", "event"), how = option("how");
  std::uint32_t counter = counters();

  Hostile() {
    if (at == "create") misbehave();
  }
  ~Hostile() override {
    if (at == "destroy") misbehave();
  }
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      before<&Hostile::on_event>(i, WEDJAT_ROWS | WEDJAT_ADDRESSES);
      count(i, WEDJAT_THREADS, counter);
    }
    if (at == "kernel") misbehave();
  }
  void on_event(const Event& event) {
    if (how == "write_rows" && event.rows != nullptr)
      for (std::uint32_t r = 0; r < 4 && event.rows[r] != nullptr; ++r) std::memset(event.rows[r], 0xff, 8);
    else if (at == "event")
      misbehave();
  }
  void finish() override {
    if (at == "finish") misbehave();
  }

  void misbehave() {
    if (how == "null_write") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "wild_write") *reinterpret_cast<volatile int*>(0x7f1234567000) = 1;
    if (how == "loop")
      for (volatile int i = 0;; i = i + 1) {
      }
    if (how == "sleep")
      for (;;) pause();
    if (how == "allocate")
      for (std::vector<char*> all;;)
        all.push_back(static_cast<char*>(std::memset(new char[1 << 26], 1, 1 << 26)));
    if (how == "fork")
      for (int i = 0; i < 100; ++i) fork();
    if (how == "thread") std::thread([] {}).join();
    if (how == "exit") exit(0);
    if (how == "quick_exit") _exit(0);
    if (how == "abort") abort();
    if (how == "throw") throw std::runtime_error("hostile");
    if (how == "deadly_signal") raise(SIGKILL);
    if (how == "exit_group") syscall(SYS_exit_group, 0);
    if (how == "kill") kill(getppid(), SIGKILL);
    if (how == "recurse") recurse(1);
    if (how == "exec") execl("/bin/sh", "sh", "-c", "true", nullptr);
    if (how == "socket") socket(AF_INET, SOCK_STREAM, 0);
    if (how == "create_file") open("hostile-was-here", O_CREAT | O_WRONLY, 0666);
    if (how == "print")
      for (int i = 0; i < 1000; ++i) ::write(1, std::string(4096, 'x').c_str(), 4096);
    if (how == "no_columns") table("odd", "").row(1, 2);
    if (how == "odd_row") table("odd", "a b c").row(1, 2);
    if (how == "findings")
      for (int i = 0; i < 100000; ++i)
        report({sizeof(wedjat_finding), WEDJAT_ERROR, "x", "y", nullptr, nullptr, 0, 0});
    if (how == "close")
      for (int i = 0; i < 64; ++i) close(i);
    if (how == "talk") ::write(3, std::string(1 << 16, 'x').c_str(), 1 << 16);
    if (how == "long_answer") ::write(3, "\xff\xff\xff\x7f", 4);
    if (how == "write_ring") {
      void* ring = mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
      if (ring != MAP_FAILED) std::memset(ring, 0xff, 1 << 16);
    }
    if (how == "stop") raise(SIGSTOP);
    if (how == "terminate") raise(SIGTERM);
    if (how == "drip") usleep(300000);
    if (how == "nested") {
      const std::string deep(1 << 20, '[');
      const auto size = static_cast<std::uint32_t>(deep.size());
      ::write(3, &size, 4);
      ::write(3, deep.data(), deep.size());
    }
    if (how == "garbage") ::write(3, "\x04\0\0\0\xff\xfe{]", 8);
    if (how == "escapes") {
      ::write(1, "\x1b]0;owned\x07\xff\xfe", 13);
      table("\x1b[2J", "a\x1b b").row("\x1b[31m", 1);
      abort();
    }
    if (how == "ptrace") ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    if (how == "parent") open(("/proc/" + std::to_string(getppid()) + "/mem").c_str(), O_RDWR);
    if (how == "terminal") {
      const int terminal = open("/dev/tty", O_RDONLY);
      char c = 'x';
      if (ioctl(terminal, TIOCSTI, &c) == 0) _exit(1);
    }
    if (how == "shm")
      for (int i = 0; i < 1000; ++i) {
        const int file = memfd_create("x", 0);
        ftruncate(file >= 0 ? file : 5, 1 << 20);
      }
    if (how == "truncate") ftruncate(5, 0), ftruncate(4, 0);
    if (how == "files")
      for (int i = 0; i < 1000; ++i) open("/dev/null", O_RDONLY);
    if (how == "many_counters") counters(1u << 30);
    if (how == "wrong_probe")
      for (const std::uint32_t wrong : {~0u, 1u << 20}) {
        wedjat_instruction at{};
        at.id = wrong;
        before<&Hostile::on_event>(at, ~0u);
      }
    if (how == "tgkill") syscall(SYS_tgkill, getppid(), getppid(), SIGTERM);
    if (how == "queue_signal") {
      siginfo_t info{};
      info.si_code = SI_QUEUE;
      syscall(SYS_rt_sigqueueinfo, getppid(), SIGTERM, &info);
    }
    if (how == "pidfd")
      syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, getppid(), 0), SIGTERM, nullptr, 0);
    if (how == "prlimit") {
      const rlimit none{0, 0};
      prlimit(getppid(), RLIMIT_CPU, &none, nullptr);
      const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
      for (int what = 0; what < RLIM_NLIMITS; ++what) setrlimit(static_cast<__rlimit_resource>(what), &all);
    }
    if (how == "poke") {
      long value = -1;
      const iovec from{&value, sizeof value}, to{&value, sizeof value};
      syscall(SYS_process_vm_writev, getppid(), &from, 1, &to, 1, 0);
    }
    if (how == "io_uring") syscall(SYS_io_uring_setup, 8, std::vector<char>(4096).data());
    if (how == "unmap") munmap(reinterpret_cast<void*>(0x10000), 0x7fffffff0000);
    if (how == "ignore") {
      for (const int signal : {SIGSEGV, SIGTERM, SIGXCPU, SIGPIPE, SIGALRM, SIGBUS})
        ::signal(signal, [](int) {});
      for (;;) *reinterpret_cast<volatile int*>(8) = 1;
    }
    if (how == "endless_line")
      for (const std::string some(4096, 'x');;) ::write(2, some.data(), some.size());
    if (how == "filter") {
      std::uint64_t allow_all[] = {0x7fff000000000006};
      const struct {
        unsigned short length = 1;
        void* filter;
      } program{1, allow_all};
      syscall(SYS_seccomp, 1, 0, &program);
    }
    if (how == "unshare") unshare(CLONE_NEWUSER | CLONE_NEWNS);
    if (how == "no_text") {
      report({sizeof(wedjat_finding), WEDJAT_ERROR, nullptr, nullptr, nullptr, nullptr, 0, 0});
      table("nothing", "").row(1, 2, 3);
    }
    if (how == "huge_table") {
      Table huge = table("huge", "number");
      for (int i = 0; i < 20'000'000; ++i) huge.row(i);
    }
    if (how == "priority") setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 19);
    if (how == "forge_tail" || how == "back_tail")
      if (void* tail = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0); tail != MAP_FAILED)
        for (;;) *static_cast<volatile std::uint64_t*>(tail) = how == "forge_tail" ? ~std::uint64_t{0} : 0;
  }
  int recurse(volatile int depth) { return depth == 0 ? 0 : recurse(depth + 1) + depth; }
};
WEDJAT_TOOL(Hostile, "hostile", "does its worst",
            "at=create, kernel, event, finish or destroy; how=what it does", HOSTILE_CAPABILITIES)
