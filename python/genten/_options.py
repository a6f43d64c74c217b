# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Options as the library's tables have them: keywords, their checks and their documentation."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import math
import operator
import os
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from . import _core
from ._names_of_others import KEYWORDS, KEYWORDS_ELSEWHERE
from .convert.parts import shown

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")

_ALSO = {
    "seed": (
        "int, Generator, RandomState or None",
        "a seed is drawn from generators of NumPy, and a random one for None: "
        "``r.options['seed']`` says which",
    ),
    "bootstrap_mode": ("int or str", ""),
}
"""Kinds of values that options take here beside those of the library's, and what these mean."""


_NO_BOUND = {"lower": -math.inf, "upper": math.inf}
"""Options of which None, in a list of one a mode, is no bound, and what it stands for."""


OF_TENSOR = ("values", "modes", "shape", "labels", "mode_names", "duplicates", "index_base")
"""Keywords of `genten.tensor`, which say what data mean before others take them."""


def nearest(word: Any, known: Iterable[str]) -> str:
    """What to say behind the message on a word that is none of those known: the nearest of them.

    Examples
    --------
    >>> nearest("poison", ["gaussian", "poisson"]), nearest(3, ["poisson"])
    ("; did you mean 'poisson'?", '')
    """
    near = difflib.get_close_matches(word, list(known), 1, 0.6) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _is_unordered(value: Any) -> bool:
    """Whether it would be read by its keys, or in any order."""
    return isinstance(value, (Mapping, Set))


