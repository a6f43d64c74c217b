# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts do around a build. Stand-ins take the places of CMake, of the tool and of
scripts/install-deps.sh, so that nothing is installed or built."""
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Says when it begins and ends, and leaves a tool that says nothing.
CMAKE = """#!/bin/bash
echo "begin" >>"$LOG"
sleep 0.3
mkdir -p build/default/bin
printf '#!/bin/bash\\n' >build/default/bin/genten
chmod +x build/default/bin/genten
echo "end" >>"$LOG"
"""
BUILD = '. scripts/lib/common.sh; set -euo pipefail; genten_build default'


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.temporary()).resolve()
        self.root, self.log = self.folder / "checkout", self.folder / "log"
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        shutil.copy(ROOT / "CMakePresets.json", self.root)
        data = self.root / "data" / "debian-packages"
        data.mkdir(parents=True)
        for name in ("debian-packages.tns", "package.labels", "dependency.labels", "kind.labels"):
            (data / f"{name}.zst").touch()
        self.program(self.folder / "bin" / "cmake", CMAKE)
        self.program(self.root / "scripts" / "install-deps.sh",
                     '#!/bin/bash\necho "install" >>"$LOG"\n')
        self.environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
                            "LOG": str(self.log), "XDG_CACHE_HOME": str(self.folder / "cache"),
                            "GENTEN_JOBS": "1", "LC_ALL": "C.UTF-8"}

    def temporary(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def program(self, path, text):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *command, **how):
        how.setdefault("cwd", self.root)
        return subprocess.Popen(command, env=self.environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, **how)

    def ended(self, *command, **how):
        process = self.start(*command, **how)
        return process.communicate(timeout=60)[0], process.returncode

    def done(self):
        return self.log.read_text().split() if self.log.exists() else []

    @unittest.skipUnless(shutil.which("flock"), "there is no flock")
    def test_a_second_build_waits(self):
        first = self.start("bash", "-c", BUILD)
        while "begin" not in self.done():
            time.sleep(0.02)
        second = self.start("bash", "-c", BUILD)
        texts = [process.communicate(timeout=60)[0] for process in (first, second)]
        self.assertEqual((first.returncode, second.returncode), (0, 0), texts)
        runs = [word for word in self.done() if word != "install"]
        self.assertEqual(runs, ["begin", "end"] * 4)
        self.assertNotIn("waiting for", texts[0])
        self.assertIn(f"waiting for another script that builds in {self.root}/build", texts[1])

    def test_a_folder_that_cannot_be_written_is_told_of_at_once(self):
        (self.root / "build").write_text("")
        text, code = self.ended("bash", "-c", BUILD)
        self.assertEqual((code, self.done()), (1, []), text)
        self.assertEqual(text, f"error: {self.root}/build cannot be made: build in a checkout of "
                               "your own\n")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_log_of_another_user_is_told_of_at_once(self):
        log = self.root / "build" / "configure-default.log"
        log.parent.mkdir()
        log.write_text("old")
        log.chmod(0o444)
        text, code = self.ended("bash", "-c", BUILD)
        self.assertEqual((code, self.done()), (1, []), text)
        self.assertIn(f"error: {log} cannot be written by", text)

    def test_the_demo_looks_at_its_seed_before_it_builds(self):
        for seed in ("x", "-1", "1.5", "", "18446744073709551616", "9" * 21):
            text, code = self.ended("scripts/demo.sh", "--seed", seed)
            self.assertEqual((code, self.done()), (1, []), text)
            self.assertIn(f"error: --seed: expected a whole number from 0 to 18446744073709551615, "
                          f"got '{seed}'", text)
        text, code = self.ended("scripts/demo.sh", "--seed", "18446744073709551615")
        self.assertEqual(code, 0, text)

    def test_the_demo_prints_paths_that_hold_where_it_was_called(self):
        for folder, before in ((self.root, ""), (self.folder, f"{self.root}/")):
            text, code = self.ended(self.root / "scripts" / "demo.sh", cwd=folder)
            self.assertEqual(code, 0, text)
            self.assertIn(f"  {before}build/default/bin/genten decompose "
                          f"{before}data/debian-packages/debian-packages.tns.zst", text)
            self.assertIn(f"--json {before}build/demo/demo.json\n", text)
            self.assertIn(f"the model is in {before}build/demo/demo.ktensor", text)

    def test_the_help_of_tests_lists_presets_and_what_is_installed(self):
        text, code = self.ended("scripts/test.sh", "--help")
        self.assertEqual((code, self.done()), (0, []))
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        for preset in presets:
            if not preset.get("hidden"):
                self.assertRegex(text, f"(?m)^  {preset['name']} +{preset['displayName'][:20]}")
        self.assertIn("Chromium", text)
        self.assertIn("PyPI", text)

    def test_a_rotation_ends_with_the_wheel_and_arm(self):
        for script in ("build-wheel.sh", "test-arm.sh"):
            self.program(self.root / "scripts" / script,
                         f'#!/bin/bash\necho "{script}" >>"$LOG"\n')
        text, _ = self.ended("scripts/test-rotation.sh", "--help")
        parts = int(re.search(r"(\d+) parts", text)[1])
        for part in (parts - 2, parts - 1):
            text, code = self.ended("scripts/test-rotation.sh", str(part))
            self.assertEqual(code, 0, text)
        self.assertEqual(self.done(), ["build-wheel.sh", "test-arm.sh"])
        text, code = self.ended("scripts/test-rotation.sh", str(parts))
        self.assertEqual((text, code), (f"error: there are {parts} parts, counted from 0\n", 1))

    @unittest.skipUnless(shutil.which("flock") and platform.machine() == "x86_64",
                         "there is no flock, or this is no x86-64")
    def test_libraries_for_arm_that_cannot_be_had_are_told_of(self):
        shutil.copy(ROOT / "scripts" / "install-deps.sh", self.root / "scripts")
        for name in ("aarch64-linux-gnu-g++", "qemu-aarch64", "ninja", "ccache", "dpkg-query",
                     "xz"):
            self.program(self.folder / "bin" / name, "#!/bin/bash\n")
        self.program(self.folder / "bin" / "apt-get", "#!/bin/bash\n"
                     '[[ $* != *" install "* ]] || { echo "E: there is no network"; exit 100; }\n')
        text, code = self.ended("scripts/test-arm.sh")
        self.assertEqual((code, self.done()), (1, []), text)
        self.assertTrue(text.endswith(
            "E: there is no network\nerror: Debian's libraries for arm64 could not be had. The "
            "messages of apt-get above say why\n"), text)

    @unittest.skipUnless(shutil.which("cmake"), "there is no cmake")
    def test_cmake_compiles_by_a_compiler_cache_where_nothing_else_is_said(self):
        ccache = self.folder / "bin" / "ccache"
        self.program(ccache, "#!/bin/bash\n")
        script = self.folder / "try.cmake"
        script.write_text(f'include("{ROOT}/cmake/GentenCompilerCache.cmake")\n'
                          'message(STATUS "by [${CMAKE_CXX_COMPILER_LAUNCHER}]")\n')
        self.environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
        for variables, expected in (
            (["PROJECT_IS_TOP_LEVEL=ON", "PROJECT_SOURCE_DIR=/there"],
             f"{shutil.which('cmake')};-E;env;CCACHE_BASEDIR=/there;CCACHE_DEPEND=1;"
             "CCACHE_NOHASHDIR=1;"
             "CCACHE_SLOPPINESS=pch_defines,time_macros;"
             f"{ROOT}/cmake/compile-by-ccache.sh;{ccache}"),
            (["PROJECT_IS_TOP_LEVEL=OFF"], ""),
            (["PROJECT_IS_TOP_LEVEL=ON", "GENTEN_HAS_CUDA=ON"], ""),
            (["PROJECT_IS_TOP_LEVEL=ON", "CMAKE_CXX_COMPILER_LAUNCHER="], ""),
            (["PROJECT_IS_TOP_LEVEL=ON", "CMAKE_CXX_COMPILER_LAUNCHER=sccache"], "sccache"),
        ):
            text, code = self.ended(shutil.which("cmake"), *(f"-D{v}" for v in variables), "-P",
                                    script)
            self.assertEqual(code, 0, text)
            self.assertIn(f"by [{expected}]", text, variables)
        self.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "other"
        text, _ = self.ended(shutil.which("cmake"), "-DPROJECT_IS_TOP_LEVEL=ON", "-P", script)
        self.assertIn("by []", text)

    @unittest.skipUnless(all(map(shutil.which, ("cmake", "ninja", "ccache", "g++"))),
                         "there is no cmake, ninja, ccache or g++")
    def test_a_comment_of_a_precompiled_header_may_change_with_a_compiler_cache(self):
        header = self.folder / "header.hpp"
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(Trial CXX)\n"
            f'include("{ROOT}/cmake/GentenCompilerCache.cmake")\n'
            "add_library(trial STATIC first.cpp)\n"
            "target_precompile_headers(trial PRIVATE header.hpp)\n")
        self.environment.update(CCACHE_DIR=str(self.folder / "cache"), CXX=shutil.which("g++"),
                                PATH=os.environ["PATH"])
        self.environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
        for comment in ("before", "changed"):
            header.write_text(f"#pragma once\nclass One {{\n  int x;  ///< {comment}\n}};\n")
            (self.folder / "first.cpp").write_text(
                f'#include "./header.hpp"\nOne {comment};\n')
            for command in (("-G", "Ninja", "-S", self.folder, "-B", self.folder / comment),
                            ("--build", self.folder / comment)):
                text, code = self.ended(shutil.which("cmake"), *command)
                self.assertEqual(code, 0, text)

    @unittest.skipUnless(all(map(shutil.which, ("cmake", "ninja", "ccache", "c++", "g++"))),
                         "there is no cmake, ninja, ccache, c++ or g++")
    def test_another_checkout_finds_what_was_compiled_over_an_older_build(self):
        self.environment.update(CCACHE_DIR=str(self.folder / "cache"), PATH=os.environ["PATH"])
        self.environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
        for checkout, compiler, type_name, hits in (("one", "c++", "int", 0),
                                                    ("one", "c++", "long", 0),
                                                    ("other", "c++", "long", 2),
                                                    ("third", "g++", "long", 2)):
            root = self.folder / checkout
            root.mkdir(exist_ok=True)
            (root / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.21)\nproject(Trial CXX)\n"
                f'include("{ROOT}/cmake/GentenCompilerCache.cmake")\n'
                "add_library(trial STATIC first.cpp)\n"
                "target_include_directories(trial PRIVATE .)\n"
                "target_precompile_headers(trial PRIVATE <header.hpp>)\n")
            (root / "header.hpp").write_text(f"#pragma once\nusing Number = {type_name};\n")
            (root / "first.cpp").write_text("Number number;\n")
            self.environment["CXX"] = shutil.which(compiler)
            for program, *arguments in (("cmake", "-G", "Ninja", "-S", root, "-B", root / "build"),
                                        ("ccache", "--zero-stats"),
                                        ("cmake", "--build", root / "build")):
                text, code = self.ended(shutil.which(program), *arguments)
                self.assertEqual(code, 0, text)
            text, _ = self.ended(shutil.which("ccache"), "--print-stats")
            self.assertRegex(text, rf"(?m)^direct_cache_hit\t{hits}$", checkout)


if __name__ == "__main__":
    unittest.main()
