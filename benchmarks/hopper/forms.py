"""The instruction forms of the inventory, as things whose registers can be named anew."""

import re
from dataclasses import dataclass

TOKEN = re.compile(r"%[bhrlqp]\d+")
OPERAND = re.compile(r"([ds])\.(b8|b16|b32|b64|b128|pred)(?:\*(\d+))?")


@dataclass(frozen=True)
class Group:
    """One operand: a register or a vector of registers, read or written together."""

    written: bool
    size: str  # b16, b32, b64, b128, pred
    count: int
    first: int  # its first register among those of the text


@dataclass(frozen=True)
class Form:
    id: int
    family: str  # a chapter of the inventory
    text: str
    groups: tuple

    @property
    def mnemonic(self):
        return re.split(r"[.\s;:]", self.text, maxsplit=1)[0]

    @property
    def opcode(self):
        return self.text.rstrip(";").split(" ", 1)[0]

    @property
    def sources(self):
        return [group for group in self.groups if not group.written]

    @property
    def destinations(self):
        return [group for group in self.groups if group.written]

    def with_registers(self, names):
        """The text with its registers, in the order of their appearance, called `names`."""
        left = iter(names)
        return TOKEN.sub(lambda _: next(left), self.text)


def read_groups(operands, text):
    groups, first = [], 0
    for role, size, count in OPERAND.findall(operands):
        groups.append(Group(role == "d", size, int(count or 1), first))
        first += groups[-1].count
    return tuple(groups) if first == len(TOKEN.findall(text)) else None


def read_forms(lines):
    """The rows that sm_90a runs and whose registers are all named by their operands."""
    next(lines)
    for line in lines:
        row = line.rstrip("\n").split("\t")
        if row[1] != "yes":
            continue
        groups = read_groups(row[6], row[7])
        if groups is not None:
            yield Form(int(row[0]), row[4], row[7], groups)
