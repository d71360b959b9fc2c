"""Operands other than an instruction's rows have."""
import itertools, re

REGISTER = re.compile(r"%([bhrlqp])(\d+)\b")
PLACE = re.compile(r"\{[^}]*\}|%[bhrlqp]\d+\b")
# What may stand in the place of an operand, or behind the last.
KINDS = ["%h60", "%r60", "%l60", "%q20", "%p20", "!%p20", "1", "0f3f800000", "_", "{%r60, %r61}", "{%r60, %r61, %r62, %r63}", "{%l60, %l61}", "[%memg]", "[sbuf]",
         "[%mbar]", "%pol", "%mask1", "-%r60", "LBL"]


def sized(shape):
    """The shape with registers of all sizes in every place: with up to four of them, all ways; the registers of a vector are alike."""
    places = [v for v in PLACE.findall(shape) if REGISTER.search(v)]
    if len(places) > 4:
        return [shape]
    made = []
    for sizes in itertools.product("bhrlqp" if len(places) < 4 else "bhrl", repeat=len(places)):
        choice = iter(sizes)
        made.append(PLACE.sub(lambda m: REGISTER.sub(lambda r, s=next(choice): f"%{s}{r.group(2) if int(r.group(2)) < 24 else 3}", m.group(0))
                              if REGISTER.search(m.group(0)) else m.group(0), shape))
    return made


def split_operands(text):
    """'{%r0, %r1}, [%sm, {%r0}];' -> its operands."""
    depth, found, start = 0, [], 0
    for i, c in enumerate(text):
        depth += (c in "{[(") - (c in "}])")
        if depth == 0 and c in ",;":
            found.append(text[start:i].strip())
            start = i + 1
    return [one for one in found if one]


def mutations(line):
    """One operand less, one more at the end, one of another kind; p|q for the first."""
    mnemonic, _, rest = line.partition(" ")
    mine = split_operands(rest) if rest else []
    mnemonic = mnemonic.rstrip(";")
    made = [mine[:i] + mine[i + 1:] for i in range(len(mine))] + [mine + [kind] for kind in KINDS]
    made += [mine[:i] + [kind] + mine[i + 1:] for i in range(len(mine)) for kind in KINDS
             if not (kind == "_" and mine[i].startswith("{"))]  # that crashes ptxas
    if mine and REGISTER.fullmatch(mine[0]):
        made.append([mine[0] + "|%p21"] + mine[1:])
    return [mnemonic + (" " + ", ".join(one) if one else "") + ";" for one in made]
