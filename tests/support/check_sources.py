#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks rules that the compiler does not: see --help.

layers    base <- core <- {io, format, dense} <- mttkrp <- cp <- {tucker, dist} <- run, dist <- mpi,
          run <- {cli, python, ...}: a header includes only what is in its own layer or below, and
          nobody includes what lies in another layer's detail/ or in a kernel's folder but for the
          header of the kernel's name; base's detail/ is every layer's, but no program's (cli,
          tools, perf, python).
size      no folder of more than 30 sources, no source of more than 500 lines.
launches  every Kokkos::parallel_* of the library has a label "genten::..." and a policy that is
          constructed with an execution space instance; the library never fences globally and
          never initializes Kokkos, prints or exits.
errors    what() of an exception is for people: only the faces' printers call it, and who makes an
          Error of an exception that is none. All else is in an Error's fields.
imports   modules of the Python package import each other one way, and so do its folders: imports
          in functions and for checkers of types count.
style     SPDX header, #pragma once, no tabs, no line over 100 columns.
"""
import argparse
import ast
import pathlib
import re
import sys

BELOW = {
    "base": set(),
    "core": {"base"},
    "io": {"base", "core"},
    "format": {"base", "core"},
    "dense": {"base", "core"},
    "mttkrp": {"base", "core", "io", "format", "dense"},
    "cp": {"base", "core", "io", "format", "dense", "mttkrp"},
    "tucker": {"base", "core", "io", "format", "dense", "mttkrp", "cp"},
    "dist": {"base", "core", "io", "format", "dense", "mttkrp", "cp"},
    "run": {"base", "core", "io", "format", "dense", "mttkrp", "cp", "tucker", "dist"},
    "mpi": {"base", "core", "io", "format", "dense", "mttkrp", "cp", "dist"},
}
MOST_FILES, MOST_LINES = 30, 500
FREE = {"version.hpp"}  # Belongs to no layer.
# Each makes sentences for people, or an Error, of exceptions that are none.
PRINTERS = {"include/genten/cp/detail/processes/processes_together.hpp",
            "src/dist/communicator.cpp",
            "src/tools/kokkos/session.cpp", "src/tools/program.cpp", "src/cli/usage.cpp",
            "python/src/runtime.cpp"}
# They measure parts of the library that only it uses.
PROBES = {"perf/bench_micro.cpp", "perf/device_probe.hpp", "perf/simd/gather_loop.cpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]genten/([^>"]+)[>"]', re.MULTILINE)
LAUNCH = re.compile(r"\bparallel_(?:for|reduce|scan)\s*\(")
RANGE = r"(?:Kokkos::)?(?:TeamThread|TeamVector|ThreadVector)(?:MD)?Range\b"
PRINTS = r"\bstd::(?:cout|cerr|clog)\b|\bf?printf\s*\(|\bputs\s*\("
FORBIDDEN = [
    (re.compile(r"\bKokkos::fence\s*\("), "a global fence: fence the instance"),
    (re.compile(r"\bKokkos::(?:initialize|finalize|ScopeGuard)\b"), "only programs start Kokkos"),
    (re.compile(PRINTS), "the library never prints"),
    (re.compile(r"\b(?:std::)?(?:exit|_Exit|quick_exit|abort)\s*\("), "the library never exits"),
]


def blank_comments(text, strings=False):
    """text with comments (and string contents, if asked) blanked, every offset kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)

    def blank(match):
        token = match.group(0)
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        return token[0] + " " * (len(token) - 2) + token[-1] if strings else token

    return pattern.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def split_arguments(text, start):
    """The arguments of the call whose opening bracket is at start - 1, and the end offset.

    Angle brackets are followed only where they close a template argument list, which is enough
    for policies: RangePolicy<Exec, IndexType<int>>(space, 0, n).
    """
    closing = {"(": ")", "[": "]", "{": "}"}
    stack, arguments, begin, i = [], [], start, start
    while i < len(text):
        c = text[i]
        if c == '"':
            i += 1
            while i < len(text) and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        elif c in closing:
            stack.append(closing[c])
        elif c == "<":
            end = template_end(text, i)
            if end is not None:
                i = end
        elif stack and c == stack[-1]:
            stack.pop()
        elif c == ")" and not stack:
            arguments.append(text[begin:i].strip())
            return [a for a in arguments if a], i
        elif c == "," and not stack:
            arguments.append(text[begin:i].strip())
            begin = i + 1
        i += 1
    return arguments, len(text)


