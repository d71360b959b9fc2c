"""Runs every command that reads a recording over damaged ones and keeps what ends them as it should not.

  run_recordings.py WEDJAT MUTATE_RECORDING --files 1000 --first 0 --jobs 2 --out FOLDER RECORDINGS...

MUTATE_RECORDING is the program of mutate_recording.cpp. One of six inputs is an archive whose tar headers were changed instead.
What a finding is, and what is kept of it: tests/utilities/mutations/campaign.py.
"""
import io
import pathlib
import random
import re
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "utilities" / "mutations"))
import campaign

BOUNDS = ["--step-limit", "50000", "--launch-step-limit", "200000"]
BLOCK = 512  # of a tar file


def signed(header):
    """A tar header that says again what its bytes sum up to."""
    blank = header[:148] + b" " * 8 + header[156:]
    return header[:148] + b"%06o\0 " % sum(blank) + header[156:]


def damaged_tar(tar, random_):
    """One to three changes of headers, or a cut."""
    tar = bytearray(tar)
    heads = [at for at in range(0, len(tar) - BLOCK, BLOCK) if tar[at + 257:at + 262] == b"ustar"]
    for _ in range(random_.choice([1, 1, 2, 3])):
        at = random_.choice(heads)
        begin, end = random_.choice([(0, 100), (0, 16), (100, 108), (124, 136), (124, 136), (136, 148), (156, 157), (157, 257), (345, 500)])
        place = random_.randrange(begin, end)
        for i in range(place, min(end, place + random_.choice([1, 1, 2, 12]))):
            tar[i + at] = random_.choice(b"0123457789/./.\\\0\xff\x80LKxgS\n")
        tar[at:at + BLOCK] = signed(bytes(tar[at:at + BLOCK]))
    if random_.random() < 0.2:
        del tar[random_.randrange(len(tar)):]
    return bytes(tar)


def damage_a_file(folder, random_):
    """Of texts a number becomes another, of all others a byte; or a file is cut or gone."""
    file = random_.choice(sorted(path for path in folder.iterdir() if path.is_file()))
    bytes_, way = bytearray(file.read_bytes()), random_.random()
    numbers = list(re.finditer(rb"\d+|0x[0-9a-f]+|null|true|false|\"[^\"]*\"", bytes_))
    if way < 0.1:
        return file.unlink()
    if way < 0.2:
        del bytes_[random_.randrange(len(bytes_) + 1):]
    elif file.suffix in (".json", ".ptx") and numbers:
        one = random_.choice(numbers)
        bytes_[one.start():one.end()] = random_.choice([b"0", b"-1", b"4294967296", b"18446744073709551615", b"1e30", b"null", b"[]", b"\"\"",
                                                        b"\"0x7fffffffffffffff\"", random_.choice(numbers).group()])
    elif bytes_:
        bytes_[random_.randrange(len(bytes_))] = random_.randrange(256)
    file.write_bytes(bytes_)


class Recordings(campaign.Campaign):
    documented = {"info": {0, 3, 4}, "replay": {0, 1, 2, 3, 4, 5, 6, 8}, "export": {0, 2, 3, 4, 5, 6}, "extract": {0, 2, 3, 4, 5}, "run": {0, 1, 3, 4, 5},
                  "judge": {0, 1, 2, 3, 4, 5, 6, 8}, "compare": {0, 1, 2, 3, 4, 5, 8}, "pack": {0, 2, 3}, "regress": {0, 1, 3, 4, 8}}

    def __init__(self, options):
        super().__init__(options)
        self.recordings = sorted(options.recordings)
        self.chosen = self.tools(options.without)
        self.what = f"recordings made of {len(self.recordings)} with {len(self.chosen)} tools"

    def begin(self, seed, scratch):
        random_ = random.Random(seed)
        whole = random_.choice(self.recordings)
        made, archive = scratch / "damaged", random_.random() < 0.17
        subprocess.run([self.options.mutate_recording, whole, "0" if archive else str(seed + 1), made], check=True, stdout=subprocess.DEVNULL)
        if archive:
            tar = io.BytesIO()
            with tarfile.open(fileobj=tar, mode="w", format=random_.choice([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])) as packed:
                packed.add(made, arcname=".")
            made = scratch / "damaged.tar"
            made.write_bytes(damaged_tar(tar.getvalue(), random_))
        return made, self.commands(whole, made, scratch, random_)

    def commands(self, whole, made, scratch, random_):
        def run(command, *words):
            return [self.options.wedjat, command, *map(str, words)]
        yield run("info", made, *random_.choice([[], ["--json"]]))
        replayed = yield run("replay", made, *self.ways(scratch, random_), *BOUNDS)
        flawed = random_.choice([[], ["--accept-flawed"]])
        launch = ["--launch", random_.choice([0, 0, 1, 2, 7])]
        command = random_.choice(["export", "export", "extract", "extract", "judge", "compare", "pack", "regress"])
        if command == "export":
            to = random_.choice(["sqlite", "perfetto", "csv", "ndjson"])
            more = ["--check"] if to == "sqlite" and random_.random() < 0.5 else []
            if to in ("csv", "ndjson"):
                more = ["--what", random_.choice(["launches", "memory", "registers"])]
            yield run("export", made, "--to", to, "-o", scratch / "exported", *more, *flawed, *BOUNDS[:3], "10000")
        elif command == "extract":
            folder = scratch / "bundle"
            extracted = yield run("extract", made, *launch, "-o", folder, *flawed, *BOUNDS)
            if extracted.code == 0:
                damage_a_file(folder, random_)
                yield run("run", folder, *BOUNDS)
                yield random_.choice([run("judge", folder, *BOUNDS), run("compare", folder, folder, *BOUNDS)])
        elif command == "judge":
            yield run("judge", made, *flawed, *BOUNDS)
        elif command == "compare":
            yield run("compare", made, made, *launch, *BOUNDS)
        elif command == "pack" and made.is_dir():
            packed = yield run("pack", made, "-o", scratch / "packed.tar.zst")
            if packed.code == 0:
                yield run("info", scratch / "packed.tar.zst")
        elif command == "regress" and replayed.code in (0, 1, 8):  # it has no limit of steps
            yield run("regress", made.parent, "--jobs", 1, "--junit", scratch / "junit", "--html", scratch / "page.html")

    def ways(self, scratch, random_):
        words = ["--threads", random_.choice([1, 2])]
        for chance, more in [(0.5, ["--accept-flawed"]), (0.3, ["--explain"]), (0.2, ["--json"]), (0.1, ["--html", scratch / "page.html"]),
                             (0.2, ["--fidelity"]), (0.1, ["--time"]), (0.1, ["--tiers"]), (0.2, ["--jit", "all", "--jit-cache", "off"])]:
            if random_.random() < chance:
                words += more
        words += random_.choice([[], [], ["--side-by-side"], ["--shuffle", "5"]])
        files = {tool: f",file={scratch / tool}" for tool in ("memory_trace", "register_trace")}
        files["fault_injection"] = ",runs=4,jobs=1"  # each is a replay
        specs = [tool + files.get(tool, "") for tool in self.chosen]
        return words + random_.choice([[], [], ["--check"], ["--tool", random_.choice(specs)], ["--tool", random_.choice(specs) + ",isolated"]])


def main():
    parser = campaign.parser(__doc__)
    parser.add_argument("mutate_recording")
    parser.add_argument("recordings", nargs="+", type=pathlib.Path, help="packed recordings")
    recordings = Recordings(parser.parse_args())
    recordings.run()
    return recordings.report()


if __name__ == "__main__":
    sys.exit(main())
