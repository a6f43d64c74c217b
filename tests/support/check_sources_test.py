# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The checks of check_sources.py find what they are there to find."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_sources  # noqa: E402


class CheckSources(unittest.TestCase):
    def problems(self, check, path, text, **others):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in [(path, text), *others.items()]:
                file = pathlib.Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content)
            return [message for _, _, message in check(pathlib.Path(folder))]

    def layers(self, path, text, **others):
        return self.problems(check_sources.check_layers, "include/genten/" + path, text, **others)

    def launches(self, text):
        return self.problems(check_sources.check_launches, "include/genten/core/a.hpp", text)

    def test_what_is_read_by_printers_alone(self):
        text = "// error.what()\nvoid f(E& error) {\n  g(error.what(), \"a.what()\");\n}\n"
        check = check_sources.check_errors
        for path in ("include/genten/io/a.hpp", "src/cli/a.cpp", "python/src/a.cpp", "perf/a.cpp"):
            self.assertEqual(len(self.problems(check, path, text)), 1, path)
        self.assertEqual(len(self.problems(check, "src/a.cpp", "return (*it) ->what( );")), 1)
        for path in (*sorted(check_sources.PRINTERS), "tests/a.cpp", "examples/a.cpp"):
            self.assertEqual(self.problems(check, path, text), [], path)

    def test_includes_downwards_are_fine(self):
        for path, include in [("core/a.hpp", "base/detail/b.hpp"), ("io/a.hpp", "core/b.hpp"),
                              ("core/a.hpp", "core/detail/b.hpp"), ("cp/a.hpp", "base/b.hpp"),
                              ("mttkrp/kernels/a/b.hpp", "mttkrp/kernels/a/c.hpp"),
                              ("mttkrp/list.hpp", "mttkrp/kernels/a/a.hpp"),
                              ("mttkrp/kernels/a.hpp", "format/b.hpp"), ("cp/a.hpp", "dense/b.hpp"),
                              ("core/a.hpp", "version.hpp"), ("genten.hpp", "cp/a.hpp"),
                              ("dist/a.hpp", "cp/b.hpp")]:
            self.assertEqual(self.layers(path, f"#include <genten/{include}>\n"), [], path)

    def test_includes_upwards_and_sideways_are_found(self):
        for path, include in [("core/a.hpp", "io/b.hpp"), ("format/a.hpp", "cp/b.hpp"),
                              ("io/a.hpp", "format/b.hpp"), ("dense/a.hpp", "mttkrp/b.hpp"),
                              ("mttkrp/kernels/a.hpp", "cp/b.hpp"), ("cp/a.hpp", "genten.hpp"),
                              ("base/a.hpp", "core/b.hpp"), ("cp/a.hpp", "dist/b.hpp"),
                              ("elsewhere/a.hpp", "core/b.hpp")]:
            for quotes in ("<{}>", '"{}"'):
                text = "#include " + quotes.format("genten/" + include)
                self.assertEqual(len(self.layers(path, text)), 1, path)

    def test_reaching_into_the_folder_of_others_is_found(self):
        for path, include in [("core/a.hpp", "base/detail/b.hpp"), ("cp/a.hpp", "cp/detail/b.hpp"),
                              ("cp/detail/a.hpp", "cp/detail/b.hpp")]:
            self.assertEqual(self.layers(path, f"#include <genten/{include}>\n"), [], path)
        for path, include in [("cp/a.hpp", "core/detail/b.hpp"),
                              ("cp/detail/a.hpp", "dense/detail/b.hpp"),
                              ("mttkrp/plan.hpp", "mttkrp/kernels/a/b.hpp")]:
            self.assertEqual(len(self.layers(path, f"#include <genten/{include}>\n")), 1, path)

    def test_programs_reach_into_no_folder_either(self):
        for layer in ("core", "base"):
            text = f"#include <genten/{layer}/detail/a.hpp>\n"
            for path in ("src/cli/a.cpp", "src/tools/a.hpp", "perf/a.cpp", "python/src/a.cpp",
                         "python/src/processes/a.cpp"):
                found = self.problems(check_sources.check_layers, path, text)
                self.assertEqual(len(found), 1, path)
            found = self.problems(check_sources.check_layers, "src/eti/a.cpp", text)
            self.assertEqual(found, [])

    def test_size(self):
        def size(path, text, **others):
            return self.problems(check_sources.check_size, path, text, **others)

        self.assertEqual(size("src/io/a.cpp", "\n" * 500), [])
        self.assertEqual(len(size("src/io/a.cpp", "\n" * 501)), 1)
        others = {f"src/io/b{k}.cpp": "" for k in range(check_sources.MOST_FILES)}
        self.assertEqual(len(size("src/io/a.cpp", "", **others)), 1)

    def test_a_comment_includes_nothing(self):
        text = "// see\n/*\n#include <genten/cp/a.hpp>\n*/\n"
        self.assertEqual(self.layers("core/a.hpp", text), [])

    def test_good_launches(self):
        for text in [
            'Kokkos::parallel_for("genten::a", Kokkos::RangePolicy<Exec>(exec, 0, n), f);',
            'Kokkos::parallel_reduce("genten::a",\n  Kokkos::RangePolicy<E, Kokkos::IndexType<int>>'
            '(m_exec, 0, n),\n KOKKOS_LAMBDA(int i, int& s) { s += i; }, sum);',
            'auto const policy = Kokkos::TeamPolicy<E>(exec, n, 1).set_scratch_size(0);'
            'Kokkos::parallel_for("genten::a", policy, f);',
            'Kokkos::TeamPolicy<E> policy(exec, n, 1);'
            'Kokkos::parallel_for("genten::a", policy, f);',
            'Policy policy{exec, 0, n}; Kokkos::parallel_for("genten::a", policy, f);',
            "Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), f);",
            "Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, n), f, s);",
            "auto const lanes = Kokkos::ThreadVectorRange(team, n);"
            "Kokkos::parallel_for(lanes, f);",
            '// Kokkos::parallel_for("wrong", 3, f);',
        ]:
            self.assertEqual(self.launches(text), [], text)

    def test_bad_launches(self):
        for text in [
            "Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(exec, 0, n), f);",
            'Kokkos::parallel_for("other::a", Kokkos::RangePolicy<Exec>(exec, 0, n), f);',
            'Kokkos::parallel_for("genten::a", Kokkos::RangePolicy<Exec>(0, n), f);',
            'Kokkos::parallel_for("genten::a", n, f);',
            'Kokkos::TeamPolicy<E> policy(n, 1);'
            'Kokkos::parallel_for("genten::a", policy, f);',
            'auto policy = Kokkos::RangePolicy<E>(0, n);'
            'Kokkos::parallel_for("genten::a", policy, f);',
            'Kokkos::parallel_scan("genten::a", policy, f);',
        ]:
            self.assertEqual(len(self.launches(text)), 1, text)

    def test_policies_that_a_function_makes(self):
        launch = 'void f() { Kokkos::parallel_for("genten::a", detail::row_policy(exec, n), f); }'
        policy = "auto row_policy(const E& exec, int n) { return Kokkos::RangePolicy<E>(%s0, n); }"
        self.assertEqual(self.launches(policy % "exec, " + launch), [])
        self.assertEqual(len(self.launches(policy % "" + launch)), 1)
        self.assertEqual(len(self.launches(launch)), 1)

    def test_labels_that_are_passed_in(self):
        launch = ("void run(const char* label, const E& exec) {"
                  "Kokkos::parallel_for(label, Kokkos::RangePolicy<E>(exec, 0, n), f); }\n")
        self.assertEqual(self.launches(launch + 'void g() { run("genten::a", exec); }'), [])
        self.assertEqual(len(self.launches(launch)), 1)
        self.assertEqual(len(self.launches(launch + 'void g() { run("other", exec); }')), 1)
        self.assertEqual(len(self.launches(launch + "void g() { run(name, exec); }")), 1)
        forwards = launch + "void g(std::string const& name) { run<int, E>(name, exec); }\n"
        self.assertEqual(self.launches(forwards + 'void h() { g("genten::a"); }'), [])
        self.assertEqual(len(self.launches(forwards + 'void h() { g("other"); }')), 1)

    def test_the_library_keeps_to_itself(self):
        for text in ["Kokkos::fence();", "Kokkos::initialize(argc, argv);", "std::cout << 1;",
                     "std::exit(1);", 'printf("a");', "std::abort();"]:
            self.assertEqual(len(self.launches(text)), 1, text)
        self.assertEqual(self.launches('throw Error("std::exit() and Kokkos::fence()");'), [])

    def imports(self, **texts):
        files = {f"python/genten/{name}.py": text for name, text in texts.items()}
        return self.problems(check_sources.check_imports, "python/genten/__init__.py",
                             "from . import a\n", **files)

    def test_imports_one_way_are_fine(self):
        rooms = {"room/__init__": "from . import c, d", "room/c": "from ..b import f",
                 "room/d": "from .c import g\nfrom .. import b"}
        self.assertEqual(self.imports(a="from .room.c import g\nimport os", b="import numpy",
                                      **rooms), [])
        self.assertEqual(self.imports(a="from . import _core", **{"_core": "import numpy"}), [])

    def test_circles_of_imports_are_found(self):
        deferred = "def f():\n    from .a import g\n"
        typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import g\n"
        for back in ("from . import a", "from .a import g", deferred, typed, "import genten.a"):
            found = self.imports(a="import os\nfrom .b import f", b=back)
            self.assertEqual(found, ["imports go round: genten.a -> genten.b -> genten.a"], back)
        for back in ("from . import g", "import genten", "from genten import g"):
            self.assertEqual(self.imports(a=back),
                             ["imports go round: genten -> genten.a -> genten"], back)

    def test_circles_through_folders_are_found(self):
        found = self.imports(a="", b="from .room.c import f",
                             **{"room/__init__": "from . import d", "room/c": "",
                                "room/d": "from .. import b"})
        self.assertEqual(found, ["imports go round: genten.b -> genten.room -> genten.room.d -> "
                                 "genten.b"])
        found = self.imports(a="", b="from .room.c import f",
                             **{"room/__init__": "", "room/c": "", "room/d": "from .. import b"})
        self.assertEqual(found, ["imports go round: genten.b -> genten.room -> genten.b"])

    def test_style(self):
        good = ("// SPDX-FileCopyrightText: 2026 Genten contributors\n"
                "// SPDX-License-Identifier: BSD-3-Clause\n#pragma once\n")

        def style(text):
            return self.problems(check_sources.check_style, "include/genten/core/a.hpp", text)

        self.assertEqual(style(good), [])
        self.assertEqual(len(style("#pragma once\n")), 1)
        self.assertEqual(len(style(good.replace("#pragma once", ""))), 1)
        self.assertEqual(len(style(good + "/" * 101 + "\n")), 1)
        self.assertEqual(len(style(good + "\tint a;\n")), 1)


if __name__ == "__main__":
    unittest.main()
