"""Commands over many changed inputs: how each ended, and which ended as it should not.

A finding is a signal, a sanitizer's report, an exit code that is not documented, a tool that died, an error in words of the
C++ library, more than --limit seconds, or more than --memory bytes (of the largest process: the command or a tool's own).
Exit code 1 if there is any; the folder --out then holds of each what was run and said, `SEED.txt`, and the input.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time

INTERNAL = re.compile(r"basic_string|vector::|unordered_map|_M_|map::at|std::|\bbad_\w+|construction from null|stoi|stoul|runtime error:|Sanitizer")
SANITIZED = 99  # exit code of a report
os.environ.setdefault("ASAN_OPTIONS", f"exitcode={SANITIZED}:detect_leaks=0:quarantine_size_mb=16:malloc_context_size=2")
os.environ.setdefault("UBSAN_OPTIONS", f"exitcode={SANITIZED}:print_stacktrace=1")


class Run:
    """One command: how it ended, what it said, seconds, and the memory of the largest of its processes."""

    def __init__(self, words, limit, memory, documented):
        def bound():
            if not os.environ.get("WEDJAT_SANITIZED"):  # a sanitizer's shadow counts as data
                resource.setrlimit(resource.RLIMIT_DATA, (2 * memory, 2 * memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        begin = time.monotonic()
        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                     start_new_session=True, preexec_fn=bound)
            late = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
            late.start()
            _, status, usage = os.wait4(child.pid, 0)
            late.cancel()
            self.seconds = time.monotonic() - begin
            said.seek(0)
            self.said = said.read(200000).decode("utf-8", "replace")
        child.returncode = os.waitstatus_to_exitcode(status)
        self.code = child.returncode
        self.bytes = usage.ru_maxrss * 1024  # of it and of all that it waited for
        self.fault = self.judge(limit, memory, documented)

    def judge(self, limit, memory, documented):
        if self.seconds >= limit:
            return f"{self.seconds:.1f} s"
        if self.code < 0:
            return f"signal {-self.code}"
        if self.code not in documented:
            return f"exit code {self.code}"
        if self.bytes > memory:
            return f"{self.bytes >> 20} MiB"
        strange = INTERNAL.search(self.said)
        return f"says {strange.group()}" if strange else None


class Campaign:
    """`begin(seed, scratch)` makes an input and gives it with the commands: a generator that is sent how each ended."""

    documented = {}  # of each command the exit codes that are no findings
    what = "files"

    def __init__(self, options):
        self.options = options
        self.codes, self.faults, self.inputs = collections.Counter(), [], 0
        self.most_seconds, self.most_bytes = (0.0, -1, ""), (0, -1, "")
        self.end = time.monotonic() + options.seconds
        self.out = pathlib.Path(options.out)
        self.lock = threading.Lock()

    def tools(self, without=()):
        """What --tool knows; fault_injection works on recordings alone."""
        said = subprocess.run([self.options.wedjat, "tools"], capture_output=True, text=True, check=True).stdout
        return [line.split()[0] for line in said.splitlines() if line.split()[0] not in without]

    def one(self, seed):
        with tempfile.TemporaryDirectory(prefix="mutation") as folder:
            made, commands = self.begin(seed, pathlib.Path(folder))
            run = None
            while True:
                try:
                    words = commands.send(run)
                except StopIteration:
                    break
                if time.monotonic() > self.end:
                    return
                run = Run(words, self.options.limit, self.options.memory, self.documented[words[1]])
                self.note(seed, made, words, run)
        with self.lock:
            self.inputs += 1

    def note(self, seed, made, words, run):
        with self.lock:
            self.codes[words[1], run.code] += 1
            self.most_seconds = max(self.most_seconds, (run.seconds, seed, words[1]))
            self.most_bytes = max(self.most_bytes, (run.bytes, seed, words[1]))
            if run.fault is None:
                return
            self.faults.append((seed, run.fault))
        self.out.mkdir(parents=True, exist_ok=True)
        kept = self.out / f"{seed}{made.suffix}"
        if made.is_dir():
            shutil.copytree(made, kept, dirs_exist_ok=True)
        else:
            shutil.copyfile(made, kept)
        with open(self.out / f"{seed}.txt", "a") as text:
            text.write(f"{run.fault}\n{shlex.join(map(str, words))}\n{run.said}\n")

    def run(self):
        seeds = iter(range(self.options.first, self.options.first + self.options.files))

        def work():
            while time.monotonic() < self.end:
                with self.lock:
                    seed = next(seeds, None)
                if seed is None:
                    return
                self.one(seed)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(work) for _ in range(self.options.jobs)]:
                done.result()

    def report(self):
        for (command, code), times in sorted(self.codes.items()):
            print(f"{command:7} exit code {code:3}: {times}")
        (seconds, slow, slow_command), (bytes_, large, large_command) = self.most_seconds, self.most_bytes
        print(f"longest {seconds:.2f} s ({slow_command}, file {slow}), largest {bytes_ >> 20} MiB ({large_command}, file {large})")
        for seed, fault in sorted(self.faults):
            print(f"file {seed}: {fault}")
        print(f"{self.inputs} {self.what}: {len(self.faults)} findings")
        return 1 if self.faults else 0


def parser(description):
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("wedjat")
    options.add_argument("--files", type=int, default=1000)
    options.add_argument("--first", type=int, default=0, help="number of the first file")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--seconds", type=float, default=1e9, help="begin no command after so long")
    options.add_argument("--limit", type=float, default=10, help="seconds of one command")
    options.add_argument("--memory", type=int, default=2 << 30, help="bytes of one process")
    options.add_argument("--without", action="append", default=[], metavar="TOOL", help="leave this tool out; again for more")
    options.add_argument("--out", default="mutations", help="where inputs with findings go")
    return options
