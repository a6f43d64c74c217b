#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the pages that need no site: links, fences, the version, and the runners themselves."""
import pathlib
import re
import tempfile
import unittest

import pages  # noqa: I001  it makes docs/ importable
import console_test
import prepare
import reference

ROOT = pages.ROOT
# Languages of fenced blocks: those that tests run or compile, and text that is no code.
LANGUAGES = {"console", "python", "text", "json", "cmake", "toml"}


class Pages(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        """In the repository, as on the site."""
        for page in pages.all_pages():
            with self.subTest(page=page.relative_to(ROOT)):
                prepare.rewrite_links(page.read_text(), page)

    def test_code_is_run_or_says_why_not(self):
        for page in pages.all_pages():
            for block, wanted in pages.blocks(page):
                with self.subTest(block=block.where()):
                    if block.language.startswith("{"):
                        continue  # a directive
                    self.assertIn(block.language, LANGUAGES,
                                  "C++ comes from examples/ by literalinclude")
                    if block.language == "cmake":
                        self.assertFalse(wanted, "say by which test it is covered")

    def test_no_code_is_a_block_by_its_indentation_alone(self):
        """Nobody could say what it is, and nothing runs it."""
        for page in pages.all_pages():
            self.assertEqual([f"{page.relative_to(ROOT)}:{number}"
                              for number in pages.indented_code(page)], [], "fence it")

    def test_every_page_is_in_the_contents(self):
        text = (ROOT / "docs/index.md").read_text()
        listed = set()
        for toctree in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL):
            listed |= {line.split("<")[-1].rstrip(">").strip() for line in toctree.splitlines()}
        for file in sorted((ROOT / "docs").rglob("*.md")):
            page = file.relative_to(ROOT / "docs").with_suffix("").as_posix()
            if page != "index":
                self.assertIn(page, listed)

    def test_readme_is_short(self):
        text = (ROOT / "README.md").read_text()
        self.assertLess(len(text.splitlines()), 200)
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        prose = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", prose, flags=re.DOTALL)
        self.assertLessEqual(len(prose.split()), 700)

    def test_readme_has_the_two_commands_of_a_bare_machine(self):
        for page in ("README.md", "docs/install.md"):
            commands = (ROOT / page).read_text()
            for script in ("scripts/demo.sh", "scripts/test.sh"):
                self.assertTrue((ROOT / script).exists())
                self.assertIn(f"$ ./{script} ", commands, page)


class Version(unittest.TestCase):
    """project() in CMakeLists.txt is the one source of the version."""

    def setUp(self):
        self.version = prepare.version_of(ROOT)

    def test_citation(self):
        cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
        self.assertEqual(cited.group(1), self.version)

    def test_changelog(self):
        """Its newest section is what comes next or this version."""
        text = (ROOT / "CHANGELOG.md").read_text()
        sections = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
        self.assertIn(sections[0], ("Unreleased", self.version))
        released = [section for section in sections if section != "Unreleased"]
        if released:
            self.assertEqual(released[0], self.version)

    def test_find_package_in_the_documentation(self):
        wanted = ".".join(self.version.split(".")[:2])
        asked = [(page.name, asked) for page in pages.all_pages()
                 for asked in re.findall(r"find_package\(Genten ([\d.]+)", page.read_text())]
        self.assertTrue(asked)
        for page, version in asked:
            self.assertEqual(version, wanted, page)

    def test_spack(self):
        recipe = (ROOT / "packaging/spack/packages/genten/package.py").read_text()
        compile(recipe, "package.py", "exec")
        self.assertRegex(recipe, r'version\("main", branch="main"')
        self.assertIn('self.define_from_variant("GENTEN_ENABLE_MPI", "mpi")', recipe)
        for version in re.findall(r'version\("(\d[^"]*)"', recipe):
            self.assertEqual(version, self.version)

    def test_python(self):
        """pyproject.toml reads the version where it is, or says the same."""
        file = ROOT / "pyproject.toml"
        if not file.exists():
            self.skipTest("there is no pyproject.toml")
        fixed = re.search(r'^version\s*=\s*"([^"]+)"', file.read_text(), re.MULTILINE)
        if fixed:
            self.assertEqual(fixed.group(1), self.version)
        else:
            self.assertRegex(file.read_text(), r'dynamic\s*=\s*\[[^\]]*"version"')


class Runner(unittest.TestCase):
    """The runner of console blocks notices what differs."""

    def page(self, text):
        folder = pathlib.Path(tempfile.mkdtemp(dir=ROOT / "tests/docs"))
        file = folder / "page.md"
        file.write_text(text)
        self.addCleanup(folder.rmdir)
        self.addCleanup(file.unlink)
        return file

    def run_text(self, text):
        return console_test.run_page(self.page(text), {"PATH": "/usr/bin:/bin"})

    def test_what_is_expected_passes(self):
        text = "```console\n$ printf 'a\\nb 12 s\\n'\na\nb ... s\n$ echo x \\\n> y\n...\n```\n"
        self.assertEqual(self.run_text(text), ([], 2))

    def test_other_output_is_told(self):
        complaints, _ = self.run_text("```console\n$ echo a\nb\n```\n")
        self.assertIn("page.md:2", complaints[0])
        self.assertEqual(len(self.run_text("```console\n$ echo a\n```\n")[0]), 1)
        self.assertEqual(len(self.run_text("```console\n$ true\na\n```\n")[0]), 1)

    def test_failures_are_told(self):
        complaints, _ = self.run_text("```console\n$ false\n```\n")
        self.assertIn("exit code 1", complaints[0])
        self.assertEqual(len(self.run_text("```console\n$ false | true\n```\n")[0]), 1)

    def test_blocks_that_say_why_are_not_run(self):
        text = "<!-- not run: it takes an hour -->\n\n```console\n$ false\n```\n"
        self.assertEqual(self.run_text(text), ([], 0))
        self.assertEqual(self.run_text(text.replace(": it takes an hour", ":"))[1], 1)


