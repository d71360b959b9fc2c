"""What ptxas answers to many instructions at once: a letter for each. It checks one thing after the other and tells each fault, so one answer may hold several."""
import os, pathlib, re, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from ask_ptxas import head  # noqa: E402

# Of several faults the first of this order is the answer.
OUT, CLASH, NEEDS, TYPES, OPERANDS, ACCEPTED, CRASH = "-", "x", "n", "t", "o", "+", "!"
CHUNK = 20000
MESSAGE = re.compile(r"ptxas (?!<builtin>)\S+, line (\d+); (error|fatal) +: (.*)")
# Two words that never stand together, whatever else does.
CLASH_FAULT = re.compile(r"Multiple |Duplicate |.*cannot be combined with modifier|.*too many layout|Unexpected number of '|Unexpected number of state spaces")
# A word that the instruction does not have.
OUT_FAULT = re.compile(r"(Illegal (?!vector|to write|combination)|Unknown modifier|Not a name|Feature .*(not supported on|requires) .target|.*qualifier is not allowed|"
                       r"No .* expected|Vector qualifier|Incorrect '|.* syntax expected|Parsing error)(?!.*with type)(?!.*instruction types)")
# By these words a message complains about nothing but operands …
OPERAND_FAULT = re.compile(r"^(Arguments? (mismatch|\d|vector)|Illegal vector|(Result v|V)ector |Vector of size|Predicate output|Potential out of bound|Operand vector|"
                           r"Illegal to write|State space (incorrect|mismatch)|.* with \d arguments|.*argument)")
# … and by these about the types that stand beside words that are all known.
TYPE_FAULT = re.compile(r"types? |types?$|type'|[Vv]ector|256 bit|comparison qualifier|does not apply to|applies only|with shape")


def letter(messages):
    others = [text for text in messages if not OPERAND_FAULT.match(text)]
    if any(OUT_FAULT.match(text) for text in others):
        return OUT
    if any(CLASH_FAULT.match(text) for text in others):
        return CLASH
    if any(not TYPE_FAULT.search(text) for text in others):
        return NEEDS
    return TYPES if others else OPERANDS


def run(lines, version, target, independent, file):
    """-> exit status, the messages of each line at fault, the line that ended the run if one did."""
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
    """A letter a line. Errors may hide others of their line's neighbours: what is accepted was asked once more without the refused."""
    answers = [None] * len(lines)
    file = pathlib.Path(tempfile.gettempdir()) / f"product_{os.getpid()}.ptx"
    for independent in (False, True):
        mine = [i for i, line in enumerate(lines) if ("smpr" in line) == independent]
        open_ranges = [mine[i:i + CHUNK] for i in range(0, len(mine), CHUNK)]
        while open_ranges:
            chosen = open_ranges.pop()
            code, faults, fatal = run([lines[i] for i in chosen], version, target, independent, file)
            if fatal is not None:
                # It ends the run; lines before it were looked at.
                for line, messages in faults.items():
                    answers[chosen[line]] = letter(messages)
                open_ranges += [[i for i in chosen[:fatal] if answers[i] is None], chosen[fatal + 1:]]
            elif code < 0 and len(chosen) > 1:
                open_ranges += [chosen[:len(chosen) // 2], chosen[len(chosen) // 2:]]
            elif code < 0:
                answers[chosen[0]] = CRASH
            elif faults:
                for line, messages in faults.items():
                    answers[chosen[line]] = letter(messages)
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
    return "".join(answers)
