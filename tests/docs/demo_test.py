#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The decomposition of scripts/demo.sh: software ecosystems can be named from any random start."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import pages

SCRIPT = pages.ROOT / "scripts" / "demo.sh"
PACKAGES = pages.ROOT / "data" / "debian-packages"
LABELS = ",".join(str(PACKAGES / f"{m}.labels.zst") for m in ("package", "dependency", "kind"))

# Names of dependencies that everybody who knows Debian would file under an ecosystem.
MARKERS = {
    "bioinformatics": r"muscle|clustalw|mafft|probcons|kalign|amap-align|samtools|bowtie2?",
    "C": r"libc6(-.*)?",
    "C++": r"libstdc\+\+6|libgcc-s1",
    "debconf": r"debconf(-.*)?|cdebconf",
    "dictionaries": r"dict(d|-.*)?|goldendict|.*dictionary|wordlist|dicod|kdict|.*spell-.*",
    "Emacs": r"emacs.*|elpa-.*",
    "fonts": r"fonts-.*|ttf-.*|fontconfig.*",
    "GCC": r"(gcc|g\+\+|cpp|gobjc|gfortran|gnat)-.*|binutils.*",
    "Go": r"golang-.*",
    "GTK and GNOME": r"libglib2\.0-.*|lib(gtk|gdk|pango|cairo|atk).*|gir1\.2-.*|gnome-.*",
    "Haskell": r"libghc-.*|haddock-interface-.*|ghc(-.*)?",
    "Java": r"default-j.*|lib.*-java(-doc)?|openjdk-.*",
    "JavaScript": r"libjs-.*|javascript-common",
    "LibreOffice": r"libreoffice.*",
    "Mono": r"libmono-.*|mono-.*|cli-common",
    "Node.js": r"node-.*|nodejs(-.*)?",
    "OCaml": r"ocaml.*|lib.*-ocaml(-.*)?",
    "OCR": r"tesseract-.*|cuneiform|ocr.*",
    "Perl": r"perl(-.*|api-.*)?|lib.*-perl",
    "PHP": r"php.*|libphp.*",
    "Python": r"python3(-.*)?",
    "Qt and KDE": r"libqt5.*|libkf5.*|kde-.*|qml-.*",
    "R": r"r-.*",
    "Ruby": r"ruby(-.*)?",
    "Rust": r"librust-.*|rustc|cargo",
    "SGML and XML": r"sgml-base|xml-core|docbook.*",
    "TeX": r"texlive.*|tex-common",
    "X11": r"libx11-6|libxext6|libx[a-z]+[0-9]|libxcb.*",
}
ALWAYS = {"C", "C++", "GTK and GNOME", "Haskell", "Perl", "Python", "Qt and KDE", "R", "Rust"}


def ecosystem(dependencies):
    """The ecosystem that strongest entries name, or None.

    At least half of their squares belong to dependencies of this one, all of the sign of the
    strongest: a contrast of two ecosystems, or a mixture of many, names none.
    """
    sign = 1 if dependencies[0]["value"] > 0 else -1
    whole = sum(entry["value"] ** 2 for entry in dependencies)
    for name, marker in MARKERS.items():
        own = sum(entry["value"] ** 2 for entry in dependencies
                  if sign * entry["value"] > 0 and re.fullmatch(marker, entry["label"]))
        if own >= whole / 2:
            return name
    return None


class Demo(unittest.TestCase):
    # Few iterations: the components are there long before the objective has settled.
    def components(self, *arguments, iterations=8):
        """The strongest dependencies of each component."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result.json")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose",
                            PACKAGES / "debian-packages.tns.zst", *arguments, "--max-iterations",
                            str(iterations), "--labels", LABELS, "--top", "10", "--quiet",
                            "--json", file],
                           check=True, stdout=subprocess.DEVNULL)
            with open(file) as stream:
                return [component["modes"][1] for component in json.load(stream)["top"]]

    def test_ecosystems_can_be_named_from_any_random_start(self):
        options = re.search(r"--rank \d+ --nonnegative all", SCRIPT.read_text())
        self.assertIsNotNone(options, f"{SCRIPT.name} decomposes otherwise")
        for seed in range(1, 5):
            with self.subTest(seed=seed):
                components = self.components(*options.group(0).split(), "--seed", str(seed))
                self.assertTrue(all(entry["value"] > 0 for top in components for entry in top))
                named = {ecosystem(top) for top in components} - {None}
                self.assertLessEqual(ALWAYS, named)
                self.assertGreaterEqual(len(named), 14, sorted(named))

    def test_links_as_such_name_them_too(self):
        """The example of docs/guide/losses.md."""
        components = self.components("--rank", "32", "--loss", "bernoulli-poisson", iterations=60)
        named = {ecosystem(top) for top in components} - {None}
        self.assertLessEqual(ALWAYS - {"Rust"}, named)  # which one seed of four lacks
        self.assertGreaterEqual(len(named), 14, sorted(named))

    def test_with_both_signs_they_are_mixed(self):
        """What the measure above is for: the same rank without the constraint."""
        components = self.components("--rank", "32", "--seed", "1")
        self.assertLess(len({ecosystem(top) for top in components} - {None}), 9)


if __name__ == "__main__":
    if not os.environ.get("GENTEN_TOOL"):
        print("GENTEN_TOOL names no tool")
        sys.exit(77)
    unittest.main()
