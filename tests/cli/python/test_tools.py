"""Tools, replays, textures, structs, stubs, the plugin of pytest."""

import ast
import ctypes
import json
import os
import pathlib
import struct
import subprocess

import numpy as np
import pytest
import wedjat
from conftest import HEAD, SOURCE
from wedjat import _structs

READS = HEAD + """.visible .entry reads(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];
  ld.global.u32 %r, [%d]; st.global.u32 [%d], %r; ret; }
"""


def test_tools_by_name():
    tools = wedjat.tools()
    assert tools["race_check"].checks and not tools["instruction_count"].checks
    assert tools["memory_trace"].options


def test_tables_are_dicts(saxpy):
    x = np.ones(64, "f4")
    with wedjat.Device(tools={"instruction_count": {"kernel": "sax*"}}, check=True, fidelity=True) as device:
        device.module(saxpy)["saxpy"][2, 32](x, x.copy(), 1.0, 64)
        report = device.report()
        assert report["instruction_count"].tables["instructions by kernel"][0]["thread"] == 64 * 18
        assert set(report) >= {"instruction_count", "memory_check", "race_check", "sync_check"}
        assert report.errors == 0 and report is device.report()
        with pytest.raises(KeyError, match="no tool roofline"):
            report["roofline"]
        device.module(saxpy)["saxpy"][1, 1](x, x.copy(), 1.0, 1)  # nobody watches


def test_findings_have_places():
    with wedjat.Device(tools="memory_check") as device:
        device.module(READS, name="reads.ptx")["reads"][1, 1](device.memory.empty(1, "u4"))
        report = device.report()
    finding = report["memory_check"].findings[0]
    assert (finding.kernel, finding.ptx_file, finding.ptx_line) == ("reads", "reads.ptx", 5)
    assert report["memory_check"].errors + report["memory_check"].warnings == 1


def test_isolated_tools_run_from_the_wheel(saxpy):
    x = np.ones(4, "f4")
    with wedjat.Device(tools=["instruction_count,isolated"]) as device:
        device.module(saxpy)["saxpy"][1, 4](x, x.copy(), 1.0, 4)
        assert device.report()["instruction_count"].raw["detached"] == ""


def test_a_replay(samples):
    told = []
    replay = wedjat.replay(samples / "saxpy.tar.zst", tools=["instruction_count"],
                           progress=lambda done, everything: told.append((done, everything)))
    assert replay.exact and replay.verdict == "exact" and replay.differences == []
    assert replay.copies[0].call == "cuMemcpyDtoH_v2" and replay.copies[0].nbytes > 0
    assert "saxpy" in replay.launches[0].kernel and replay.launches[0].thread_instructions > 0
    assert replay.tools["instruction_count"].tables
    assert told[-1][0] == told[-1][1] == replay.raw["calls"]


def test_a_launch_that_was_extracted(tmp_path):
    """A folder as traces/bundle/FORMAT.md describes it: two words become their doubles."""
    ptx = """.version 8.0\n.target sm_90\n.address_size 64
.visible .entry twice(.param .u64 at) {
  .reg .b64 %d; .reg .b32 %r;
  ld.param.u64 %d, [at]; ld.global.u32 %r, [%d]; add.u32 %r, %r, %r; st.global.u32 [%d], %r; ret;
}"""
    address = 0x7F0000000000

    def runs(value):
        return b"WJRUNS1\n" + struct.pack("<QQQI", address, 4, 4, value)

    def bundle(version=1, expected=42, pointers=None):
        (tmp_path / "manifest.json").write_text(json.dumps({
            "format": "wedjat-bundle", "version": version, "kernel": "twice", "ptx": [{"file": "k.ptx", "name": "k"}],
            "grid": [1, 1, 1], "block": [1, 1, 1], "cluster": [1, 1, 1], "shared_bytes": 0, "cooperative": False,
            "parameters": "p.bin", "pointers": pointers, "handles": [], "variables": [], "notes": [], "hardware": None,
            "memory": [{"label": "x", "address": hex(address), "bytes": 4096}],
            "input": "in.runs", "expected": "out.runs"}))
        (tmp_path / "k.ptx").write_text(ptx)
        (tmp_path / "p.bin").write_bytes(struct.pack("<Q", address))
        (tmp_path / "pointers.bin").write_bytes(b"WJPTRS1\n" + struct.pack("<QQQQ", 1, 0, 0, 0))
        (tmp_path / "in.runs").write_bytes(runs(21))
        (tmp_path / "out.runs").write_bytes(runs(expected))
        return tmp_path

    run = wedjat.run_bundle(bundle(), tools="instruction_count")
    assert run.same and run.kernel == "twice" and run.compared[0].nbytes == 4
    assert run.tools["instruction_count"].tables
    with pytest.raises(wedjat.Refused, match="at the addresses of the recording only"):
        wedjat.run_bundle(bundle(), elsewhere=True)
    assert wedjat.run_bundle(bundle(pointers="pointers.bin"), elsewhere=True).same
    wrong = wedjat.run_bundle(bundle(expected=43))
    assert not wrong.same and wrong.compared[0].differing_bytes == 1 and wrong.compared[0].first == address
    with pytest.raises(wedjat.BrokenInput, match="version 2"):
        wedjat.run_bundle(bundle(version=2))


