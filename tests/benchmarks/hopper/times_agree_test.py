"""The tables of times against each other: what one warp's interval, the rates of many warps and the latency say of one form must fit together.

    times_agree_test.py SM_90_TIMES"""

import os
import subprocess
import sys
import unittest

FOLDER = sys.argv.pop()


def rows():
    """Interval, rates by warps and latencies of the forms that nothing is said against."""
    path = os.path.join(FOLDER, "forms.tsv.zst")
    text = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True, text=True).stdout
    for line in text.splitlines()[1:]:
        _, opcode, _, _, latency, _, interval, rates, marks = line.split("\t")
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
