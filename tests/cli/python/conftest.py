"""What the tests share. The plugin comes with the wheel; pytester tests it."""

import os
import pathlib

import pytest

pytest_plugins = ["pytester"]

SOURCE = pathlib.Path(os.environ["WEDJAT_SOURCE"])
HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


@pytest.fixture
def saxpy():
    return (SOURCE / "cli/library/examples/saxpy.ptx").read_text()


@pytest.fixture
def samples():
    return SOURCE / "traces/samples"