@dataclass(frozen=True)
class Option:
    """A line of a table."""

    name: str
    kind: str
    default: Any
    lowest: float | None
    highest: float | None
    choices: dict[str, str]
    meaning: str
    solvers: dict[str, Any] = dataclasses.field(default_factory=dict)
    """The default of each solver that has it, where several share a table."""
    other_meanings: dict[str, str] = dataclasses.field(default_factory=dict)
    """What solvers say of it otherwise."""

    def expected(self) -> str:
        """What a value has to be, for people."""
        if self.kind == "choice":
            return "one of " + ", ".join(repr(word) for word in self.choices)
        words = {
            "bool": "True or False",
            "int": "a whole number",
            "float": "a number",
            "modes": "modes, counted from 0, or their names",
            "selection": "True for all modes, or modes, counted from 0, or their names",
            "floats": "a number, or one a mode",
            "ints": "whole numbers",
            "text": "a text",
            "texts": "a list of texts",
        }[self.kind]
        low, high = self.lowest, self.highest
        words += "," * (self.kind == "floats" and low is not None)
        if low is not None and high is not None:
            return f"{words} from {low:g} to {high:g}"
        if low is not None and self.kind != "modes":
            return f"{words} of at least {low:g}"
        return f"{words}, None for no bound" if self.name in _NO_BOUND else words

    def _of_entries(self) -> str:
        """The range of an entry of a list."""
        if self.kind in ("modes", "selection"):
            return "each from 0 to N - 1, or a name; -1 is the last mode"
        low, high = self.lowest, self.highest
        if low is not None and high is not None:
            return f"each from {low:g} to {high:g}"
        if self.name in _NO_BOUND:
            return "each any number but NaN, or None for no bound"
        return "each any number but NaN" if low is None else f"each at least {low:g}"

    def refuse(self, value: Any, error: type[Exception]) -> Exception:
        """What to raise for a value."""
        near = nearest(value, self.choices)
        if self.kind in ("modes", "selection") and isinstance(value, (int, np.integer)):
            near = "" if isinstance(value, bool) else f"; [{value}] is a list of one"
        if self.kind in ("modes", "selection") and isinstance(value, list) and value:
            are_truths = all(isinstance(each, (bool, np.bool_)) for each in value)
            near = f"; {np.flatnonzero(value).tolist()} are the modes" if are_truths else near
        return error(f"{self.name}: expected {self.expected()}, got {shown(value)}{near}")

    def checked(self, value: Any) -> Any:
        """The value as the extension takes it.

        Raises
        ------
        TypeError
            For one of another type.
        ValueError
            For one that is out of range.
        """
        if isinstance(value, np.bool_):
            value = bool(value)
        if self.kind == "choice":
            word = str(value) if isinstance(value, (str, int)) else value
            if not isinstance(word, str):
                raise self.refuse(value, TypeError)
            if word not in self.choices:
                raise self.refuse(value, ValueError)
            return word
        if self.kind == "text":
            if not isinstance(value, str):
                raise self.refuse(value, TypeError)
            return value
        if self.kind == "texts":
            return self._checked_texts(value)
        if self.kind == "bool":
            if not isinstance(value, bool):
                raise self.refuse(value, TypeError)
            return value
        if self.kind == "selection" and isinstance(value, bool):
            return value
        if self.kind == "floats":
            return self._checked_numbers(value)
        if self.kind in ("modes", "ints", "selection"):
            try:
                # True and False in a list would be taken for modes 1 and 0.
                if _is_unordered(value) or any(isinstance(each, bool) for each in value):
                    raise self.refuse(value, TypeError)
                return [operator.index(each) for each in value]
            except TypeError:
                raise self.refuse(value, TypeError) from None
        return self._checked_number(value)

    def _checked_numbers(self, value: Any) -> list[Any]:
        if isinstance(value, (bool, str)) or _is_unordered(value):
            raise self.refuse(value, TypeError)
        try:
            numbers = list(value)
        except TypeError:
            numbers = [value]
        none = _NO_BOUND.get(self.name)
        return [
            none if number is None and none is not None else self._checked_number(number)
            for number in numbers
        ]

    def _checked_texts(self, value: Any) -> list[str]:
        good = not isinstance(value, str) and not _is_unordered(value)
        if not good or not all(isinstance(each, str) for each in value):
            raise self.refuse(value, TypeError)
        return list(value)

    def _checked_number(self, value: Any) -> Any:
        if isinstance(value, (bool, str)):
            raise self.refuse(value, TypeError)
        number: Any
        try:
            number = operator.index(value) if self.kind == "int" else float(value)
        except (TypeError, ValueError):
            if self.kind == "int" and isinstance(value, float) and value.is_integer():
                number = int(value)
            else:
                raise self.refuse(value, TypeError) from None
        lowest = 0 if self.kind == "int" and self.lowest is None else self.lowest
        if number != number:
            raise self.refuse(value, ValueError)
        good = (lowest is None or number >= lowest) and (
            self.highest is None or number <= self.highest
        )
        if not good or (self.kind == "int" and number >= 2**64):
            raise self.refuse(value, ValueError)
        return number

    def documentation(self) -> str:
        """The option in a docstring's list of parameters."""
        kinds = {
            "modes": "sequence of int or str",
            "ints": "sequence of int",
            "selection": "bool or sequence of int or str",
            "floats": "float or sequence of float",
            "choice": "str",
            "text": "str",
            "texts": "sequence of str",
        }
        kind = kinds.get(self.kind, self.kind)
        if self.choices:
            kind = "{" + ", ".join(repr(word) for word in self.choices) + "}"
        kind, also = _ALSO.get(self.name, (kind, ""))
        default = "none" if isinstance(self.default, list) else repr(self.default)
        others = [
            f"{value!r} of {solver!r}"
            for solver, value in self.solvers.items()
            if value != self.default and not isinstance(value, (list, str))
        ]
        default = ", ".join([default, *others])
        text = self.meaning[:1].upper() + self.meaning[1:] + (f"; {also}" if also else "")
        for solver, meaning in self.other_meanings.items():
            if meaning not in text:
                text += f"; of {solver!r}: {meaning}"
        if self.solvers and "als" not in self.solvers:
            text = f"Of the solver{'s' * (len(self.solvers) > 1)} " + (
                " and ".join(repr(solver) for solver in self.solvers) + f": {text}"
            )
        text = text.replace("counted from 1", "counted from 0")
        explained = "; ".join(f"{word}: {means}" for word, means in self.choices.items() if means)
        if explained:
            text += f"; {explained}"
        if isinstance(self.default, list) and self.kind != "texts":
            text += f" ({self._of_entries()})"
        elif self.kind != "choice" and (self.lowest is not None or self.highest is not None):
            text += f" ({self.expected()})"
        body = textwrap.fill(text + ".", 88, initial_indent="    ", subsequent_indent="    ")
        return f"{self.name} : {kind}, default: {default}\n{body}"


MOST_LISTED = 8
"""Keywords that a message lists; of more the documentation does."""


def unknown_keyword(name: str, names: list[str], function: str) -> str:
    """What to say of a keyword that is none of these, which are those of a function."""
    alias = [word for word in KEYWORDS.get(name, ()) if word in names]
    near = alias or difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    hint = _other_way(name, names, function) or hint
    if len(names) > MOST_LISTED:
        there = f" help({function}) tells of all {len(names)}"
    else:
        own = "its keywords are" if len(names) > 1 else "its only keyword is"
        there = f" {own.capitalize() if hint.endswith('?') else own} {', '.join(names)}"
    return f"unexpected keyword {name!r}{hint}{'' if hint.endswith('?') else ';'}{there}"


