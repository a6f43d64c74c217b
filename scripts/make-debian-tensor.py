#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tensor data/debian-packages from the package index of a Debian machine.

    scripts/make-debian-tensor.py [--codename bookworm] [--output FOLDER]

The tensor has three modes: package x dependency x kind of relation. The entry (p, d, k) is 1 when
package p names d in its control field k; alternatives ("a | b") count each, versions and
architecture qualifiers are dropped, and what is named twice counts once. Names are numbered in
ASCII order, kinds in the order of KINDS, entries are sorted by package, dependency and kind: the
same index gives the same bytes.

Written are one text tensor (FROSTT style, subscripts from 1) and one list of names per mode, each
compressed with zstd, and the same as a table with names, one relation per line, compressed with xz.
Needs only the standard library, apt-cache and zstd.
"""

import argparse
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KINDS = ("Depends", "Pre-Depends", "Recommends", "Suggests",
         "Enhances", "Breaks", "Conflicts", "Provides")
MODES = ("package", "dependency", "kind")
FIELD = re.compile(rf"^(Package|{'|'.join(KINDS)}): *(.*(?:\n[ \t].*)*)", re.MULTILINE)


def apt_setting(name):
    """The directory that apt's configuration gives for name."""
    line = subprocess.run(["apt-config", "shell", "VALUE", name + "/d"],
                          check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(line.partition("=")[2].strip("'"))


def release_fields(path):
    """The one-line fields at the top of a Release or InRelease file."""
    fields = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, colon, value = line.partition(":")
        if colon and name not in fields and not line.startswith(" "):
            fields[name] = value.strip()
    return fields


def read_index(codename, component):
    """Returns (text of the index, fields of its Release file).

    Only the main archive of one release counts: with updates and security fixes, or with what else
    is configured or installed on this machine, everybody would make another tensor. So apt-cache
    gets a private directory that holds the lists of that one archive, and an empty status file.
    """
    lists = apt_setting("Dir::State::lists")
    for release in sorted(lists.glob("*Release")):
        fields = release_fields(release)
        if fields.get("Origin") != "Debian" or fields.get("Codename") != codename:
            continue
        prefix = release.name.removesuffix("Release").removesuffix("In")
        packages = sorted(lists.glob(f"{prefix}{component}_binary-*_Packages*"))
        if not packages:
            continue
        with tempfile.TemporaryDirectory() as directory:
            private = pathlib.Path(directory)
            (private / "partial").mkdir()
            for path in (release, *packages):
                (private / path.name).symlink_to(path)
            text = subprocess.run(
                ["apt-cache", "-o", f"Dir::State::lists={private}",
                 "-o", "Dir::State::status=/dev/null",
                 "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "dumpavail"],
                check=True, capture_output=True).stdout.decode("utf-8", "replace")
        if text:
            return text, fields
    sys.exit(f"no package lists of Debian {codename} {component} in {lists}: "
             "run 'apt-get update' on a machine that has it among its sources")


def relations(text):
    """Yields (package, dependency, kind) for each name in each relation field."""
    for stanza in text.split("\n\n"):
        fields = dict(FIELD.findall(stanza))
        for kind in KINDS:
            for name in re.split(r"[,|]", fields.get(kind, "")):
                # "python3:any (>= 3.11) [amd64]" -> "python3"
                name = re.match(r"\s*([^\s:(\[]*)", name).group(1)
                if name:
                    yield fields["Package"], name, kind


def write_compressed(path, lines):
    """Writes the lines to path + '.zst'. The uncompressed file is given by name, so that its size
    stands in the frame and a reader can take the memory at once."""
    path.write_text("".join(line + "\n" for line in lines), encoding="ascii")
    subprocess.run(["zstd", "-19", "--force", "--quiet", "--rm", str(path)], check=True)


def write_table(path, entries):
    """Writes the entries to path + '.xz', comma-separated below a line with the modes' names; no
    name of a package holds a comma or a quote."""
    text = "".join(",".join(entry) + "\n" for entry in (MODES, *entries))
    path.with_name(path.name + ".xz").write_bytes(
        lzma.compress(text.encode("ascii"), preset=9 | lzma.PRESET_EXTREME))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codename", default="bookworm", help="release [%(default)s]")
    parser.add_argument("--component", default="main", help="part of it [%(default)s]")
    parser.add_argument("--output", type=pathlib.Path, help="folder [data/debian-packages]",
                        default=pathlib.Path(__file__).parent.parent / "data/debian-packages")
    options = parser.parse_args()
    for program in ("apt-cache", "zstd"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed")

    text, release = read_index(options.codename, options.component)
    entries = set(relations(text))
    names = [sorted({e[0] for e in entries}), sorted({e[1] for e in entries}), list(KINDS)]
    number = [{name: i for i, name in enumerate(mode, 1)} for mode in names]
    rows = sorted(tuple(number[m][e[m]] for m in range(3)) for e in entries)

    options.output.mkdir(parents=True, exist_ok=True)
    header = [
        "# Relations between the binary packages of Debian: package x dependency x kind, value 1",
        f"# Debian {release.get('Version', '?')} ({options.codename}), {options.component}; "
        f"index of {release.get('Date', '?')}",
        "# made from 'apt-cache dumpavail' by scripts/make-debian-tensor.py",
        f"# {' x '.join(str(len(mode)) for mode in names)}, {len(rows)} nonzeros, "
        "subscripts from 1",
    ]
    write_compressed(options.output / "debian-packages.tns",
                     header + ["%d %d %d 1" % row for row in rows])
    for mode, labels in zip(MODES, names):
        write_compressed(options.output / f"{mode}.labels", labels)
    write_table(options.output / "relations.csv",
                [[names[m][row[m] - 1] for m in range(3)] for row in rows])

    print("\n".join(line[2:] for line in header))
    for kind in KINDS:
        print(f"  {kind:12} {sum(e[2] == kind for e in entries):7}")


if __name__ == "__main__":
    main()