def test_a_replay_that_differs():
    trace = SOURCE / "traces/regression/polybench/lu.tar.zst"
    replay = wedjat.replay(trace, contract="none", contents=True)
    assert not replay.exact
    copy = replay.differences[0]
    assert copy.difference.type == "f64" and copy.expected.dtype == np.float64
    assert (copy.expected != copy.got).sum() == copy.difference.elements
    first = np.flatnonzero(copy.expected != copy.got)[0]
    assert first * 8 == copy.difference.offset
    assert repr(copy.expected[first]) in copy.difference.expected


def test_replays_that_cannot_be():
    with pytest.raises(wedjat.BrokenInput, match="/no/such/trace") as failure:
        wedjat.replay("/no/such/trace")
    assert failure.value.file == "/no/such/trace"

    def enough(done, everything):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        wedjat.replay(SOURCE / "traces/samples/saxpy.tar.zst", progress=enough)


def test_textures_and_surfaces():
    device = wedjat.Device()
    texels = np.arange(8, dtype="f4").reshape(2, 4)
    module = device.module(HEAD + """.visible .global .texref bound;
    .visible .entry fetch(.param .u64 to, .param .u64 t) { .reg .b64 %d<2>; .reg .f32 %f<6>;
      ld.param.u64 %d0, [to]; ld.param.u64 %d1, [t]; mov.f32 %f0, 0f3fc00000; mov.f32 %f1, 0f3fc00000;
      tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d1, {%f0, %f1}]; st.global.f32 [%d0], %f2;
      tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [bound, {%f0, %f1}]; st.global.f32 [%d0+4], %f2; ret; }
    .visible .entry store(.param .u64 s) { .reg .b64 %d; .reg .b32 %r<3>; ld.param.u64 %d, [s];
      mov.u32 %r0, 4; mov.u32 %r1, 1; mov.b32 %r2, 0f42280000; sust.b.2d.b32.trap [%d, {%r0, %r1}], {%r2}; ret; }""")
    array = wedjat.Array(device, texels)
    texture = wedjat.Texture(array)
    module.bind("bound", wedjat.Texture(wedjat.Array(device, texels + 10)))
    out = np.zeros(2, "f4")
    module["fetch"][1, 1](out, texture)
    assert out.tolist() == [5, 15]
    module["store"][1, 1](wedjat.Surface(array))
    assert array.numpy()[1].tolist() == [4, 42, 6, 7]
    with pytest.raises(wedjat.WrongArgument, match="another device"):
        wedjat.Module(HEAD + ".visible .entry k(.param .u64 t) { ret; }")["k"][1, 1](texture)
    with pytest.raises(TypeError, match="float64"):
        wedjat.Array(device, np.zeros(3))
    with pytest.raises(ValueError, match="beyond"):
        wedjat.Texture(array, beyond="past")


def test_structs_are_those_of_the_header(tmp_path):
    lines = ['#include "cli/library/wedjat.h"']
    for name, struct in vars(_structs).items():
        if not (isinstance(struct, type) and issubclass(struct, ctypes.Structure) and name.startswith("Wedjat")):
            continue
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");')
        for field, _ in struct._fields_:
            place = getattr(struct, field)
            lines.append(f'_Static_assert(offsetof({name}, {field}) == {place.offset}, "{name}.{field}");')
            lines.append(f'_Static_assert(sizeof((({name}*)0)->{field}) == {place.size}, "{name}.{field}");')
    assert len(lines) > 80
    source = tmp_path / "structs.c"
    source.write_text("\n".join(lines))
    done = subprocess.run([os.environ["CC"], "-std=c11", "-fsyntax-only", "-I", SOURCE, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_stubs_say_what_there_is():
    package = pathlib.Path(wedjat.__file__).parent
    for stub in package.glob("*.pyi"):
        tree = ast.parse(stub.read_text())
        module = __import__(f"wedjat.{stub.stem}", fromlist=["x"]) if stub.stem != "__init__" else wedjat
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                assert hasattr(module, node.name), f"{stub}: {node.name}"
                assert ast.get_docstring(node) or node.name.startswith("_"), f"{stub}: {node.name} has no docstring"
    text = (package / "_module.pyi").read_text()
    assert "def launch(self, grid: Extent, block: Extent, *arguments: Any, shared: int=0" in text


def test_everything_public_has_a_docstring():
    for name in wedjat.__all__:
        thing = getattr(wedjat, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"


def test_the_plugin(pytester, saxpy):
    pytester.makefile(".ptx", saxpy=saxpy, reads=READS)
    pytester.makepyfile("""
        import numpy as np, pathlib, pytest
        def test_well(wedjat_device):
            x = np.ones(4, "f4")
            wedjat_device.module(pathlib.Path("saxpy.ptx").read_text())["saxpy"][1, 4](x, x.copy(), 1.0, 4)
            assert x[0] == 2
        @pytest.mark.wedjat(tools=["memory_check"])
        def test_found(wedjat_device):
            racing = '''.version 8.0
        .target sm_90
        .address_size 64
        .visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p]; mov.u32 %r, %tid.x;
          st.global.u32 [%d], %r; ret; }'''
            wedjat_device.module(racing)["k"][1, 64](np.zeros(1, "u4"))
        """)
    plain = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    plain.assert_outcomes(passed=2)
    checked = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--wedjat-check")
    checked.assert_outcomes(passed=2, errors=1)
    checked.stdout.fnmatch_lines(["*race_check*"])
