"""What ptxas answers to many instructions at once: each is accepted, or wrong in its operands only, or in its types, or in its words."""
import os, pathlib, re, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from ask_ptxas import head  # noqa: E402

ACCEPTED, OPERANDS, TYPES, NEEDS, WORDS, NO_WORD, CRASH = "accepted", "operands", "types", "needs", "words", "no word", "crash"
CHUNK = 20000
MESSAGE = re.compile(r"ptxas (?!<builtin>)\S+, line (\d+); (error|fatal) +: (.*)")
# A word that the instruction does not have at all.
NO_WORD_FAULT = re.compile(r"(Illegal|Unknown|Not a name|.*qualifier is not allowed|No .* expected|Incorrect '|.* syntax expected)(?!.*with type)")
# By these words a message complains about nothing but operands …
OPERAND_FAULT = re.compile(r"^(Arguments? (mismatch|\d|vector)|Illegal vector|(Result v|V)ector |Vector of size|Predicate output|Potential out of bound|"
                           r"Illegal to write|State space incorrect|.* with \d arguments|.*argument)")
# … and by these about the types that stand beside words that are all known.
TYPE_FAULT = re.compile(r"types? |types?$|type'|[Vv]ector|256 bit|comparison qualifier|does not apply to|applies only|with shape")


def kind_of(messages):
    if all(OPERAND_FAULT.match(text) for text in messages):
        return OPERANDS
    if any(NO_WORD_FAULT.match(text) for text in messages):
        return NO_WORD
    if all(OPERAND_FAULT.match(text) or TYPE_FAULT.search(text) for text in messages):
        return TYPES
    return NEEDS if any("requir" in text for text in messages) else WORDS


def run(lines, version, target, independent, file):
    before = head(version, target, independent)
    file.write_text(before + "\n".join(lines) + "\nLBL: ret;\n}\n")
    answer = subprocess.run(["ptxas", "-arch=" + target.replace("sm_", "compute_"), str(file), "-o", "/dev/null"], capture_output=True, text=True,
                            errors="replace")
    first, faults, fatal = before.count("\n") + 1, {}, None
    for found in MESSAGE.finditer(answer.stderr):
        line = int(found.group(1)) - first
        if 0 <= line < len(lines):
            faults.setdefault(line, []).append(found.group(3))
            fatal = line if found.group(2) == "fatal" and fatal is None else fatal
        elif found.group(2) == "error":
            raise RuntimeError(found.group(0))
    return answer.returncode, faults, fatal


def ask(lines, target, version="9.0"):
    """One answer a line. Errors may hide others of their line's neighbours: what is accepted was asked once more without the refused."""
    answers = [None] * len(lines)
    file = pathlib.Path(tempfile.gettempdir()) / f"product_{os.getpid()}.ptx"
    for independent in (False, True):
        mine = [i for i, line in enumerate(lines) if ("smpr" in line) == independent]
        open_ranges = [mine[i:i + CHUNK] for i in range(0, len(mine), CHUNK)]
        while open_ranges:
            chosen = open_ranges.pop()
            code, faults, fatal = run([lines[i] for i in chosen], version, target, independent, file)
            if fatal is not None:
                answers[chosen[fatal]] = WORDS
                open_ranges.append(chosen[:fatal] + chosen[fatal + 1:])
            elif faults:
                for line, messages in faults.items():
                    answers[chosen[line]] = kind_of(messages)
                open_ranges.append([i for line, i in enumerate(chosen) if line not in faults])
            elif code == 0:
                for i in chosen:
                    answers[i] = ACCEPTED
            elif len(chosen) == 1:
                answers[chosen[0]] = CRASH
            else:
                open_ranges += [chosen[:len(chosen) // 2], chosen[len(chosen) // 2:]]
            open_ranges = [one for one in open_ranges if one]
    file.unlink(missing_ok=True)
    return answers
