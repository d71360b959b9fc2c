"""The tables of times against each other: what one warp's interval, the rates of many warps and the latency say of one form must fit together, forms that differ
by what they compare take as long, and forms are made of the machine instructions that ptxas makes of them by themselves.

    times_agree_test.py BENCHMARKS_HOPPER SM_90_TIMES"""

import os
import re
import statistics
import subprocess
import sys
import unittest
from collections import defaultdict

FOLDER = sys.argv.pop()
sys.path.insert(0, sys.argv.pop())
import doubts
import expected
import merge_rows

COMPARISON = re.compile(r"eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan")


def table(name):
    text = subprocess.run(["zstd", "-dc", os.path.join(FOLDER, name)], capture_output=True, check=True, text=True).stdout
    return [line.split("\t") for line in text.splitlines()]


def family(opcode, operands):
    """What forms have in common that differ by what they compare, or how they join it with a predicate."""
    words = ["?" if COMPARISON.fullmatch(word) else "&" if number > 1 and word in ("and", "or", "xor") else word for number, word in enumerate(opcode.split("."))]
    return ".".join(words), operands


def rows():
    """Interval, rates by warps and latencies of the forms that nothing is said against."""
    for _, opcode, _, _, latency, _, interval, rates, marks, _ in table("forms.tsv.zst")[1:]:
        if interval and rates and not marks:
            numbers = {int(warps): float(rate) for warps, rate in (one.split("=") for one in rates.split())}
            yield opcode, float(interval), numbers, [float(one.split("=")[1]) for one in latency.split()]


class Agree(unittest.TestCase):
    def holds(self, ratios, most, usual, share):
        """None is above `most`, and this share of all is not above `usual`."""
        ratios = sorted(ratios)
        self.assertGreater(len(ratios), 10000)
        self.assertLessEqual(ratios[-1][0], most, ratios[-3:])
        self.assertLessEqual(ratios[int(share * len(ratios))][0], usual)

    def test_one_warp_finishes_one_instance_an_interval(self):
        self.holds([(abs(rates[1] * interval - 1), opcode) for opcode, interval, rates, _ in rows() if 1 in rates], 0.11, 0.02, 0.95)

    def test_warps_together_finish_no_more_than_each_alone(self):
        self.holds([(rate * interval / warps, opcode, warps) for opcode, interval, rates, _ in rows() for warps, rate in rates.items()], 1.14, 1.03, 0.97)

    def test_chains_beside_each_other_are_no_slower_than_one(self):
        self.holds([(interval / max(latencies), opcode) for opcode, interval, _, latencies in rows() if latencies], 1.51, 1.05, 0.85)

    def test_forms_that_compare_otherwise_take_as_long(self):
        families = defaultdict(list)
        for _, opcode, operands, _, _, _, interval, _, marks, _ in table("forms.tsv.zst")[1:]:
            if interval and not marks:
                families[family(opcode, operands)].append((float(interval), opcode))
        siblings = [(statistics.median(one[0] for one in members), members) for members in families.values() if len(members) > 2]
        self.assertGreater(sum(len(members) for _, members in siblings), 5000)
        self.assertEqual([(opcode, interval, middle) for middle, members in siblings for interval, opcode in members if abs(interval / middle - 1) > 0.02], [])

    def test_forms_are_made_of_what_ptxas_makes_of_them_by_themselves(self):
        """Where a form became something else in its kernels its row says so: `unlike`; how many these are stands in README.md of the tables."""
        own = expected.read("\t".join(row) for row in table("machine_code.tsv.zst"))
        known = [row for row in table("forms.tsv.zst")[1:] if int(row[0]) in own]
        self.assertGreater(len(known), 17000)
        other = [row[1] for row in known if "unlike" not in row[8] and "folded" not in row[8] and row[3]
                 and expected.is_unlike(merge_rows.counts(row[3]), row[5], own[int(row[0])])]
        self.assertEqual(other, [])
        self.assertLess(sum("unlike" in row[8] for row in known), 2000)

    def test_every_number_names_the_device_it_was_measured_on(self):
        for name, devices in (("forms", {"H100", "H200"}), ("forms_h100", {"H100"}), ("probes", {"H100", "H200"}), ("probes_h100", {"H100"})):
            self.assertEqual({row[-1] for row in table(f"{name}.tsv.zst")[1:]}, devices)
        self.assertEqual([row[0] for row in table("forms.tsv.zst")], [row[0] for row in table("forms_h100.tsv.zst")])

    def test_loads_read_all_that_their_forms_do(self):
        self.assertEqual([row[1] for row in table("forms.tsv.zst")[1:] if "narrowed" in row[8] or ("calls" not in row[8] and doubts.is_narrowed(merge_rows.counts(row[3])))], [])

    def test_more_warps_than_hide_the_latency_gain_nothing(self):
        """Throughput by latency is the number of instances under way: with that many warps the rate of 64 is reached."""
        reached = []
        for opcode, interval, rates, _ in rows():
            if 64 not in rates:
                continue
            needed = rates[64] * interval
            enough = [warps for warps in rates if warps >= needed and warps >= 4 and warps < 64]
            if enough:
                reached.append((rates[64] / rates[min(enough)], opcode, min(enough)))
        reached.sort()
        self.assertGreater(len(reached), 1000)
        self.assertLessEqual(reached[-1][0], 1.29, reached[-3:])
        self.assertLessEqual(reached[int(0.95 * len(reached))][0], 1.11)


if __name__ == "__main__":
    unittest.main()
