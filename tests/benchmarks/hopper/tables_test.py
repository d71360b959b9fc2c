"""benchmarks/hopper: machine code counted, results divided, doubts and tables, of small inputs."""

import contextlib
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv.pop(1))
import bodies
import chains
import doubts
import expected
import forms
import kernel as kernels
import machine_code
import merge_rows
import prepare
import prepare_classes
import results
import shapes
import tables

CLOCK, BRANCH = machine_code.CS2R, machine_code.BRANCH
FADD, MOV = 0x221, 0x202


def instruction(opcode, high=0):
    return opcode, high


def branch(back):
    """From behind itself back over `back` instructions and itself."""
    words = -(back + 1) * 4
    return BRANCH | (words & 0xFF) << 16 | (words >> 8 & 0x3FFFFFFF) << 34, words >> 8 >> 30 & 0x3FFFF


def code(short, long):
    clock = instruction(CLOCK, machine_code.SR_CLOCK << 8)
    loops = [clock, *short, branch(len(short)), clock, clock, *long, branch(len(long)), clock]
    return b"".join(struct.pack("<QQ", *one) for one in loops)


def kernel(counts, guarded=True, body="thr", way="none"):
    return results.Kernel("1", body, "m", "k", 1, 16, way, guarded, counts)


class MachineCode(unittest.TestCase):
    def test_instances_are_what_the_second_loop_has_more(self):
        found = machine_code.per_instance(code([instruction(FADD)] * 2, [instruction(FADD)] * 6 + [instruction(MOV)]), 4)
        self.assertEqual({low & 0xFFF: count for (low, _), count in found.items()}, {FADD: 1, MOV: 0.25})

    def test_code_that_does_not_read_the_clock_four_times_is_not_counted(self):
        self.assertIsNone(machine_code.per_instance(struct.pack("<QQ", FADD, 0), 4))

    def test_registers_and_control_bits_do_not_make_another_shape(self):
        self.assertEqual(machine_code.shape((FADD | 5 << 16 | 7 << 24, 9)), machine_code.shape((FADD, 1 << 42)))


