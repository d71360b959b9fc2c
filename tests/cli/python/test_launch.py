"""Launches: arrays there and back, what is printed, what fails."""

import gc
import os
import signal
import threading
import time

import numpy as np
import pytest
import wedjat
from conftest import HEAD

COUNT = HEAD + """.visible .entry count(.param .u64 to, .param .u32 times) {
  .reg .b64 %d; .reg .b32 %r<3>;
  ld.param.u64 %d, [to]; ld.param.u32 %r0, [times];
  ld.global.u32 %r1, [%d]; add.u32 %r1, %r1, %r0; st.global.u32 [%d], %r1; ret; }
"""
PRINTING = HEAD + """.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 text[7] = {72, 105, 32, 195, 164, 10, 0};
.visible .entry k() { .reg .b64 %d; .reg .b32 %r; cvta.global.u64 %d, text;
{ .param .b64 p0; st.param.b64 [p0], %d; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 q;
call.uni (q), vprintf, (p0, p1); ld.param.b32 %r, [q]; } ret; }
"""


def test_arrays_go_there_and_back(saxpy):
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    told = wedjat.Module(saxpy)["saxpy"][8, 128](y, x, 2.0, 1000)
    assert (y == 2 * x + 1).all()
    assert told.thread_instructions == 1000 * 18 + 24 * 7
    assert told.seconds > 0


def test_arrays_of_the_device_stay_there(saxpy):
    with wedjat.Device() as device:
        x, y = device.memory.array(np.arange(10, dtype="f4")), device.memory.zeros(10, "f4")
        kernel = device.module(saxpy)["saxpy"]
        for _ in range(3):
            kernel[(1, 1), (32, 1, 1)](y, x, np.float32(1), np.uint32(10))
        assert (y.numpy() == 3 * np.arange(10)).all()
        assert np.asarray(y)[2] == 6
        y.free()
        with pytest.raises(wedjat.WrongArgument, match="freed"):
            kernel[1, 32](y, x, 1.0, 10)
        with pytest.raises(wedjat.WrongArgument, match="another device"):
            wedjat.Module(saxpy)["saxpy"][1, 32](x, x, 1.0, 10)


def test_an_array_that_cannot_be_written_stays_as_it_is():
    array = np.array([5], np.uint32)
    array.flags.writeable = False
    wedjat.Module(COUNT)["count"][1, 1](array, 3)
    assert array[0] == 5


def test_arrays_that_overlap_are_one_piece_of_memory(saxpy):
    both = np.arange(8, dtype=np.float32)
    wedjat.Module(saxpy)["saxpy"][1, 1](both[2:6], both[3:], 1.0, 1)
    assert both.tolist() == [0, 1, 5, 3, 4, 5, 6, 7]


def test_whatever_shares_its_memory_is_an_array():
    raw = bytearray(4)
    wedjat.Module(COUNT)["count"][1, 1](raw, 7)
    assert raw == bytearray([7, 0, 0, 0])


def test_what_a_kernel_takes(saxpy):
    kernel = wedjat.Module(saxpy, name="saxpy.ptx")["saxpy"]
    assert [(p.name, p.type, p.nbytes, p.offset) for p in kernel.parameters] == [
        ("y", "u64", 8, 0), ("x", "u64", 8, 8), ("a", "f32", 4, 16), ("n", "u32", 4, 20)]
    assert kernel.file == "saxpy.ptx" and kernel.line == 6
    assert kernel.needs.ptx_version == (8, 0) and kernel.needs.most_threads == 1024
    assert repr(kernel) == "<wedjat.Kernel saxpy(.u64 y, .u64 x, .f32 a, .u32 n)>"


def test_modules_are_mappings_and_have_variables():
    module = wedjat.Module(HEAD + ".visible .global .align 4 .u32 n = 7;\n.visible .entry a() { ret; }",
                           HEAD + ".visible .entry b() { ret; }")
    assert list(module) == ["a", "b"] and "a" in module and len(module) == 2
    variable = module.variables["n"]
    assert variable.type == "u32" and module.device.memory.read(variable.address, 4) == b"\7\0\0\0"
    with pytest.raises(KeyError, match="it has a, b"):
        module["c"]
    kernel = module["a"]
    module.unload()
    with pytest.raises(wedjat.WrongArgument, match="gone"):
        kernel[1, 1]()