_OF_CP_ALONE = (
    "nonnegative", "loss", "missing", "holdout", "ridge", "l1", "lower", "upper", "starts",
)  # fmt: skip
"""Keywords of `genten.cp` that others than CP models do not have."""


_NEW_ROWS = (
    "entries that slices lack count as zeros here; project_rows(X, mode, missing='unlisted') finds "
    "the rows of new slices without them"
)


def _other_way(name: str, names: list[str], function: str) -> str:
    """What does what a keyword of others means, where none of these does."""
    ways: dict[str, Any] = {
        "mask": "missing" in names
        and "missing=~mask, since a mask of missing= is True where a value is missing",
        "exclude_dims": "modes" in names and "list the other modes in modes=",
        "modes": "ranks" in names and "None in place of a rank leaves a mode as it is",
        **{each: "ranks" in names and "genten.cp has it" for each in _OF_CP_ALONE},
        "missing": (function.endswith(("Stream", "project", "update")) and _NEW_ROWS)
        or ("norms" in names and "numpy.where(missing, m.to_dense(), X) has those of the model m")
        or ("ranks" in names and "genten.cp has it"),
        "out": function.endswith("sum")  # which numpy.sum gives
        and "X.sum() in place of numpy.sum(X) is the sum of a Tensor",
    }
    if function.endswith(("collapse", "sum")):
        not_sums = "to_pyttb().collapse(dims, fun) takes another function than the sum"
        ways |= {"fun": not_sums, "func": not_sums}
    if function.endswith(("predict", "evaluate")):
        ways["unknown"] = (
            "rows must be known: table[table[column].isin(m.labels[mode])] leaves out the others"
        )
    if function.endswith("score"):
        ways["threshold"] = "the score is a number, of which you say what is near: score > 0.99"
    if function.endswith("normalize"):
        theirs = ("weight_factor", "normtype", "mode")
        ways |= {each: f"to_pyttb().normalize({each}=...) is pyttb's own" for each in theirs}
    if "fixed_modes" in names:
        ways |= KEYWORDS_ELSEWHERE
    if way := ways.get(name):
        return f"; {way}"
    if name in OF_TENSOR and function != "genten.tensor" and name.removesuffix("s") not in names:
        return f"; genten.tensor(data, {name}=...) makes a tensor of a table or of arrays"
    return ""


def knowing_keywords(function: Callable[_P, _R], of: str = "") -> Callable[_P, _R]:
    """The function, or the method of a class, which names the nearest keyword where it is given one
    that it does not have, and says that others are keywords where it is given too many without.
    Functions that take any keyword look at these themselves."""
    parameters = inspect.signature(function).parameters
    given = [each for name, each in parameters.items() if name != "self"]
    names = [each.name for each in given if each.kind is not each.VAR_KEYWORD]
    places = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in given)
    has_others = any(each.kind is each.VAR_POSITIONAL for each in given)

    @functools.wraps(function)
    def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        what = f"genten.{of}{'.' * bool(of)}{function.__name__}"
        if len(arguments) > places + bool(of) and not has_others:
            if way := _other_way("fun", names, what):
                raise TypeError(f"{function.__name__}: expected modes alone{way}")
            without = arguments[bool(of) :]
            if names[:1] == ["modes"] and all(isinstance(each, (int, str)) for each in without):
                listed = f"{function.__name__}({list(without)})"
                raise TypeError(f"{function.__name__}: expected a list of modes: {listed}")
            raise TypeError(
                f"{function.__name__}: expected {places or 'no'} argument{'s' * (places != 1)} "
                f"without a keyword, got {len(without)}; "
                + (_way_of_plot(what, without[0]) or f"help({what}) tells of its keywords")
            )
        for name in keywords:
            if name not in names and len(names) == len(given):
                raise TypeError(f"{function.__name__}: {unknown_keyword(name, names, what)}")
        return function(*arguments, **keywords)

    return call


def _way_of_plot(what: str, given: Any) -> str:
    """What a first argument of a method that draws may be meant for; "" where nothing."""
    if not what.endswith(".plot"):
        return ""
    if isinstance(given, (str, os.PathLike)):
        return f".plot().savefig({os.fspath(given)!r}) writes a picture"
    is_of_model = what.endswith("Model.plot") and isinstance(given, (int, list, tuple))
    return f"plot(components={given!r:.40}) chooses components" if is_of_model else ""


def refuse_unknown_keywords(
    given: Iterable[str], function: Callable[..., Any], what: str, leave_out: int = 0
) -> None:
    """Complains of a keyword that is passed on to a function under the name of another one, `what`,
    which fills in the first parameters itself.

    Raises
    ------
    TypeError
        With the nearest keyword.
    """
    taken = getattr(function, "keywords", {})
    names = [name for name in inspect.signature(function).parameters if name not in taken]
    names = names[leave_out:]
    for name in given:
        if name not in names:
            raise TypeError(f"{what.rpartition('.')[2]}: {unknown_keyword(name, names, what)}")


