# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Outputs that this process has open already: the standard output by its other names."""

import os
import subprocess
import sys

import pytest

from genten._files.paths import own_descriptor

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs /proc")


def test_what_names_a_descriptor(tmp_path):
    read, write = os.pipe()
    try:
        (tmp_path / "link").symlink_to(f"/dev/fd/{write}")
        own = f"/proc/{os.getpid()}/fd/{write}"
        for path in (tmp_path / "link", f"/proc/self/fd/{write}", own):
            assert own_descriptor(path) == write
    finally:
        os.close(read)
        os.close(write)
    assert (own_descriptor("/dev/stdout"), own_descriptor("/dev/stderr")) == (1, 2)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in ("1", "fd/1", tmp_path / "x", tmp_path / "loop", "/proc/1/fd/1", "/dev/null", ""):
        assert own_descriptor(path) is None


def run(tmp_path, code):
    with open(tmp_path / "old.txt", "ab") as out:
        code = f"import genten, numpy as np\n{code}"
        subprocess.run([sys.executable, "-c", code], check=True, stdout=out, cwd=tmp_path)
    return (tmp_path / "old.txt").read_text()


def test_a_file_that_is_appended_to_is_not_replaced(tmp_path):
    (tmp_path / "old.txt").write_text("before\n")
    (tmp_path / "m.csv").symlink_to("/dev/stdout")
    text = run(tmp_path, "print('said'); m = genten.Model([2.0], [np.ones((2, 1))], [['a', 'b']])\n"
               "m.save('m.csv'); print('after')")  # fmt: skip
    assert text == (
        "before\nsaid\nmode,row,name,component_1\n0,0,weight,2\n1,1,a,1\n1,2,b,1\nafter\n"
    )
    assert sorted(os.listdir(tmp_path)) == ["m.csv", "old.txt"]


def test_names_have_no_place_beside_the_standard_output(tmp_path):
    (tmp_path / "out.txt").write_text("")
    (tmp_path / "m.ktensor").symlink_to("/dev/fd/1")
    run(tmp_path, "genten.Model([2.0], [np.ones((2, 1))], [['a', 'b']]).save('m.ktensor')")
    assert [name for name in os.listdir(tmp_path) if name.endswith(".json")] == []
