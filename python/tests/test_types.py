# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The stub of the extension says what the extension has, and pickles are found."""

import ast
import pathlib
import pickle
import re

import pytest

import genten
from genten import _core


def test_the_stub_names_what_is_there():
    stub = pathlib.Path(genten.__file__).resolve().with_name("_core.pyi")
    named, common = {}, {}
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            named[node.name] = [argument.arg for argument in node.args.args]
        elif isinstance(node, ast.ClassDef):
            methods = {each.name: each for each in node.body}
            if "__call__" in methods:  # What several functions have in common, their signature.
                common[node.name] = [argument.arg for argument in methods["__call__"].args.args[1:]]
            else:
                named[node.name] = sorted(methods)
        elif isinstance(node, ast.AnnAssign) and node.annotation.id in common:
            named[node.target.id] = common[node.annotation.id]
    there = {name for name in dir(_core) if not name.startswith("_")}
    assert set(named) == there
    for name in there - {"SparseTensor", "Stream"}:
        signature = getattr(_core, name).__nb_signature__[0][0]
        assert re.findall(r"[(,] ?(\w+):", re.sub(r"\[[^()]*?\]", "", signature)) == named[name]
    members = sorted(name for name in dir(_core.SparseTensor) if not name.startswith("_"))
    assert members == named["SparseTensor"]
    assert _core.__version__ == genten.__version__


@pytest.mark.parametrize(
    "name",
    ["model.Model", "tensors.Tensor", "tensors._unpickled", "result.Result", "result.Start",
     "_history.History", "_score.Score", "_pyttb_names.Norm", "_run.holdout.Holdout",
     "_rank.choice.RankChoice", "_rank.row.RankRow", "_run.evaluation.Evaluation",
     "_run.evaluation.EntryErrors"],
)  # fmt: skip
def test_pickles_find_things_where_they_have_always_been(name):
    module, thing = f"genten.{name}".rsplit(".", 1)
    assert pickle.loads(f"c{module}\n{thing}\n.".encode()).__name__ == thing


def test_the_package_says_that_it_is_typed():
    assert pathlib.Path(genten.__file__).resolve().with_name("py.typed").exists()
