# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of files as the library takes them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any


MOST_LINKS = 40
"""Links from one to the next that are followed, as systems do."""


def file_name(path: Any, what: str = "path") -> str:
    """The name of a file as text that the library opens just so.

    Raises
    ------
    TypeError
        For what is no path.
    ValueError
        For a name with a null character, at which it would end, and one that is not UTF-8.
    """
    try:
        name = os.fsdecode(path)
    except TypeError:
        text = repr(path)
        got = text if len(text) < 80 and "\n" not in text else f"a {type(path).__name__}"
        raise TypeError(f"{what}: expected the path of a file, got {got}") from None
    if "\0" in name:
        raise ValueError(f"{what}: expected a path without null characters, got {name!r}")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what}: expected a path in UTF-8, got {os.fsencode(name)!r}") from None
    return name


def own_descriptor(path: str | os.PathLike[str]) -> int | None:
    """The descriptor of this process that a path names, as the library has it: 1 for /dev/stdout,
    /dev/fd/1, /proc/self/fd/1 and links to them, and so on; None for other paths."""
    place = os.fspath(path)
    for _ in range(MOST_LINKS):
        folder, name = os.path.realpath(os.path.dirname(place) or "."), os.path.basename(place)
        is_own = folder.startswith(f"/proc/{os.getpid()}/") and os.path.basename(folder) == "fd"
        if is_own and name.isdecimal():
            return int(name)
        try:
            place = os.path.join(folder, os.readlink(os.path.join(folder, name)))
        except OSError:
            return None
    return None


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write beside its place, which is moved there at the end, if all went well; a device
    or a pipe is written to, and so is what this process has open: a file that is open for appending
    is appended to."""
    descriptor = own_descriptor(path)
    if descriptor is not None:
        for stream in (sys.stdout, sys.stderr):  # What was printed before stands before it.
            if stream is not None:
                stream.flush()
        with os.fdopen(os.dup(descriptor), "wb") as there:
            yield there
        return
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):
        with open(place, "wb") as there:
            yield there
        return
    beside = f"{place}.{os.getpid()}.part"
    try:
        opened = open(beside, "xb")
    except OSError as error:  # It names the file that nobody has asked for.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise


def require_page_name(path: str | os.PathLike[str], what: str = "") -> None:
    """Complains, beginning with `what`, of a name that says that another program than a browser
    reads the file.

    Raises
    ------
    ValueError
        For one with another ending than .html or .htm.
    """
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ("", ".html", ".htm"):
        raise ValueError(f"{what}expected a name that ends in .html, got {os.fspath(path)}")


def write_page(path: str | os.PathLike[str], make: Callable[[], str]) -> None:
    """Writes the HTML that `make` makes whole or not at all.

    Raises
    ------
    ValueError
        For a name that is none of a page.
    """
    require_page_name(path)
    write_whole(path, make())


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Writes a text whole or not at all: `written_whole`."""
    with written_whole(path) as file:
        file.write(text.encode())