class Kernels(unittest.TestCase):
    def test_no_clock_is_read_before_the_barrier_is_left(self):
        body = chains.Body("thr", 1, registers=[("%x", "b32", "one")], instance=["add.u32 %x, %x, %x;"])
        text = kernels.kernel("k", body)
        for part in text.split("bar.")[1:]:
            self.assertRegex(part.split("%clock64")[0], r"^red\.and\.pred (%\w+), 0, %g0; @!\1 exit;")

    def test_selects_of_a_guard_are_doubtful_and_those_of_a_plain_kernel_are_not(self):
        guarded, plain = chains.Body("thr", 1), chains.Body("thr", 1, guarded=False)
        of_doubles, of_predicates = {(0x1000229, 0): 1.0, (0x208, 0): 2.0}, {(0x22A, 0): 1.0, (0x20C, 0): 2.0, (0x81C, 0): 1.0}
        for counts in (of_doubles, of_predicates):
            self.assertEqual((bodies.doubt(guarded, counts), bodies.doubt(plain, counts)), (1, 0))

    def test_copies_between_registers_join_nothing(self):
        """IMAD.MOV is an IMAD without a sign; what the shorter loop has more of is no part of an instance."""
        copied = {(0x22A, 0): 2.0, (0x224, 0x78E0000): 0.4, (0x202, 0): 0.3, (0x212, 0): -0.56}
        self.assertEqual(bodies.doubt(chains.Body("thr", 1, guarded=False), copied), 0)
        self.assertEqual(bodies.doubt(chains.Body("thr", 1, guarded=False), {(0x22A, 0): 1.0, (0x224, 0x78E0200): 0.4}), 2)

    def test_instances_are_what_ptxas_makes_of_the_form_by_itself(self):
        own = expected.kinds([("HADD2", 1)])
        plain = chains.Body("thr", 1, guarded=False)
        self.assertEqual([bodies.doubt(plain, {(0x230, 0): count, (0x216, 0): 1.4}, own) for count in (1.0, 0.5)], [0, 2])
        self.assertEqual(bodies.doubt(chains.Body("thr", 1), {(0x230, 0): 1.0, (0x207, 0): 1.0}, own), 1)
        self.assertFalse(bodies.keeps_sums({(0x210, 0): 2.0, (0x207, 0): 1.0}, {(0x210, 0): 1.0}))

    def test_one_chain_alone_is_never_joined_with_another(self):
        operands = forms.read_groups("d.b16 s.b16 s.b16", "sub.f16 %h0, %h1, %h2;")
        body = bodies.bodies(forms.Form(1, "half", "sub.f16 %h0, %h1, %h2;", operands), alone=True)[-1]
        self.assertEqual((body.name, body.chains, body.guarded, body.way.split()), ("thr", 1, False, ["alone"]))
        self.assertEqual(doubts.of_code(kernel({}, False, way=body.way, body="thr"), {"HADD2": 1}), {"alone"})

    def test_instances_without_guards_that_are_joined_are_worse_than_selects(self):
        joined = {(0x22A, 0): 0.5}
        self.assertGreater(bodies.doubt(chains.Body("thr", 1, guarded=False), joined), 1)
        self.assertGreater(bodies.doubt(chains.Body("thr", 1), None), 1)

    def test_loads_that_acquire_are_no_class_with_those_that_do_not(self):
        """Their machine instructions differ by control bits: an acquiring one waits for what it reads."""
        body, same = chains.Body("thr", 8), prepare.Result("m", "k", "", {(0x981, 0): 1.0})
        relaxed, acquiring, volatile = (forms.Form(1, "", f"ld.{word}.global.b32 %r0, [%memg];", ()) for word in ("relaxed.cta", "acquire.cta", "volatile"))
        keys = [prepare.same_throughput(form, body, same) for form in (relaxed, acquiring, volatile)]
        self.assertEqual((keys[0] == keys[2], keys[0] == keys[1]), (True, False))

    def test_instances_may_be_kept_apart_by_what_is_between_them(self):
        operands = forms.read_groups("d.b16 s.b16 s.b16", "sub.f16 %h0, %h1, %h2;")
        body = bodies.bodies(forms.Form(1, "half", "sub.f16 %h0, %h1, %h2;", operands), apart=True)[0]
        self.assertEqual((body.guarded, body.way), (False, "prmt"))
        self.assertIn("prmt.b32 t, t, %zero, %order;", body.text(0))

    def test_all_that_a_load_reads_is_needed_for_the_next_address(self):
        """ptxas reads no more than what is used: a vector of which one element goes on became a load of one register."""
        for operands, text, wanted in (("d.b32*4", "ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%sm];", "lop lop imad"), ("d.b64", "ld.global.b64 %q0, [%memg];", "lop imad"),
                                       ("d.b16*2", "ld.shared.v2.b16 {%h0, %h1}, [%sm];", "imad"), ("d.b32", "ld.shared.b32 %r0, [%sm];", "imad")):
            form = forms.Form(1, "memory", text, forms.read_groups(operands, text))
            body = bodies.bodies(form)[0]
            self.assertEqual((body.name, body.way), ("lat:d0:a", wanted))
            for element in range(form.groups[0].count):
                self.assertEqual(body.text(0).count(f"%d0_0_{element}"), 2)

    def test_forms_of_doubted_rows_are_made_again(self):
        rows = [f"{form}" + "\t" * 8 + f"{marks}\tH100" for form, marks in (("form", "mark"), (1, ""), (2, "joined selects"), (3, "calls"), (4, "narrowed"))]
        self.assertEqual(prepare.doubted(rows), {2: {"joined", "selects"}, 4: {"narrowed"}})

    def test_forms_of_the_same_machine_instructions_are_one_class(self):
        rows = ["form", "1\ta\t\tFADD MOV*0.156\t\t\t\t\t", "2\tb\t\tFADD\t\t\t\t\t", "3\tc\t\tFADD*2\t\t\t\t\tselects", "4\td\t\tFMUL\t\t\t\t\tfolded"]
        self.assertEqual(prepare_classes.chosen(iter(rows), None), {1, 3})
        self.assertEqual(prepare_classes.chosen(iter(rows), "selects"), {3})


