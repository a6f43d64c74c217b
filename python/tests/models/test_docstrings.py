# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Everything public says what it does, what it takes and gives, and shows it by an example."""

import dataclasses
import inspect
import re

import pytest

import genten

pytest.importorskip("matplotlib", reason='pictures need pip install "genten[plot]"')
pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')

import genten.plots  # noqa: E402
import genten.reports  # noqa: E402

NO_EXAMPLE = {
    "genten.CpOptions": "keywords of cp for checkers of types, and nothing that runs",
}
"""What has none, and why."""

NOT_MADE_BY_USERS = {
    "genten.Tensor": "genten.tensor and genten.read make them",
    "genten.CpOptions": "a dictionary that nobody makes",
    "genten.History": "cp makes them; the columns are its attributes",
    "genten.Score": "Model.score makes them",
    "genten.reports.Recorded": "read_recorded makes them",
    "genten.reports.RecordedRanks": "read_ranks makes them",
}
"""Classes whose constructors are not documented, and why."""


def public_names():
    for module in (genten, genten.plots, genten.reports):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                yield f"{module.__name__}.{name}", thing
            if not inspect.isclass(thing):
                continue
            for member in sorted(dir(thing)):
                found = inspect.getattr_static(thing, member)
                own = any(
                    member in vars(base) and base.__module__.startswith("genten")
                    for base in thing.__mro__
                )
                if own and not member.startswith("_"):
                    yield f"{module.__name__}.{name}.{member}", getattr(found, "__func__", found)


ALL = dict(public_names())


def sections(text):
    """The sections of a docstring by name, "" for what is before them."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def named(section):
    """The names that stand in a list of parameters or attributes."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :|$)", section, flags=re.MULTILINE)
    return [name.strip() for head in heads for name in head.split(",")]


def of_kind(kind):
    return [name for name, thing in ALL.items() if kind(thing)]


def is_member(name):
    return name.count(".") > 1 + name.startswith(("genten.plots.", "genten.reports."))


def test_the_walk_finds_what_is_public():
    for name in ("genten.cp", "genten.Iteration.model", "genten.Tensor.to_coo", "genten.plots.save",
                 "genten.reports.read_recorded", "genten.Model.isequal", "genten.Score",
                 "genten.Model.norm", "genten.Result.report"):  # fmt: skip
        assert name in ALL, name
    assert len(ALL) > 80


@pytest.mark.parametrize("name", ALL)
def test_it_has_a_summary(name):
    text = ALL[name].__doc__
    if not inspect.isfunction(ALL[name]) and not hasattr(ALL[name], "fget"):
        if not inspect.isclass(ALL[name]):
            pytest.skip("a value, among the attributes of its class")
    assert text, "there is no docstring"
    assert "\n\n" in text or text.rstrip().endswith("."), "no sentence"
    summary = sections(text)[""].split("\n\n")[0].strip()
    assert summary.endswith((".", ":")) and summary[0].isupper(), summary


@pytest.mark.parametrize("name", of_kind(inspect.isfunction))
def test_it_names_its_arguments_and_what_it_returns(name):
    found = sections(ALL[name].__doc__)
    signature = inspect.signature(ALL[name])
    given = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    if given and "{options}" not in ALL[name].__doc__:
        listed = named(found.get("Parameters", ""))
        for parameter in given:
            stars = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}
            wanted = stars.get(parameter.kind, "") + parameter.name
            if wanted == "**options" and ("format" in listed or "index_base" in listed):
                continue  # The table stands in its place.
            assert wanted in listed, f"{wanted} is not among the parameters"
    returns = signature.return_annotation
    assert (returns in (None, "None")) == ("Returns" not in found), "what it returns"


@pytest.mark.parametrize("name", of_kind(inspect.isclass))
def test_a_class_names_what_it_is_made_of(name):
    found = sections(ALL[name].__doc__)
    listed = named(found.get("Attributes", "")) + named(found.get("Parameters", ""))
    if dataclasses.is_dataclass(ALL[name]):
        for field in dataclasses.fields(ALL[name]):
            if not field.name.startswith("_"):
                assert field.name in listed, f"{field.name} is not among the attributes"
    elif name not in NOT_MADE_BY_USERS:
        for parameter in inspect.signature(ALL[name]).parameters:
            there = parameter in [each.lstrip("*") for each in listed]
            assert there, f"{parameter} is not among the parameters"


@pytest.mark.parametrize(
    "name", [n for n in ALL if inspect.isfunction(ALL[n]) or inspect.isclass(ALL[n])]
)
def test_it_has_an_example(name):
    if name in NO_EXAMPLE:
        pytest.skip(NO_EXAMPLE[name])
    assert ">>> " in sections(ALL[name].__doc__).get("Examples", ""), "there is no example"


def test_reasons_are_needed():
    for name in (*NO_EXAMPLE, *NOT_MADE_BY_USERS):
        assert name in ALL
    for name in NO_EXAMPLE:
        assert ">>> " not in (ALL[name].__doc__ or "")


def test_lists_of_options_say_their_default_and_the_range_of_an_entry():
    text = genten.cp.__doc__
    assert "default ()" not in text and "default: ()" not in text
    for head, body in (
        ("mode_order : sequence of int or str, default: none", "each from 0 to N - 1, or a name"),
        ("nonnegative : bool or sequence of int or str, default: none", "each from 0 to N - 1"),
        ("ridge : float or sequence of float, default: none", "each at least 0"),
        ("upper : float or sequence of float, default: none", "each any number but NaN"),
    ):
        assert head in text
        rest = text[text.index(head) + len(head) :].split(" : ")[0]
        assert body in " ".join(rest.split()), head
    assert "dimensions : sequence of int, default: none" in genten.read.__doc__
    assert "each at least 1" in " ".join(genten.read.__doc__.split())
    assert inspect.signature(genten.cp).parameters["ridge"].default is None
    assert "seed : int, Generator, RandomState or None, default: 1" in text