class Indented(unittest.TestCase):
    """Code that is a block by its indentation is found, and nothing else."""

    def lines(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            return list(pages.indented_code(page))

    def test_code_is_found(self):
        self.assertEqual(self.lines("a\n\n    code\n\n    more\n\nb\n\n    again\n"), [3, 9])
        self.assertEqual(self.lines("    code\n"), [1])
        self.assertEqual(self.lines("* a\n\n      code\n\n  b\n"), [3])
        self.assertEqual(self.lines("* a\n\nb\n\n    code\n"), [5])

    def test_other_lines_are_not(self):
        self.assertEqual(self.lines("a\n    goes on\n\n```text\n\n    fenced\n```\n"), [])
        listed = "* a\n\n  b\n    goes on\n\n  * c\n\n    d\n\n1. e\n\n   f\n"
        self.assertEqual(self.lines(listed), [])


class Links(unittest.TestCase):
    def test_links_become_those_of_the_site(self):
        text = "[a](perf/README.md#cpu) [b](cmake/FindZstd.cmake) [c](https://x.org) [d](#e)"
        self.assertEqual(
            prepare.rewrite_links(text, ROOT / "SECURITY.md"),
            "[a](benchmarks.md#cpu) b [c](https://x.org) [d](#e)")

    def test_dead_links_are_refused(self):
        with self.assertRaisesRegex(ValueError, "there is no nothing.md"):
            prepare.rewrite_links("[a](nothing.md)", ROOT / "SECURITY.md")
        self.assertIn("](nothing.md)",
                      prepare.rewrite_links("```\n[a](nothing.md)\n```\n", ROOT / "SECURITY.md"))

    def test_attributes_of_classes_in_the_reference(self):
        class Column:
            """Describes itself, and has an entry, too."""

            def __get__(self, instance, owner):
                return 1

            def __set__(self, instance, value):
                raise AttributeError

        class Result:
            """What comes out.

            Attributes
            ----------
            model : Model
                Of the run: or of its best start.
            fit, penalty : float
            shape, column : tuple

            Examples
            --------
            >>> number : int = 3
            """

            penalty = None

            @property
            def shape(self):
                """Has an entry of its own."""

            column = Column()

        self.assertEqual(reference.attributes_without_targets(Result), ["model", "fit", "penalty"])
        self.assertEqual(reference.attributes_without_targets(object), [])
        lines = []
        reference.add_targets(None, "class", "", Result, None, lines)
        self.assertIn(".. py:attribute:: fit", lines)
        reference.add_targets(None, "method", "", Result, None, no_lines := [])
        self.assertEqual(no_lines, [])

    def test_pages_of_the_python_reference(self):
        """cp comes first, names that nobody has grouped get pages of their own, none is lost."""
        names = ["Zoo", "Tensor", "__version__", "read", "tensor", "cp", "brand_new"]
        groups = reference.python_groups(names)
        self.assertEqual(groups, {"cp": ["cp"], "tensor": ["tensor", "Tensor"], "files": ["read"],
                                  "brand_new": ["brand_new"], "Zoo": ["Zoo"]})
        self.assertEqual(list(groups)[0], "cp")
        pages_of_files = [page.lower() for page in groups]
        self.assertEqual(len(set(pages_of_files)), len(pages_of_files))

    def test_first_sentences(self):
        def thing():
            """Writes a tensor, as
            ``x``: in a file. It is complete.

            More.
            """

        self.assertEqual(reference.first_sentence(thing), "Writes a tensor, as `x`")

    def test_without_the_package_the_python_reference_says_so(self):
        self.assertEqual(list(reference.python_page(False)), ["python.md"])
        self.assertIn("was not built", reference.python_page(False)["python.md"])

    def test_headers_of_the_reference(self):
        headers = reference.public_headers()
        self.assertIn("genten/cp/cp_als.hpp", headers["cp"])
        self.assertIn("genten/mttkrp/kernels/atomic.hpp", headers["mttkrp"])
        self.assertFalse([h for all in headers.values() for h in all if "detail" in h])

    def test_concepts_are_shown(self):
        xml = """<doxygen><compounddef kind="concept"><compoundname>genten::Real</compoundname>
        <initializer>template&lt;class T&gt;
concept <ref>genten::Real</ref> =  std::floating_point&lt;T&gt;    </initializer>
        <briefdescription><para>A <ref>real</ref> number.</para></briefdescription>
        <detaileddescription/><location file="genten/a.hpp"/></compounddef></doxygen>"""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "conceptReal.xml").write_text(xml)
            text = reference.concepts("genten/a.hpp", pathlib.Path(folder))
            self.assertEqual(reference.concepts("genten/b.hpp", pathlib.Path(folder)), "")
        self.assertIn("{cpp:concept} template<class T> genten::Real\n\nA real number.", text)
        self.assertIn("concept Real = std::floating_point<T>;", text)

    def test_tables_of_options(self):
        self.assertIn("| `rank` | number of components R |",
                      reference.options_table("genten/cp/options.hpp"))
        self.assertEqual(reference.options_table("genten/cp/stop.hpp"), "")


if __name__ == "__main__":
    unittest.main()