class Results(unittest.TestCase):
    def test_results_are_of_all_instances_and_are_divided(self):
        found = results.times(["1x1 544 544 560", "1x32 -"], 16)
        self.assertEqual((found["1x1"].cycles, found["1x1"].most, found["1x32"]), (34, 35, None))


class Doubts(unittest.TestCase):
    def words(self, sums, guarded=True):
        return doubts.of_code(kernel({}, guarded), sums)

    def test_of_code(self):
        self.assertEqual(self.words({"FADD": 1, "MOV": 0.15}), set())
        self.assertEqual(self.words({"IADD3.X": 0.4, "IMAD.X": 0.6}), set())
        self.assertEqual(self.words({"FADD": 1.5}), {"joined"})
        self.assertEqual(self.words({"IMAD.MOV.U32": 1}), {"folded"})
        self.assertEqual(self.words({"DADD": 1, "FSEL": 2}), {"selects"})
        self.assertEqual(self.words({"SEL": 1}, guarded=False), set())
        self.assertEqual(self.words({"LDS.128": 0.094, "LDS": 0.906, "IMAD": 1}, False), {"narrowed"})
        self.assertEqual(self.words({"LDS.128": 1, "IMAD": 1}, False), set())
        self.assertEqual(self.words({"CALL.REL.NOINC": 1}), {"calls"})
        self.assertEqual(self.words({"BRA.DIV": 0.89, "REDUX": 0.11}), {"calls", "joined"})
        self.assertEqual(self.words(None), {"uncounted"})

    def test_what_keeps_instances_apart_is_in_their_rates_and_is_not_the_form(self):
        self.assertEqual(doubts.of_code(kernel({}, False, way="prmt", body="thr"), {"HADD2": 1, "PRMT": 1.5}), {"apart", "joined"})
        self.assertEqual(doubts.of_code(kernel({}, False, way="prmt", body="lat:d0:s0"), {"HADD2": 1, "PRMT": 1}), set())
        self.assertEqual(doubts.of_code(kernel({}, False, way="prmt", body="lat:d0:s0"), {"PRMT": 4}), {"folded"})

    def test_selects_that_the_form_has_by_itself_are_no_doubt(self):
        own = expected.kinds([("FSETP", 1), ("SEL", 1)])
        found = {"FSETP.GT.AND": 1, "SEL": 1, "MOV": 0.2}
        self.assertEqual(doubts.of_code(kernel({}), found, own), set())
        self.assertEqual(doubts.of_code(kernel({}), {**found, "SEL": 2}, own), {"selects", "unlike"})

    def test_instructions_of_a_way_back_and_copies_are_not_unlike(self):
        own = expected.read(iter(["form", "7\tsetp\td.pred s.b32\tISETP:s0>d0 PRMT:0>d1"]))[7]
        self.assertEqual(doubts.of_code(kernel({}, False, way="selp"), {"ISETP.GT": 1, "SEL": 1, "IMAD.MOV": 0.3}, own), set())
        self.assertEqual(doubts.of_code(kernel({}, False), {"ISETP.GT": 1, "SEL": 1}, own), {"unlike"})
        self.assertEqual(doubts.of_code(kernel({}, False), {"HADD2": 0.5, "HFMA2.MMA": 0.5}, expected.kinds([("HFMA2", 1)])), set())

    def test_a_partition_issues_one_in_a_cycle(self):
        self.assertTrue(doubts.is_possible(4, 8, {"FFMA": 1}))
        self.assertFalse(doubts.is_possible(5.5, 8, {"FFMA": 1}))
        self.assertFalse(doubts.is_possible(2.5, 8, {"A": 2}))
        self.assertFalse(doubts.is_possible(2, 1, {"FFMA": 1}))


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.write("forms.tsv", "id\tfamily\ta\tb\tc\td\toperands\ttext\n7\tfp\t\t\t\t\td.b32, s.b32\tneg.f32 %r0, %r1;\n")
        self.write("machine.txt", "Fri Nov 27\nBuild cuda_13.0\nname, driver_version\nNVIDIA H100 80GB HBM3, 580.159.04\n")
        self.write("shapes.tsv", f"{FADD:x}\t0\n")
        self.write("shapes.txt", "@P0 FADD.FTZ R0, -R1, -RZ ;\n")
        counts = json.dumps([[f"{FADD:x}", "0", 1]])
        self.write("fp/index.tsv", f"7\tlat:d0:s0\tm\tk0\t1\t16\tnone\t1\t{counts}\n7\tthr\tm\tk1\t8\t64\tnone\t1\t{counts}\n")
        self.write("fp/plan.tsv", "m\tk0\t0\nm\tk1\t0\n")
        self.write("fp/results.tsv", "0\tk0\t1x1 64 64 64\n1\tk1\t1x1 64 64 64\t1x2 1 1 1\t1x8 64 128 128\t1x16 64 256 256\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(text)

    def test_a_row_has_cycles_of_one_instance(self):
        folder, path = self.folder.name, os.path.join(self.folder.name, "out.tsv")
        tables.write_forms(path, folder, shapes.names(folder))
        with open(path) as table:
            self.assertEqual(table.read(), tables.HEAD + "\n7\tneg.f32\td.b32, s.b32\tFADD.FTZ\ts0>d0=4\t\t1\t1=1 8=4 16=4\t\tH100\n")

    def test_copies_of_the_shorter_loop_are_taken_off_where_the_slots_are_full(self):
        both = kernel({(1, 0): 1, (2, 0): -0.25})
        both.times = {"1x4": results.Time(0, 0.75, 0), "1x16": results.Time(0, 3.5, 0)}
        self.assertEqual(tables.throughput(both, {"FADD": 1, "MOV": -0.25})[1], ["4=4", "16=3.56"])

    def test_agreement_is_of_both_runs(self):
        self.write("fp/again.tsv", "0\tk0\t1x1 80 80 80\n")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertFalse(tables.agreement(results.measured(self.folder.name)))
        self.assertIn("1 times measured twice: median of differences 25.00%", out.getvalue())
        self.write("fp/again.tsv", "0\tk0\t1x1 64 64 64\n")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertTrue(tables.agreement(results.measured(self.folder.name)))


class Merged(unittest.TestCase):
    def test_a_row_takes_the_place_of_one_that_is_no_better(self):
        def rows(*lines):
            return merge_rows.rows(iter(["form", *lines]))
        old = rows("1\ta\t\tDSETP SEL\t\t\t4\t\tselects\tH200", "2\tb\t\tDSETP\t\t\t2\t\t\tH200", "3\tc\t\tFMUL\t\t\t2\t\t\tH200",
                   "4\td\t\tLDS*0.9 LDS.64*0.1\t\t\t2\t\t\tH200")
        new = rows("1\ta\t\tDSETP\t\t\t2\t\t\tH100", "2\tb\t\tDSETP SEL\t\t\t4\t\tselects unlike\tH100")
        own = {1: expected.kinds([("DSETP", 1)]), 2: expected.kinds([("DSETP", 1)]), 3: expected.kinds([("MUFU", 1), ("FMUL", 1)])}
        found, taken = merge_rows.merged(old, new, own)
        self.assertEqual([found[1][3], found[2][3], found[3][8], found[4][8]], ["DSETP", "DSETP", "unlike", "narrowed"])
        self.assertEqual([found[form][9] for form in (1, 2, 4)], ["H100", "H200", "H200"])
        self.assertEqual(merge_rows.changes(old, found, taken),
                         "1 rows are new; of these 1 have other machine instructions, 1 of 1 intervals differ by more than a tenth")


class Command(unittest.TestCase):
    def test_tables_of_what_was_never_run_are_an_error(self):
        command = os.path.join(sys.path[0], "measure.sh")
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "logic"))
            open(os.path.join(folder, "logic", "plan.tsv"), "w").close()
            done = subprocess.run([command, "tables", folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("logic: there is no results.tsv", done.stderr)


if __name__ == "__main__":
    unittest.main()