def needing(name: str, message: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """A function that says how its second argument, `name`, is given where there is none."""

    def needed(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
            given: tuple[Any, ...] = arguments
            if len(given) == 1 and name not in keywords:
                raise TypeError(message)
            return function(*arguments, **keywords)

        return call

    return needed


def knowing_keywords_of_methods(kind: type[_T]) -> type[_T]:
    """The class, whose methods, the inherited ones, too, name the nearest keyword where they are
    given another."""
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        own = method if name in vars(kind) else _named_as_of(kind, method)
        setattr(kind, name, knowing_keywords(own, kind.__name__))
    return kind


def _named_as_of(kind: type[Any], method: types.FunctionType) -> Callable[..., Any]:
    """The function under the name that messages of Python say, that of a method of the class."""
    code, defaults = method.__code__, method.__defaults__
    own = types.FunctionType(
        code, method.__globals__, method.__name__, defaults, method.__closure__
    )
    functools.update_wrapper(own, method)
    own.__signature__ = inspect.signature(method)  # type: ignore[attr-defined]
    del own.__wrapped__  # type: ignore[attr-defined]
    own.__kwdefaults__ = method.__kwdefaults__
    own.__qualname__ = f"{kind.__name__}.{method.__name__}"
    return own


class OptionTable:
    """The options of one function, which messages name."""

    def __init__(self, lines: list[dict[str, Any]], function: str) -> None:
        self.function = function
        self.options = {line["name"]: Option(**line) for line in lines}

    def defaults(self) -> dict[str, Any]:
        """What options are that are not given."""
        return {option.name: option.default for option in self.options.values()}

    def checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """The options as the extension takes them; those that are None are left out.

        Raises
        ------
        TypeError
            For a keyword that is none, with the nearest one, and for values of another type.
        ValueError
            For values out of range.
        """
        result = {}
        for name, value in given.items():
            if name not in self.options:
                raise TypeError(self.unknown(name))
            if value is not None:
                result[name] = self.options[name].checked(value)
        return result

    def unknown(self, name: str, others: tuple[str, ...] = ()) -> str:
        """What to say of a keyword that is none."""
        names = list(dict.fromkeys([*self.options, *others]))
        return unknown_keyword(name, names, self.function)

    def filled_in(self, docstring: str | None, leave_out: tuple[str, ...] = ()) -> str:
        """A docstring with all options in place of ``{options}``, among its parameters."""
        lines = [o.documentation() for o in self.options.values() if o.name not in leave_out]
        return inspect.cleandoc(docstring or "").replace("{options}", "\n".join(lines))

    def signature(
        self,
        function: Callable[..., Any],
        leave_out: tuple[str, ...] = (),
        aliases: Iterable[str] = (),
    ) -> inspect.Signature:
        """The function's signature with the options in place of its ``**options``, and other names
        of some behind them."""
        given = inspect.signature(function)
        kept = [p for p in given.parameters.values() if p.kind is not p.VAR_KEYWORD]
        for option in self.options.values():
            if option.name in leave_out:
                continue
            default = None if isinstance(option.default, list) else option.default
            kept.append(
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default)
            )
        for alias in aliases:
            kept.append(inspect.Parameter(alias, inspect.Parameter.KEYWORD_ONLY, default=None))
        return given.replace(parameters=kept)


def with_keywords(
    function: Callable[..., Any], docstring: str | None, keywords: Iterable[inspect.Parameter]
) -> tuple[inspect.Signature, str]:
    """The signature of a function that hands its other keywords on, with these in the place of its
    ``**options``, and its docstring with their names in that of ``{options}``."""
    given = inspect.signature(function)
    own = [each for each in given.parameters.values() if each.kind is not each.VAR_KEYWORD]
    added = [each for each in keywords if each.name not in given.parameters]
    names = "\n".join(textwrap.wrap(", ".join(each.name for each in added), 88))
    text = inspect.cleandoc(docstring or "").replace("{options}", f"{names} : optional")
    return given.replace(parameters=[*own, *added]), text


CP_ALS = OptionTable(_core.cp_als_options(), "genten.cp_als")
CP = OptionTable(_core.cp_options(), "genten.cp")
"""The options of all solvers of `cp`."""
READ = OptionTable(_core.read_options(), "genten.read")
TUCKER = OptionTable(_core.tucker_options(), "genten.tucker")
WRITE = OptionTable(_core.write_options(), "genten.write")
