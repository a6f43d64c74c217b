# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Times as labels, and the labels that a time may have."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .parts import AnyArray

UNITS = ("D", "m", "s", "ms", "us", "ns")
"""Units to write times to, coarsest first; hours alone are no time in ISO 8601's usual form."""

_NANOSECONDS = {
    "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
    "D": 86400 * 10**9, "W": 7 * 86400 * 10**9,
}  # fmt: skip

_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?"
)


def _is_date(key: Any) -> bool:
    return isinstance(key, (datetime.date, np.datetime64))


def is_time(key: Any) -> bool:
    """Whether a key is a date, a time, a duration or a period: of Python, NumPy or pandas."""
    is_period = type(key).__name__ == "Period" and type(key).__module__.startswith("pandas")
    return is_period or _is_date(key) or isinstance(key, (datetime.timedelta, np.timedelta64))


def text_of(key: Any) -> str:
    """A key as text; times as ISO 8601 has them, durations as pandas.

    Examples
    --------
    >>> text_of(datetime.datetime(2024, 1, 2, 3)), text_of(7)
    ('2024-01-02T03:00:00', '7')
    >>> text_of(datetime.timedelta(hours=30)), text_of(np.timedelta64(-1, "ms"))
    ('1 days 06:00:00', '-1 days +23:59:59.999000')
    """
    if isinstance(key, (datetime.timedelta, np.timedelta64)):
        nanoseconds = _nanoseconds(key)
        return str(key) if nanoseconds is None else _text_of_duration(nanoseconds)
    return str(key.isoformat()) if isinstance(key, datetime.date) else str(key)


def _nanoseconds(key: datetime.timedelta | np.timedelta64[Any]) -> int | None:
    """Those of a duration; None of months and years, which have no length."""
    if isinstance(key, datetime.timedelta):
        seconds = key.days * 86400 + key.seconds
        more: int = getattr(key, "nanoseconds", 0)  # of pandas
        return (seconds * 10**6 + key.microseconds) * 1000 + more
    unit, count = np.datetime_data(key.dtype)
    if unit not in _NANOSECONDS:
        return None
    return int(key.astype(np.int64)) * count * _NANOSECONDS[unit]


def _text_of_duration(nanoseconds: int) -> str:
    days, rest = divmod(nanoseconds, _NANOSECONDS["D"])
    seconds, fraction = divmod(rest, 10**9)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    digits = f".{fraction:09}" if fraction % 1000 else f".{fraction // 1000:06}" * (fraction > 0)
    return f"{days} days {'+' * (days < 0)}{clock}{digits}"


def texts_of(times: AnyArray) -> list[str]:
    """Times of NumPy as texts, all to the coarsest unit that loses nothing of any.

    Examples
    --------
    >>> texts_of(np.array(["2024-01-01", "2024-01-02"], "M8[ns]"))
    ['2024-01-01', '2024-01-02']
    >>> texts_of(np.array(["2024-01-01T00:00", "2024-01-01T12:30"], "M8[us]"))
    ['2024-01-01T00:00', '2024-01-01T12:30']
    """
    own = np.datetime_data(times.dtype)[0]
    for unit in (own, *UNITS) if own in ("Y", "M") else UNITS:
        coarse = times.astype(f"M8[{unit}]")
        if bool((coarse == times).all()):
            return [str(text) for text in np.datetime_as_string(coarse)]
    return [str(time) for time in times]


def texts_at_zones(local: AnyArray, utc: AnyArray) -> list[str]:
    """Times with their distance to UTC behind them, which tells apart the hours that a clock goes
    through twice.

    Examples
    --------
    >>> times = np.array(["2024-01-01T00:00"], "M8[ns]")
    >>> texts_at_zones(times, times - np.timedelta64(90, "m"))
    ['2024-01-01T00:00+01:30']
    """
    texts = texts_of(local)
    if texts and "T" not in texts[0]:
        texts = [f"{text}T00:00" for text in texts]
    minutes = ((local - utc) // np.timedelta64(1, "m")).astype(np.int64).tolist()
    return [
        f"{text}{'-' if off < 0 else '+'}{abs(off) // 60:02}:{abs(off) % 60:02}"
        for text, off in zip(texts, minutes, strict=True)
    ]


def plain_times(items: Sequence[Any]) -> AnyArray | None:
    """Objects that are all dates and times without a zone, as times of NumPy; else None."""
    if not items or not all(_is_date(item) for item in items):
        return None
    if len({isinstance(item, datetime.datetime) for item in items}) > 1:
        return None
    if any(getattr(item, "tzinfo", None) is not None for item in items):
        return None
    exact = [item.to_datetime64() if hasattr(item, "to_datetime64") else item for item in items]
    return np.array([np.datetime64(item) for item in exact])


_UNPADDED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})((?:[T ].*)?)")


def likely_meant(text: str, words: Iterable[str]) -> str | None:
    """The word that means the time of a text but for zeros that its date lacks, or for a time zone
    that one of them lacks.

    Examples
    --------
    >>> likely_meant("2001-1-5", ["2001-01-05", "2001-01-15"])
    '2001-01-05'
    >>> likely_meant("2001-01-05", ["2001-01-05T00:00+01:00"])
    '2001-01-05T00:00+01:00'
    """
    date = _UNPADDED.fullmatch(text)
    if date is None:
        return None
    year, month, day, rest = date.groups()
    padded = f"{year}-{month:>02}-{day:>02}{rest}"
    match = _TIME.fullmatch(padded)
    if match is None:
        return None
    zone = match[5] or ""
    same, local = set(spellings(padded)), set(spellings(padded.removesuffix(zone)))
    near = None
    for word in words:
        if word in same:
            return word
        found = _TIME.fullmatch(word)
        if found is not None and bool(found[5]) != bool(zone):
            near = word if word.removesuffix(found[5] or "") in local and near is None else near
    return near


def is_like_a_date(text: str) -> bool:
    """Whether a text begins as dates do, of which those that differ by a digit are not alike."""
    return _UNPADDED.fullmatch(text) is not None


def spellings(text: str) -> list[str]:
    """The texts that mean the same time: a label may be written to a coarser or finer unit.
    None of what is no time.

    Examples
    --------
    >>> spellings("2024-01-01 12:30:00")[:2]
    ['2024-01-01T12:30', '2024-01-01 12:30']
    >>> spellings("2024-01-01T00:00:00")[0], spellings("tea")
    ('2024-01-01', [])
    """
    match = _TIME.fullmatch(text)
    if match is None:
        return []
    day, minute, second, fraction, zone = match.groups()
    minute, second, digits = minute or "00:00", second or "00", (fraction or "").ljust(9, "0")
    forms = [f":{second}.{digits[:many]}" for many in (3, 6, 9) if not digits[many:].strip("0")]
    if not digits.strip("0"):
        forms.insert(0, f":{second}")
        if second == "00":
            forms.insert(0, "")
    zones = ["Z", "+00:00"] if zone in ("Z", "+00:00") else [zone or ""]
    found = [f"{day}{sep}{minute}{form}{end}" for form in forms for sep in "T " for end in zones]
    return [day, *found] if zone is None and forms[0] == "" and minute == "00:00" else found