def test_a_kernel_that_fails_says_where(saxpy):
    module = wedjat.Module(saxpy, name="saxpy.ptx")
    x, y = np.zeros(10, "f4"), np.zeros(10, "f4")
    with pytest.raises(wedjat.KernelFailed, match="out of bounds") as failure:
        module["saxpy"][2, 32](y, x, 1.0, 64)
    assert (failure.value.file, failure.value.line) == ("saxpy.ptx", 27)
    assert (failure.value.kernel, failure.value.cta, failure.value.thread) == ("saxpy", 0, 10)
    assert failure.value.fault == "access out of bounds"
    with pytest.raises(wedjat.KernelFailed, match="cannot be used"):
        module["saxpy"][1, 1](y, x, 1.0, 1)


def test_text_that_is_no_ptx_says_where():
    with pytest.raises(wedjat.BrokenInput) as failure:
        wedjat.Module(HEAD + ".visible .entry k(", name="bad.ptx")
    assert failure.value.file == "bad.ptx" and failure.value.line >= 4
    kernel = wedjat.Module(HEAD + ".visible .entry k() { frobnicate.b32 1; ret; }")["k"]
    with pytest.raises(wedjat.Refused, match="frobnicate"):
        kernel[1, 1]()


@pytest.mark.parametrize("shape", [(0, 1), (1, -1), ((1, 2, 3, 4), 1), ((), 1), (1, 1 << 32), (1, 1, -1)])
def test_shapes_that_there_are_not(saxpy, shape):
    with pytest.raises(ValueError):
        wedjat.Module(saxpy)["saxpy"][shape]


def test_shapes_that_are_beyond_the_device(saxpy):
    x = np.zeros(1, "f4")
    with pytest.raises(wedjat.Refused, match="2048"):
        wedjat.Module(saxpy)["saxpy"][1, 2048](x, x, 1.0, 1)
    with pytest.raises(TypeError, match="kernel\\[grid, block\\]"):
        wedjat.Module(saxpy)["saxpy"][1]


def test_what_kernels_print(capsys):
    wedjat.Module(PRINTING)["k"][1, 2]()
    assert capsys.readouterr().out == "Hi ä\nHi ä\n"
    told = []
    with wedjat.Device(print=told.append) as device:
        device.module(PRINTING)["k"][1, 1]()
    assert "".join(told) == "Hi ä\n"

    def refuse(text):
        raise RuntimeError("no more " + text)

    with wedjat.Device(print=refuse) as device, pytest.raises(RuntimeError, match="no more Hi"):
        device.module(PRINTING)["k"][1, 1]()


def test_several_threads_use_one_device(saxpy):
    module = wedjat.Module(COUNT)
    total = module.device.memory.zeros(1, "u4")

    def work():
        for _ in range(20):
            module["count"][1, 1](total, 1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total.numpy()[0] == 80


def test_control_c_ends_a_launch():
    device = wedjat.Device()
    kernel = device.module(HEAD + ".visible .entry k() { L: bra L; }")["k"]

    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    begin = time.monotonic()
    with pytest.raises((KeyboardInterrupt, wedjat.Interrupted)):
        kernel[1, 1]()
        time.sleep(1)  # where Python notices the signal
    assert time.monotonic() - begin < 60


def test_nothing_is_left_when_it_is_collected(saxpy):
    device = wedjat.Device()
    first = device.memory.zeros(10, "f4")
    address = first.address
    del first
    gc.collect()
    with pytest.raises(wedjat.WrongArgument):
        device.memory.read(address, 1)
    device.close()
    assert device.closed
    device.close()
    with pytest.raises(wedjat.WrongArgument, match="gone"):
        device.memory.zeros(1)


def test_options_that_there_are_not():
    for options in ({"jit": "fast"}, {"contract": "some"}, {"threads": -1}, {"threads": 1.5}, {"stack_limit": 3},
                    {"tools": ["no_such_tool"]}):
        with pytest.raises(ValueError):
            wedjat.Device(**options)
    with wedjat.Device(step_limit=1000) as device, pytest.raises(wedjat.KernelFailed, match="step limit"):
        device.module(HEAD + ".visible .entry k() { L: bra L; }")["k"][1, 1]()
