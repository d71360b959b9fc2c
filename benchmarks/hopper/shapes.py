"""Names of machine instructions, from shapes.tsv and what nvdisasm says of their examples."""

import os


def names(folder):
    """The opcode with its modifiers by shape; the number of the opcode where nvdisasm had no name."""
    found = {}
    with open(os.path.join(folder, "shapes.tsv")) as table:
        keys = [tuple(line.split()) for line in table]
    path = os.path.join(folder, "shapes.txt")
    texts = open(path).read().splitlines() if os.path.exists(path) else []
    for index, key in enumerate(keys):
        found[key] = opcode(texts[index]) if len(texts) == len(keys) else None
    return found


def opcode(text):
    """`IADD3.X` of `@!P0 IADD3.X R1, R2, R3, RZ, P0, !PT ;`."""
    words = [word for word in text.split() if not word.startswith("@")]
    return words[0].rstrip(";") if words and words[0] != "?" else None


def sums(counts, names):
    """How often each name occurs in one instance; None where that is not known."""
    if counts is None:
        return None
    found = {}
    for key, count in counts.items():
        name = names.get(key) or f"{int(key[0], 16) & 0xFFF:03x}"
        found[name] = found.get(name, 0) + count
    return found


def text(sums_of_names):
    """`IADD3 IMAD.MOV*2`, without what only one of both loops has for itself."""
    return " ".join(name if abs(count - 1) < 0.08 else f"{name}*{count:.3g}" for name, count in sorted((sums_of_names or {}).items()) if count >= 0.08)
