# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the reference, which are generated: tool, C++ headers, Python package."""
import inspect
import pathlib
import re
import subprocess
import textwrap
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ["decompose", "info", "convert", "generate", "compare", "evaluate",
            "predict", "man-page", "completions"]
LAYERS = {
    "cp": "Solvers: CP-ALS, CP-APR, the loop of all solvers, scores, errors and residuals",
    "run": "The report of a run, for every face: figures, and notes on what to know of a model",
    "tucker": "Tucker decompositions, core consistency",
    "dist": "Several ranks: partitions, counted; parts of tensors; CP-ALS over them",
    "mpi": "What carries ranks: MPI",
    "core": "Tensors, models and operations on them",
    "io": "Files",
    "mttkrp": "MTTKRP: plans, kernels, and the choice among them; TTMc and leading vectors",
    "format": "Layouts of the nonzeros that kernels read",
    "dense": "R x R algebra",
    "base": "Types, errors, tables of options, memory",
}
SECTIONS = ("briefdescription detaileddescription innerclass innernamespace define enum func "
            "typedef var user-defined public-type public-attrib public-func public-static-func "
            "public-static-attrib")


def public_headers(root=ROOT):
    """The headers of each layer that are API, as src/CMakeLists.txt tells them from the others."""
    headers = {layer: [] for layer in LAYERS}
    include = root / "include"
    for file in sorted(include.glob("genten/**/*.hpp")):
        name = file.relative_to(include)
        inside = len(name.parts) > 3
        kernel = inside and name.parts[2] == "kernels"
        if "detail" in name.parts or name.stem.endswith("_impl"):
            continue
        if len(name.parts) < 3 or (kernel and len(name.parts) > 4):
            continue
        headers[name.parts[1]].append(name.as_posix())
    return headers


def tool_page(tool):
    """All help texts of the tool."""

    def told(*arguments):
        done = subprocess.run([tool, *arguments], check=True, capture_output=True, text=True)
        return "```text\n" + done.stdout.rstrip() + "\n```\n"

    text = "# The tool\n\nWhat `genten --help` and `genten COMMAND --help` say, made from the "
    text += "tables that check the options.\n\n## genten\n\n" + told("--help")
    for command in COMMANDS:
        text += f"\n## genten {command}\n\n" + told(command, "--help")
    return text


OPTION = re.compile(r'option_field\(\s*"([^"]+)",\s*&(\w+)::\w+,\s*((?:"[^"]*"\s*)+)'
                    r'([^;]*?)\)[,;}]')


def options_table(header, root=ROOT):
    """What the tables of options in a header say of each option; "" where it has none."""
    text = (root / "include" / header).read_text()
    rows = [(f"`{name}`", "".join(re.findall(r'"([^"]*)"', meaning)), group)
            for name, group, meaning, _ in OPTION.findall(text)]
    parts = []
    for group in dict.fromkeys(group for _, _, group in rows):
        parts.append(f"\nThe table of `{group}`:\n\n| option | meaning |\n| --- | --- |\n")
        parts += [f"| {name} | {meaning} |\n" for name, meaning, its in rows if its == group]
    return "".join(parts)


def plain(element):
    """The text of an element of Doxygen's XML, a paragraph a line, for Markdown."""
    paragraphs = element.iter("para") if element is not None else []
    return "\n\n".join(" ".join("".join(p.itertext()).split()) for p in paragraphs)


def concepts(header, xml):
    """The concepts of a header, which breathe does not show among what a file has."""
    text = ""
    for file in sorted(xml.glob("concept*.xml")):
        node = ElementTree.parse(file).getroot().find("compounddef")
        if node.find("location").get("file") != header:
            continue
        definition = "".join(node.find("initializer").itertext())
        parameters = re.match(r"\s*(template\s*<.*?>)\s*concept", definition, re.DOTALL).group(1)
        name = node.findtext("compoundname")
        text += f"\n````{{cpp:concept}} {' '.join(parameters.split())} {name}"
        text += f"\n\n{plain(node.find('briefdescription'))}"
        text += f"\n\n{plain(node.find('detaileddescription'))}"
        definition = re.sub(r"concept \S+ = +", f"concept {name.split('::')[-1]} = ", definition)
        text += f"\n\n```cpp\n{textwrap.dedent(definition).strip()};\n```\n````\n"
    return text


def layer_page(layer, headers, xml):
    """The reference of a layer's headers."""
    text = f"# {LAYERS[layer]}\n\nThe headers of `include/genten/{layer}`.\n"
    for header in headers:
        text += f"\n## {pathlib.PurePosixPath(header).name}\n\n`#include <{header}>`\n\n"
        text += f"```{{doxygenfile}} {header}\n:project: genten\n"
        text += f":sections: {SECTIONS}\n```\n" + concepts(header, xml) + options_table(header)
    return text


def python_page(importable):
    """The reference of the Python package, or that it is not here."""
    text = "# The Python package\n\n"
    if not importable:
        return text + ("The package was not built where these pages were made, so that its "
                       "reference is not here.\n`help(genten)` in Python says the same.\n")
    for module in ("genten", "genten.plots", "genten.report"):
        text += f"\n## {module}\n\n```{{eval-rst}}\n.. default-domain:: py\n\n"
        text += f".. automodule:: {module}\n   :members:\n"
        # Of the classes here, not of Python's own.
        text += "   :imported-members:\n   :inherited-members: object, dict, float\n"
        text += "   :member-order: groupwise\n```\n"
    return text


def attributes_without_targets(cls):
    """The names in the section Attributes of a class that a reference has no entry for: fields of
    dataclasses, and what is set in __init__."""
    section = re.search(r"^Attributes\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", inspect.getdoc(cls) or "",
                        re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^(\w[\w, ]*?) : ", section.group(1), re.MULTILINE) if section else []
    names = [name.strip() for line in lines for name in line.split(",")]
    return [name for name in names if not isinstance(getattr(cls, name, None), property)]


def add_targets(app, what, name, obj, options, lines):
    """Makes what a docstring says of attributes something that one can link to, as autodoc does
    of methods and properties; a handler of Sphinx's."""
    if what == "class":
        for attribute in attributes_without_targets(obj):
            lines += ["", f".. py:attribute:: {attribute}", "   :no-typesetting:"]
        lines += [""]


def mend_digits(xml):
    """Doxygen 1.9 takes the digit separators of 100'000 for quotes."""
    for file in xml.glob("*.xml"):
        text = file.read_text()
        mended = re.sub(r"(?<=\d) ('|&apos;)(?=\d)", "'", text)
        if mended != text:
            file.write_text(mended)


def name_files_by_path(xml):
    """Doxygen's index calls headers by their last name, breathe asks for genten/cp/options.hpp."""
    index = xml / "index.xml"
    pattern = re.compile(r'(<compound refid="([^"]+)" kind="file"><name>)[^<]*')

    def name(match):
        text = (xml / f"{match.group(2)}.xml").read_text()
        return match.group(1) + re.findall(r'<location file="([^"]+)"/>', text)[-1]

    index.write_text(pattern.sub(name, index.read_text()))
