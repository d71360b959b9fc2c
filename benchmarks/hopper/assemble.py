"""Kernels through ptxas, some hundred at a time, as many at once as there are processors."""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import kernel

ERROR = re.compile(r"line (\d+); (?:error|fatal)[^:]*: (.*)")
PATIENCE = 300  # seconds


def ptxas(text, path, program="ptxas", options=()):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as source:
        source.write(text)
        source.flush()
        command = [program, "-arch=sm_90a", *options, source.name, "-o", path]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return -1, "does not end"
    return done.returncode, done.stdout + done.stderr


def named_by(log, named):
    """The kernels that messages of ptxas name by a line of the module, with the message."""
    ends, line = [], kernel.HEAD.count("\n")
    for _, ptx in named:
        line += ptx.count("\n")
        ends.append(line)
    found = {}
    for number, why in ERROR.findall(log):
        index = next((i for i, end in enumerate(ends) if int(number) <= end), None)
        if index is not None:
            found.setdefault(named[index][0], why)
    return found


def assemble(named, path):
    """Makes cubins of the kernels in `named`, a list of (name, PTX): yields (path, names in it, {name: why it is refused}).

    ptxas 13.0 ends with a fault on some modules whose kernels it takes one by one; then each half becomes a cubin."""
    refused = {}
    while named:
        status, log = ptxas(kernel.HEAD + "".join(ptx for _, ptx in named), path)
        if status == 0:
            yield path, [name for name, _ in named], refused
            return
        found = named_by(log, named)
        if not found and len(named) == 1:
            found = {named[0][0]: " ".join(log.split())[:200] or f"ptxas ended with {status}"}
        if not found:
            stem, half = path.removesuffix(".cubin"), len(named) // 2
            yield None, [], refused
            yield from assemble(named[:half], stem + "a.cubin")
            yield from assemble(named[half:], stem + "b.cubin")
            return
        refused.update(found)
        named = [(name, ptx) for name, ptx in named if name not in found]
    yield None, [], refused


def in_batches(named, folder, stem, size=150, processes=None):
    """Yields (path, names of its kernels, refused) for all cubins that `named` takes."""
    batches = [named[start:start + size] for start in range(0, len(named), size)]

    def one(number):
        return list(assemble(batches[number], os.path.join(folder, f"{stem}{number}.cubin")))

    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        for cubins in pool.map(one, range(len(batches))):
            yield from cubins
