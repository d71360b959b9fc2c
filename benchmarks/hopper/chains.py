"""Chains of one form: each instance reads what the one before it has written. One chain shows the latency, several beside each other the throughput."""

import re
from dataclasses import dataclass, field

import scene
import ways


@dataclass
class Body:
    """What is repeated in a kernel, and what it needs before and after."""

    name: str  # lat:d0:s1, thr
    chains: int
    way: str = "none"
    registers: list = field(default_factory=list)  # (name, size, kind of value or None)
    setup: list = field(default_factory=list)
    instance: list = field(default_factory=list)  # PTX of one instance for each chain
    keep: list = field(default_factory=list)
    guarded: bool = True
    is_apart: bool = False  # neighbours have a permutation of bytes between them
    instances: str | tuple = "some"  # how many of them in the shorter and in the longer loop, or a key of `kernel.INSTANCES`
    begins: str = ""  # PTX at the beginning of every turn of a loop
    ends: str = ""  # at its end
    after: str = ""  # at the end of the kernel
    threads: int = 1024  # at most in a CTA; fewer may have more registers
    cluster: int = 0  # CTAs of a cluster
    shared: int = 0  # bytes of `sbuf`
    module: str = ""  # what stands before the kernel

    def text(self, index):
        """Guards that only the run knows keep ptxas from joining neighbours, and are always true."""
        text = self.instance[index % self.chains]
        return f"@%g{index % 3} {text}" if self.guarded else text


class Chain:
    """Names for the registers of one chain of a body."""

    def __init__(self, body, form, link, index):
        self.body, self.form, self.link, self.index = body, form, link, index
        self.names, self.after = [], []
        for number, group in enumerate(form.groups):
            for element in range(group.count):
                self.names.append(self._name(number, group, element))
        body.instance.append(self._text())

    def _register(self, name, size, kind):
        if all(name != known for known, _, _ in self.body.registers):
            self.body.registers.append((name, size, kind))
        return name

    def _name(self, number, group, element):
        written, read = self.link if self.link else (None, None)
        if group.written:
            kind = scene.kind_of_value(self.form, group)
            name = self._register(f"%d{self.index}_{number}_{element}", group.size, kind)
            self.body.keep.append((name, group.size))
            return name
        if group is read:
            start = self.form.groups.index(written)
            before = f"%d{self.index}_{start}_{element % written.count}"
            if written.size == read.size and not self.body.is_apart:
                return before
            kind = scene.kind_of_value(self.form, group)
            name = self._register(f"%w{self.index}_{number}_{element}", group.size, kind)
            text = ways.APART[read.size] if written.size == read.size else ways.way(written.size, read.size)[1]
            self.after.append(text.format(name, before))
            return name
        return self._register(f"%s{number}_{element}", group.size, scene.kind_of_value(self.form, group))

    def _text(self):
        text, address = self.form.with_registers(self.names), scene.address_of(self.form)
        if address is not None:
            space, size = scene.ADDRESSES[address]
            name = self._register(f"%a{self.index}", size, None)
            if space == "shared":
                self.body.shared = scene.BYTES_SHARED
            self.body.setup.append(scene.address_setup(space, name, stride_of(self.form), self.index))
            text = text.replace(f"[{address}]", f"[{name}]")
            if self.link and self.link[1] is None:
                start = self.form.groups.index(self.link[0])
                names = [f"%d{self.index}_{start}_{element}" for element in range(self.link[0].count)]
                self.after.append(way_to_address(self.form, self.link[0], names)[1].format(name, names[0]))
            elif not self.form.destinations:
                text = text.replace(f"[{name}]", f"[{name}+{{offset}}]")
        return text + "".join(" " + line for line in self.after)


def stride_of(form):
    """How many bytes a lane accesses, or may."""
    if re.match("discard|applypriority|prefetch", form.opcode):
        return 128
    groups = form.destinations or form.sources
    size = {"b16": 2, "b32": 4, "b64": 8, "b128": 16}.get(groups[0].size, 4) * groups[0].count if groups else 4
    return max(4, 1 << (size - 1).bit_length())


def links(form):
    """Every pair of a result and an operand that can be chained; (result, None) is the chain through the address."""
    found = []
    for written in form.destinations:
        for read in form.sources:
            if scene.kind_of_value(form, read) != "ones" and ways.way(written.size, read.size) is not None:
                found.append((written, read))
        if scene.address_of(form) and way_to_address(form, written):
            found.append((written, None))
    return found


def way_to_address(form, written, names=None):
    """The way from a result to the address: of loads from all their registers, for ptxas reads no more than what is used."""
    size = scene.ADDRESSES[scene.address_of(form)][1]
    if form.mnemonic in ("ld", "ldu") and (written.count > 1 or written.size in ("b64", "b128")):
        return ways.way_of_all(names or ["{1}"] * written.count, written.size, size)
    return ways.way_to_address(written.size, size)


def name_of_way(form, link):
    written, read = link
    if read is None:
        return way_to_address(form, written)[0]
    return ways.way(written.size, read.size)[0]


def has_apart(form, link):
    """Whether neighbours of a chain may have a permutation of bytes between them."""
    return link is not None and link[1] is not None and link[0].size == link[1].size and link[0].size in ways.APART


def latency(form, link, guarded, apart=False):
    results, operands = form.destinations, form.sources
    end = "a" if link[1] is None else f"s{operands.index(link[1])}"
    apart = apart and has_apart(form, link)
    body = Body(f"lat:d{results.index(link[0])}:{end}", 1, "prmt" if apart else name_of_way(form, link), guarded=guarded, is_apart=apart)
    Chain(body, form, link, 0)
    return body


def throughput(form, guarded, apart=False, alone=False):
    """Eight chains, fewer where registers are many, over the pair with the shortest way back. `alone`: one, so that ptxas finds no two instances to make one of."""
    possible = sorted(links(form), key=lambda link: len(name_of_way(form, link).replace("none", "")))
    link = possible[0] if possible else None
    words = sum(group.count * {"b64": 2, "b128": 4}.get(group.size, 1) for group in form.groups)
    apart = apart and has_apart(form, link)
    way = "prmt" if apart else name_of_way(form, link) if link else "none"
    count = 1 if alone else max(1, min(8, 24 // max(1, words)))
    body = Body("thr", count, f"{way} alone".replace("none ", "") if alone else way, guarded=guarded, is_apart=apart)
    for index in range(body.chains):
        Chain(body, form, link, index)
    return body
