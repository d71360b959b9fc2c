"""Runs `wedjat info` and `wedjat run` with tools over mutated PTX and keeps what ends them as it should not.

  run_mutations.py WEDJAT --files 1000 --first 0 --jobs 2 --out FOLDER SOURCES...

A finding is a signal, a sanitizer's report, an exit code that is not documented, a tool that died, an error in words of the
C++ library, more than --limit seconds, or more than --memory bytes (of the largest process: the command or a tool's own).
Exit code 1 if there is any; FOLDER then holds the inputs, `SEED.ptx`, and what was run and said, `SEED.txt`.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mutate import mutated

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?")
PARAMETER = re.compile(r"\.param\s*(?:\.align\s+\d+\s*)?(?:\.(\w+)\s+)?(?:\.ptr\S*\s+|\.align\s+\d+\s+|\.(?:global|shared|const|local)\s+)*"
                       r"[\w$%]+\s*(?:\[\s*(\d+)\s*\])?")
HEADER = ".version 9.0 .target sm_90a .address_size 64\n"
HEAD = re.compile(r"^//\s*grid\s+(\d+)\s+(\d+)", re.M)
INTERNAL = re.compile(r"basic_string|vector::|unordered_map|_M_|map::at|std::|\bbad_\w+|construction from null|stoi|stoul|runtime error:|Sanitizer")
SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
ARGUMENTS = {1: "u8:3", 2: "u16:3", 4: "u32:64", 8: "zeros:65536"}
DOCUMENTED = {0, 2, 3, 4, 5, 6}  # 2: what a glance took for a kernel is none
SANITIZED = 99  # exit code of a report


def arguments(text, scratch, random_):
    """An entry of the text with an argument for each of its parameters, as far as a glance can tell."""
    entries = ENTRY.findall(text)
    if not entries:
        return None
    name, parameters = random_.choice(entries)
    words = ["--entry", name]
    for kind, count in PARAMETER.findall(parameters or ""):
        size = SIZES.get((kind or "b8").lstrip("usbf"), 8)
        if count:
            size *= min(int(count), 1 << 16)
            file = scratch / f"zeros{size}"
            file.write_bytes(bytes(size))
            words += ["--arg", f"bytes:{file}"]
        else:
            words += ["--arg", ARGUMENTS.get(size, "zeros:65536")]
    return words


def commands(wedjat, tools, text, whole, file, scratch, seed):
    """What is run on the file: whether it is understood, and the kernel under tools: together, alone or apart."""
    random_ = random.Random(seed + 0.5)
    yield [wedjat, "info", "--check", str(file)]
    words = arguments(text, scratch, random_)
    if words is None:
        return
    head = HEAD.search(whole)
    grid, block = head.groups() if head else ("2", "64")
    files = {tool: f",file={scratch / tool}" for tool in ("memory_trace", "register_trace")}
    specs = [tool + files.get(tool, "") for tool in tools]
    way = random_.random()
    if way < 0.6:
        chosen = ["--check", "--fidelity"] + [word for spec in specs for word in ("--tool", spec)]
    elif way < 0.85:
        chosen = ["--tool", random_.choice(specs)]
    else:
        chosen = [word for spec in random_.sample(specs, 2) for word in ("--tool", spec + ",isolated")]
    if random_.random() < 0.1:
        chosen += ["--html", str(scratch / "page.html")]
    yield [wedjat, "run", str(file), *words, "--grid", grid, "--block", block, "--threads", random_.choice(["1", "2"]),
           "--step-limit", "50000", *chosen]


def whole_module(text):
    """Tests put the same first line before many texts."""
    return text if ".version" in text else HEADER + text


class Run:
    """One command: how it ended, what it said, seconds, and the memory of the largest of its processes."""

    def __init__(self, words, limit, memory):
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
        self.fault = self.judge(limit, memory)

    def judge(self, limit, memory):
        if self.seconds >= limit:
            return f"{self.seconds:.1f} s"
        if self.code < 0:
            return f"signal {-self.code}"
        if self.code not in DOCUMENTED:
            return f"exit code {self.code}"
        if self.bytes > memory:
            return f"{self.bytes >> 20} MiB"
        strange = INTERNAL.search(self.said)
        return f"says {strange.group()}" if strange else None


class Campaign:
    def __init__(self, options):
        self.options = options
        paths = [path for source in options.sources for path in sorted(pathlib.Path(source).rglob("*.ptx")) if path.parent.name != "reject"]
        self.texts = [whole_module(path.read_text("latin-1")) for path in paths if 0 < path.stat().st_size <= options.longest]
        self.tools = [line.split()[0] for line in subprocess.run([options.wedjat, "tools"], capture_output=True, text=True, check=True).stdout.splitlines()]
        self.tools.remove("fault_injection")  # works on recordings alone
        self.codes, self.faults, self.files = collections.Counter(), [], 0
        self.most_seconds, self.most_bytes = (0.0, -1), (0, -1)
        self.out = pathlib.Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()

    def one(self, seed):
        text, whole = mutated(seed, self.texts)
        with tempfile.TemporaryDirectory(prefix="mutation") as folder:
            scratch = pathlib.Path(folder)
            file = scratch / "k.ptx"
            file.write_text(text, "latin-1")
            for words in commands(self.options.wedjat, self.tools, text, whole, file, scratch, seed):
                self.note(seed, text, words, Run(words, self.options.limit, self.options.memory))
        with self.lock:
            self.files += 1

    def note(self, seed, text, words, run):
        with self.lock:
            self.codes[words[1], run.code] += 1
            self.most_seconds = max(self.most_seconds, (run.seconds, seed))
            self.most_bytes = max(self.most_bytes, (run.bytes, seed))
            if run.fault is None:
                return
            self.faults.append((seed, run.fault))
        (self.out / f"{seed}.ptx").write_text(text, "latin-1")
        (self.out / f"{seed}.txt").write_text(f"{run.fault}\n{' '.join(words)}\n{run.said}")

    def run(self):
        end = time.monotonic() + self.options.seconds
        seeds = iter(range(self.options.first, self.options.first + self.options.files))

        def work():
            while time.monotonic() < end:
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
            print(f"{command:5} exit code {code:3}: {times}")
        print(f"longest {self.most_seconds[0]:.2f} s (file {self.most_seconds[1]}), "
              f"largest {self.most_bytes[0] >> 20} MiB (file {self.most_bytes[1]})")
        for seed, fault in sorted(self.faults):
            print(f"file {seed}: {fault}")
        print(f"{self.files} files of {len(self.texts)} texts with {len(self.tools)} tools: {len(self.faults)} findings")
        return 1 if self.faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wedjat")
    parser.add_argument("sources", nargs="+", help="folders of PTX files")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no file after so long")
    parser.add_argument("--limit", type=float, default=10, help="seconds of one command")
    parser.add_argument("--memory", type=int, default=2 << 30, help="bytes of one process")
    parser.add_argument("--longest", type=int, default=100000, help="characters of a text that is mutated")
    parser.add_argument("--out", default="mutations", help="where inputs with findings go")
    os.environ.setdefault("ASAN_OPTIONS", f"exitcode={SANITIZED}:detect_leaks=0:quarantine_size_mb=16:malloc_context_size=8")
    os.environ.setdefault("UBSAN_OPTIONS", f"exitcode={SANITIZED}:print_stacktrace=1")
    campaign = Campaign(parser.parse_args())
    campaign.run()
    return campaign.report()


if __name__ == "__main__":
    sys.exit(main())