def template_end(text, start):
    """Offset of the > that closes the template argument list at start, None if it is none."""
    depth = 0
    for i in range(start, len(text)):
        c = text[i]
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
            if depth == 0:
                return i
        elif not (c.isalnum() or c in "_:,. \n\t*&()+-"):
            return None
    return None


def layer_of(path):
    """The layer of a path below include/genten, None for a file that belongs to no layer."""
    return path.parts[0] if len(path.parts) > 1 else None


def includes_of(file):
    """The <genten/...> includes of a file: (line, path below include/genten)."""
    text = file.read_text() if file.is_file() else ""
    return [(line_of(text, match.start(1)), pathlib.PurePosixPath(match.group(1)))
            for match in INCLUDE.finditer(blank_comments(text))]


def owner_of(path):
    """The folder whose sources alone include a header: a layer's detail/, or a kernel's folder, of
    which the header of the same name is everybody's. None for what everybody may include."""
    parts = path.parts[:-1]
    if "detail" in parts and parts[0] != "base":
        return parts[0]
    if len(parts) == 3 and parts[:2] == ("mttkrp", "kernels") and path.stem != parts[2]:
        return "/".join(parts)
    return None


def check_layers(root):
    base = root / "include" / "genten"
    files = [(f, f.relative_to(base)) for f in sorted(base.rglob("*.hpp"))]
    for layer in (*BELOW, "eti", "cli", "tools"):
        files += [(f, pathlib.PurePosixPath(layer, f.name))
                  for f in sorted((root / "src" / layer).rglob("*.*pp"))]
    files += [(f, pathlib.PurePosixPath("perf", f.name))
              for f in sorted((root / "perf").rglob("*.*pp"))]
    files += [(f, pathlib.PurePosixPath("python", f.name))
              for f in sorted((root / "python" / "src").rglob("*.*pp"))]
    for file, path in files:
        layer = layer_of(path)
        if layer is None:
            continue
        programs = file.relative_to(root).parts[0] != "include" and layer not in BELOW
        if layer not in BELOW and not programs:
            yield file, 1, f"'{layer}' is no layer: the layers are {', '.join(sorted(BELOW))}"
            continue
        for where, include in includes_of(file):
            to, owner = layer_of(include), owner_of(include)
            if to is None and str(include) not in FREE and not programs:
                yield file, where, f"{layer} includes <genten/{include}>, that is, everything"
            elif to is not None and not programs and to != layer and to not in BELOW[layer]:
                yield file, where, f"{layer} includes <genten/{include}>: not below {layer}"
            if programs and layer != "eti" and not owner and "detail" in include.parts and \
                    file.relative_to(root).as_posix() not in PROBES:
                yield file, where, f"<genten/{include}> is for the sources of the library alone"
            if owner and not str(path).startswith(owner + "/") and layer != "eti":
                yield file, where, f"<genten/{include}> is for the sources of {owner} alone"


def check_size(root):
    for folder in ("include", "src", "perf", "tests", "python"):
        counts = {}
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".py") or not file.is_file():
                continue
            counts.setdefault(file.parent, []).append(file)
            lines = len(file.read_text().splitlines())
            if lines > MOST_LINES:
                yield file, 1, f"{lines} lines, at most {MOST_LINES}"
        for place, files in counts.items():
            if len(files) > MOST_FILES:
                yield place, 1, f"{len(files)} sources, at most {MOST_FILES}"


