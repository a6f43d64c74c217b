# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the reference, which are generated: tool, C++ headers, Python package."""
import importlib
import inspect
import pathlib
import re
import subprocess
import textwrap
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ["decompose", "tucker", "info", "show", "convert", "generate", "compare",
            "evaluate", "predict", "rank", "project", "update", "man-page", "completions"]
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


# What stands together on a page of the Python reference; every other name has a page of its own.
# Pages in this order, the others after them in that of the alphabet.
PYTHON_PAGES = {
    "cp": ["cp", "CpOptions", "CP"],
    "tensor": ["tensor", "Tensor"],
    "Model": ["Model", "Component", "Projection"],
    "Result": ["Result"],
    "choose_rank": ["choose_rank", "RankChoice", "RankRow"],
    "tucker": ["tucker", "TuckerModel", "TuckerResult"],
    "Stream": ["Stream", "Batch"],
    "evaluate": ["evaluate", "Evaluation", "EntryErrors"],
    "files": ["read", "write", "load", "read_labels", "write_labels"],
    "generate": ["generate", "Planted"],
    "config": ["config"],
    "cp_als": ["cp_als"],
}
PYTHON_MODULES = ["genten.plots", "genten.reports"]


def python_groups(names):
    """The public names of the package by the page on which they stand."""
    grouped = {name for group in PYTHON_PAGES.values() for name in group}
    groups = {page: [name for name in group if name in names]
              for page, group in PYTHON_PAGES.items()}
    groups |= {name: [name] for name in sorted(names, key=str.lower)
               if name not in grouped and not name.startswith("__")}
    return {page: group for page, group in groups.items() if group}


def rst(text):
    return f"```{{eval-rst}}\n.. default-domain:: py\n\n{text}```\n"


def python_entry(module, name):
    """The entry of a function or class, in reStructuredText."""
    if not inspect.isclass(getattr(module, name)):
        return f".. autofunction:: {module.__name__}.{name}\n"
    text = f".. autoclass:: {module.__name__}.{name}\n   :members:\n"
    # Of the classes here, not of Python's own.
    return text + "   :inherited-members: object, dict, float\n   :member-order: groupwise\n"


def first_sentence(thing):
    """What a function, class or module is, in the words that open its docstring."""
    paragraph = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.:]) ", paragraph)[0].rstrip(".:")
    return re.sub(r"`+", "`", sentence)


def python_page(importable):
    """{name of a page in reference/: its text} for the Python package."""
    text = "# Python reference\n\n"
    if not importable:
        return {"python.md": text + "The package was not built where these pages were made, so "
                "that its reference is not here.\n`help(genten)` in Python says the same.\n"}
    genten = importlib.import_module("genten")
    pages, rows, listed = {}, "", []
    for page, names in python_groups(genten.__all__).items():
        title = f"genten.{page}" if page in names else f"Files: {', '.join(names)}"
        entries = "\n".join(python_entry(genten, name) for name in names)
        pages[f"python/{page}.md"] = f"# {title}\n\n" + rst(entries)
        rows += "".join(f"| {{py:obj}}`{name} <genten.{name}>` | "
                        f"{first_sentence(getattr(genten, name))} |\n" for name in names)
        listed.append(f"python/{page}")
    for name in PYTHON_MODULES:
        module, page = importlib.import_module(name), name.rpartition(".")[2]
        entries = f".. automodule:: {name}\n\n"
        entries += "\n".join(python_entry(module, each) for each in module.__all__)
        pages[f"python/{page}.md"] = f"# {name}\n\n" + rst(entries)
        rows += f"| [`{name}`](python/{page}.md) | {first_sentence(module)} |\n"
        listed.append(f"python/{page}")
    text += "Everything is in the module `genten`, but pictures and reports.\n\n"
    text += "| | |\n| --- | --- |\n" + rows + "\n" + rst(".. automodule:: genten\n")
    text += "\n```{toctree}\n:hidden:\n:maxdepth: 1\n\n" + "\n".join(listed) + "\n```\n"
    return pages | {"python.md": text}


def undocumented(objects):
    """Public names of the Python package that are not among the objects of a reference."""
    modules = [importlib.import_module(name) for name in ("genten", *PYTHON_MODULES)]
    names = [f"{module.__name__}.{name}" for module in modules for name in module.__all__]
    return [name for name in names if name not in objects and "__" not in name]


def attributes_without_targets(cls):
    """The names in the section Attributes of a class that a reference has no entry for: fields of
    dataclasses, and what is set in __init__."""
    section = re.search(r"^Attributes\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", inspect.getdoc(cls) or "",
                        re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^(\w[\w, ]*?) : ", section.group(1), re.MULTILINE) if section else []
    names = [name.strip() for line in lines for name in line.split(",")]
    return [name for name in names if not has_entry(inspect.getattr_static(cls, name, None))]


def has_entry(member):
    """Whether autodoc documents a member by itself: a property, or what else describes itself."""
    return inspect.isdatadescriptor(member) and bool(member.__doc__)


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
