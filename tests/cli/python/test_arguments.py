"""Which values fit which parameters."""

import ctypes
import struct

import numpy as np
import pytest
import wedjat
from conftest import HEAD


def stored(type_, value, width=None):
    """The bytes that a kernel got as a parameter of this type."""
    width = width or {"f16": 16, "b16": 16}.get(type_, int(type_[1:]))
    bits = f"b{width}"
    register = {8: "b16"}.get(width, bits)
    module = wedjat.Module(HEAD + f""".visible .entry k(.param .u64 to, .param .{type_} v) {{
      .reg .b64 %d; .reg .{register} %v; ld.param.u64 %d, [to]; ld.param.{bits} %v, [v]; st.global.{bits} [%d], %v; ret; }}""")
    out = np.zeros(width // 8, np.uint8)
    module["k"][1, 1](out, value)
    return out.tobytes()


@pytest.mark.parametrize("type_, value, expected", [
    ("u32", 5, "<I5"), ("u32", -1, "<I4294967295"), ("s32", -5, "<i-5"), ("b32", 1 << 31, "<I2147483648"),
    ("u8", 255, "<B255"), ("u64", 1 << 63, "<Q9223372036854775808"), ("u16", True, "<H1"), ("f32", 1.5, "<f1.5"),
    ("f32", 2, "<f2"), ("f64", 0.1, "<d0.1"), ("f16", 0.5, "<e0.5"), ("f32", 1e300, "<finf"),
    ("u32", np.uint32(7), "<I7"), ("u32", np.int32(-7), "<i-7"), ("b32", np.float32(3), "<f3"), ("f32", np.float32(3), "<f3"),
    ("f64", np.float64(0.1), "<d0.1"), ("f16", np.float16(2), "<e2"), ("s64", np.int64(-9), "<q-9"),
    ("u32", ctypes.c_int(-2), "<i-2"), ("f32", ctypes.c_float(2.5), "<f2.5")])
def test_numbers_that_fit(type_, value, expected):
    number = float(expected[2:]) if expected[1] in "efd" else int(expected[2:])
    assert stored(type_, value) == struct.pack(expected[:2], number)


@pytest.mark.parametrize("type_, value, error, text", [
    ("u32", 1 << 32, OverflowError, "does not fit into 32 bits"), ("u8", 256, OverflowError, "8 bits"),
    ("u8", -129, OverflowError, "8 bits"), ("u32", 1.0, TypeError, "a whole number of 4 bytes, float is given"),
    ("f32", np.float64(1), TypeError, "it has 4 bytes, the value 8"), ("u32", np.float32(1), TypeError, "a whole number"),
    ("f32", np.int32(1), TypeError, "it takes a float"), ("u32", np.int64(1), TypeError, "it has 4 bytes, the value 8"),
    ("f32", "1", TypeError, "str is given"), ("f32", None, TypeError, "NoneType is given"), ("u32", 1j, TypeError, "complex"),
    ("u32", np.zeros(3), TypeError, "takes a number, no address, ndarray of float64"),
    ("f64", np.zeros(3), TypeError, "takes a number, no address"), ("u64", [1, 2], TypeError, "list is given"),
    ("u64", np.array([None]), TypeError, "objects of Python"), ("u64", np.array(3.0), TypeError, "reshape"),
    ("f16", 1e9, OverflowError, "out of range")])
def test_values_that_do_not(type_, value, error, text):
    with pytest.raises(error, match="parameter 1 \\(v") as raised:
        stored(type_, value)
    assert text in str(raised.value)


def test_arrays_that_cannot_be_taken(saxpy):
    kernel = wedjat.Module(saxpy)["saxpy"]
    x = np.zeros((4, 4), "f4")
    for bad, text in ((x[:, 1], "gaps"), (x.astype(">f4"), "other order"), (x[::2], "gaps")):
        with pytest.raises(TypeError, match=text):
            kernel[1, 1](x, bad, 1.0, 1)
    kernel[1, 1](x.T, np.zeros(0, "f4"), 1.0, 0)
    with pytest.raises(TypeError, match="takes 4 arguments, 3 are given"):
        kernel[1, 1](x, x, 1.0)


def test_dtypes_that_were_declared(saxpy):
    module = wedjat.Module(saxpy)
    module["saxpy"].declare("f4", np.float32, np.float32, None)
    x = np.ones(4, "f4")
    module["saxpy"][1, 4](x, x.copy(), 1.0, 4)
    assert x.tolist() == [2] * 4
    with pytest.raises(TypeError, match="declared to take an array of float32, ndarray of float64"):
        module["saxpy"][1, 4](x, x.astype("f8"), 1.0, 4)
    with pytest.raises(TypeError, match="declared to take an array of float32"):
        module["saxpy"][1, 4](x, module.device.memory.zeros(4, "i4"), 1.0, 4)
    with pytest.raises(TypeError, match="declared to take float32"):
        module["saxpy"][1, 4](x, x, np.uint32(1), 4)
    with pytest.raises(TypeError, match="4 arguments, 1 dtypes"):
        module["saxpy"].declare("f4")


def test_structs_by_value():
    module = wedjat.Module(HEAD + """.visible .entry k(.param .u64 to, .param .align 4 .b8 s[8]) {
      .reg .b64 %d, %v; ld.param.u64 %d, [to]; ld.param.b32 %v, [s+4]; st.global.b32 [%d], %v; ret; }""")

    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_int)]

    structured = np.array([(1, 7)], [("a", "i4"), ("b", "i4")])[0]
    for value in (struct.pack("ii", 1, 7), Pair(1, 7), structured):
        out = np.zeros(1, "i4")
        module["k"][1, 1](out, value)
        assert out[0] == 7
    with pytest.raises(TypeError, match="it has 8 bytes, the value 3"):
        module["k"][1, 1](np.zeros(1, "i4"), b"abc")
    with pytest.raises(TypeError, match="takes 8 bytes by value"):
        module["k"][1, 1](np.zeros(1, "i4"), np.zeros(8, "u1"))


def test_memory_of_a_device():
    with wedjat.Device() as device:
        memory = device.memory
        array = memory.array([[1, 2], [3, 4]], "i2")
        assert array.shape == (2, 2) and array.nbytes == 8 and array.address % 512 == 0 and len(array) == 2
        memory.copy(array.address + 2, array.address, 4)
        assert array.numpy().tolist() == [[1, 1], [2, 4]]
        memory.write(array.address, b"\5\0")
        memory.fill(array.address + 4, b"\1\2", 2)
        assert array.numpy().tolist() == [[5, 1], [513, 513]]
        assert memory.array(3.5).numpy() == 3.5
        assert memory.allocate(3).numpy().tolist() == [0, 0, 0]
        with pytest.raises(TypeError, match="does not fit"):
            array.write(np.zeros(4, "i2"))
        with pytest.raises(wedjat.WrongArgument, match="allocated"):
            memory.read(array.address, 9)
        with pytest.raises(TypeError):
            memory.zeros(3, object)
        with pytest.raises(ValueError):
            memory.zeros((2, -1))
        with pytest.raises(wedjat.Refused):
            memory.allocate(1 << 60)