def policy_has_instance(argument, texts, text, launch):
    """Whether a launch's policy argument is constructed with an instance, bounds or league size,
    and further arguments; a variable is followed to its declaration above the launch, a function
    named ..._policy to what it returns. None: cannot be seen."""
    helper = re.match(r"(?:\w+::)*(\w+_policy)\s*[<(]", argument)
    if helper:
        returned = re.compile(rf"\b{helper.group(1)}\s*\([^;{{}}]*\{{[^}}]*?\breturn\b([^;]*);")
        found = [match for match in map(returned.search, texts) if match]
        return bool(found) and all(
            policy_has_instance(match.group(1).strip(), [], text, launch) for match in found)
    name = re.fullmatch(r"[A-Za-z_]\w*", argument)
    if name:
        declarations = re.compile(rf"[\w>]\s+(?:const\s+)?{name.group(0)}\s*(=|\(|\{{)")
        found = None
        for found in declarations.finditer(text, 0, launch):
            pass
        if not found:
            return None
        if found.group(1) == "=":
            argument = text[found.end():text.index(";", found.end())].strip()
        else:
            argument = "Policy(" + text[found.end():text.index(";", found.end())]
    opening = re.search(r"Policy\b|[Pp]olicy\w*", argument)
    if not opening:
        return False
    i = opening.end()
    while i < len(argument) and argument[i].isspace():
        i += 1
    if i < len(argument) and argument[i] == "<":
        i = (template_end(argument, i) or i) + 1
    while i < len(argument) and argument[i] not in "({":
        i += 1
    if i == len(argument):
        return False
    body = argument[i + 1:]
    if argument[i] == "{":
        body = re.sub(r"\}\s*(\.\w.*)?$", ")", body, flags=re.DOTALL)
    arguments, _ = split_arguments(body + ")", 0)
    return len(arguments) >= 3


def library_files(root):
    for base in [root / "include" / "genten", *(root / "src" / name for name in (*BELOW, "eti"))]:
        yield from sorted(f for f in base.rglob("*") if f.suffix in (".hpp", ".cpp"))


LABEL = re.compile(r'"genten::[^"]+"')
PARAMETER = (r"\b(?:char\s*(?:const\s*)?\*\s*(?:const\s+)?"
             r"|std::string(?:_view)?\b(?:\s*const)?\s*&?\s*)")


def calls_of(name, text):
    """(offset, arguments) of what looks like a call of name, with template arguments or without."""
    for match in re.finditer(rf"\b{name}\s*(?=[<(])", text):
        end = match.end()
        if text[end] == "<":
            end = (template_end(text, end) or end) + 1
        opening = re.compile(r"\s*\(").match(text, end)
        if opening:
            yield match.start(), split_arguments(text, opening.end())[0]


def label_is_passed_in(argument, texts, text, launch):
    """Whether a launch's label is a parameter of the function around it, and every call of that
    function, in all of texts, passes a good one there."""
    if not re.fullmatch(r"[A-Za-z_]\w*", argument):
        return False
    parameter = re.compile(rf"\b(\w+)\s*\(([^;{{}}]*?){PARAMETER}{argument}\b")
    definition = None
    for definition in parameter.finditer(text, 0, launch):
        pass
    if not definition:
        return False
    position = definition.group(2).count(",")
    calls = 0
    for other in texts:
        for offset, arguments in calls_of(definition.group(1), other):
            given = arguments[position] if len(arguments) > position else ""
            if re.search(PARAMETER, given):
                continue  # A declaration.
            calls += 1
            if not LABEL.match(given) and not label_is_passed_in(given, texts, other, offset):
                return False
    return calls > 0


def is_nested(argument, text, launch):
    """Whether a parallel_* runs inside a team: its first argument is a range of threads or lanes,
    or a variable that is declared as one above it."""
    if re.fullmatch(r"[A-Za-z_]\w*", argument):
        return bool(re.compile(rf"\b{argument}\s*=\s*{RANGE}").search(text, 0, launch))
    return bool(re.match(RANGE, argument))


def check_launches(root):
    files = list(library_files(root))
    texts = [blank_comments(file.read_text()) for file in files]
    for file, text in zip(files, texts):
        raw = file.read_text()
        for match in LAUNCH.finditer(text):
            arguments, _ = split_arguments(text, match.end())
            where = line_of(text, match.start())
            if not arguments or is_nested(arguments[0], text, match.start()):
                continue
            if not LABEL.match(arguments[0]) and not label_is_passed_in(
                    arguments[0], texts, text, match.start()):
                yield file, where, f'the launch has no label "genten::...": {arguments[0][:60]!r}'
                continue
            instance = len(arguments) > 2 and policy_has_instance(
                arguments[1], texts, text, match.start())
            if instance is None:
                yield file, where, f"cannot see how the policy {arguments[1]!r} is constructed"
            elif not instance:
                yield file, where, "the launch's policy is not constructed with an instance"
        bare = blank_comments(raw, strings=True)
        for pattern, why in FORBIDDEN:
            for match in pattern.finditer(bare):
                yield file, line_of(bare, match.start()), f"{match.group(0).strip()}: {why}"


def check_errors(root):
    for folder in ("include", "src", "python/src", "perf"):
        for file in sorted((root / folder).rglob("*.?pp")):
            if file.relative_to(root).as_posix() in PRINTERS:
                continue
            text = blank_comments(file.read_text(), strings=True)
            for match in re.finditer(r"(?:\.|->)\s*what\s*\(\s*\)", text):
                yield file, line_of(text, match.start()), "what() is for people: read the fields"


def check_style(root):
    folders = ("include", "src", "tests", "perf", "python", "examples", "cmake", "scripts")
    suffixes = (".hpp", ".cpp", ".cmake", ".txt", ".py", ".sh")
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in suffixes or not file.is_file():
                continue
            if file.suffix == ".txt" and file.name != "CMakeLists.txt":
                continue
            lines = file.read_text().splitlines()
            head = "\n".join(lines[:3])
            if "SPDX-FileCopyrightText:" not in head or "SPDX-License-Identifier:" not in head:
                yield file, 1, "no SPDX header"
            if file.suffix == ".hpp" and "#pragma once" not in lines:
                yield file, 1, "no #pragma once"
            for number, line in enumerate(lines, 1):
                if len(line) > 100:
                    yield file, number, f"{len(line)} columns, at most 100"
                if "\t" in line:
                    yield file, number, "a tab"


def python_modules(package):
    """The modules of a package by their names, a folder's __init__ by that of the folder."""
    modules = {}
    for file in sorted(package.rglob("*.py*")):
        if file.suffix not in (".py", ".pyi"):
            continue
        parts = file.relative_to(package.parent).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return modules


def python_imports(name, file, modules):
    """(line, module) of all that a module imports of its package, wherever it stands: at the top,
    in a function, or for checkers of types alone. Who imports a module from outside its folder
    imports the folder's __init__, too."""
    at = name if file.stem == "__init__" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text())):
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = at.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, [above, node.module]))
            found = [f"{base}.{alias.name}" for alias in node.names]
        for each in found:
            while each and each not in modules:  # A name in a module.
                each = each.rpartition(".")[0]
            asked = each
            while each and each != name and (each == asked or not f"{at}.".startswith(f"{each}.")):
                yield node.lineno, each
                each = each.rpartition(".")[0]


def circle_in(graph):
    """Nodes of which each leads to the next, and the last to the first; None where there are none.
    """
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):]
        if node in done:
            return None
        path.append(node)
        found = next(filter(None, map(visit, sorted(graph.get(node, ())))), None)
        path.pop()
        done.add(node)
        return found

    return next(filter(None, map(visit, sorted(graph))), None)


def check_imports(root):
    package = root / "python" / "genten"
    modules = python_modules(package)
    where, graphs = {}, ({}, {})
    for name, file in modules.items():
        for line, other in python_imports(name, file, modules):
            rooms = [".".join(each.split(".")[:2]) for each in (name, other)]
            for graph, (one, two) in zip(graphs, [(name, other), rooms]):
                if one != two or graph is graphs[0]:
                    graph.setdefault(one, set()).add(two)
                    where.setdefault((one, two), (file, line))
    for graph in graphs:
        circle = circle_in(graph)
        if circle:
            file, line = where[circle[0], circle[1 % len(circle)]]
            yield file, line, f"imports go round: {' -> '.join([*circle, circle[0]])}"
            return


CHECKS = {"layers": check_layers, "imports": check_imports, "size": check_size,
          "launches": check_launches, "errors": check_errors, "style": check_style}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path, help="the checkout")
    parser.add_argument("check", choices=sorted(CHECKS))
    arguments = parser.parse_args()
    if not (arguments.root / "include" / "genten").is_dir():
        sys.exit(f"error: {arguments.root} has no include/genten")
    problems = list(CHECKS[arguments.check](arguments.root))
    for file, line, message in problems:
        print(f"{file.relative_to(arguments.root)}:{line}: {message}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
