#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How Kokkos is started: numbers of threads, devices that are there and that are not."""
import unittest

from cli_support import FAILURE, TITANIC, WRONG_USAGE, ToolTest

# Of all vendors: nothing is to be seen.
HIDDEN = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "-1", "ROCR_VISIBLE_DEVICES": ""}
MANY = "512"  # threads that Kokkos can hold


class BackendTest(ToolTest):
    def refused(self, *arguments, environment=None, expect=WRONG_USAGE):
        done = self.run_tool(*arguments, environment=environment, expect=expect)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)  # no backtrace
        return done.stderr


class Threads(BackendTest):
    def setUp(self):
        super().setUp()
        if self.run_json("info", TITANIC, "-q", "--kokkos-num-threads=3")["threads"] != 3:
            self.skipTest("this host backend has one thread")

    def test_more_than_kokkos_can_hold(self):
        for environment in ({"OMP_NUM_THREADS": "513"}, {"OMP_NUM_THREADS": "4000,2"}):
            self.assertIn("expected at most 512 threads, which is what Kokkos can hold, got ",
                          self.refused("info", TITANIC, environment=environment))
        message = self.refused("info", TITANIC, environment={"KOKKOS_NUM_THREADS": "513"})
        self.assertIn("KOKKOS_NUM_THREADS: expected a whole number from 1 to 512, got '513'",
                      message)
        for value in ("513", "0", "-1", "", "many"):
            message = self.refused("info", TITANIC, f"--kokkos-num-threads={value}")
            self.assertIn("--kokkos-num-threads: expected a whole number from 1 to 512, got "
                          f"'{value}'", message)

    def test_as_many_as_it_can(self):
        result = self.run_json("info", TITANIC, "-q", environment={"OMP_NUM_THREADS": MANY})
        self.assertEqual(result["threads"], int(MANY))

    def test_a_smaller_number_comes_first(self):
        result = self.run_json("info", TITANIC, "-q", "--kokkos-num-threads=2",
                               environment={"OMP_NUM_THREADS": "600"})
        self.assertEqual(result["threads"], 2)


class HostBuild(BackendTest):
    def setUp(self):
        super().setUp()
        if self.backend() in ("Cuda", "HIP"):
            self.skipTest("a build for devices")

    def test_a_device_means_nothing(self):
        message = self.refused("info", TITANIC, "--kokkos-device-id=0")
        self.assertIn("--kokkos-device-id: has no effect, this program was built for the host",
                      message)

    def test_there_is_none(self):
        self.assertIsNone(self.run_json("info", TITANIC, "-q")["device"])


class DeviceBuild(BackendTest):
    def setUp(self):
        super().setUp()
        if self.backend() not in ("Cuda", "HIP"):
            self.skipTest("a build for the host alone")

    def test_reports_name_the_device(self):
        done = self.run_tool("decompose", TITANIC, "--rank", 2, "--json", "r.json")
        device = self.read_json("r.json")["device"]
        self.assertIn(f"{self.backend()} on {device['name']} (", done.stdout)
        self.assertGreater(device["memory_bytes"], 1e9)
        self.assertRegex(device["driver"], r"^(CUDA|HIP) \d+\.\d+$")

    def test_devices_that_are_not_there(self):
        for value in ("1000", "-1", "first", ""):
            message = self.refused("info", TITANIC, f"--kokkos-device-id={value}")
            self.assertIn("--kokkos-device-id: expected ", message)
            self.assertIn(f"got '{value}'", message)
            message = self.refused("info", TITANIC, environment={"KOKKOS_DEVICE_ID": value})
            self.assertIn("KOKKOS_DEVICE_ID: expected ", message)
        message = self.refused("info", TITANIC, environment={"KOKKOS_VISIBLE_DEVICES": "0,999"})
        self.assertIn("KOKKOS_VISIBLE_DEVICES: expected numbers of devices", message)

    def test_decompose_needs_one(self):
        message = self.refused("decompose", TITANIC, environment=HIDDEN, expect=FAILURE)
        self.assertIn("no device can be used, and this program was built for " + self.backend(),
                      message)
        self.assertIn("CUDA_VISIBLE_DEVICES is ''", message)
        message = self.refused("info", TITANIC, "--kokkos-device-id=0", environment=HIDDEN,
                               expect=FAILURE)
        self.assertIn("no device can be used", message)

    def test_other_commands_do_not(self):
        def run(*arguments):
            return self.run_tool(*arguments, environment=HIDDEN)
        run("generate", "t.tns", "--dimensions", "30,40,50", "--nnz", 500, "--rank", 2, "--model",
            "m.ktensor", "--json", "g.json")
        self.assertIsNone(self.read_json("g.json")["device"])
        run("convert", "t.tns", "t.gtn")
        run("convert", "t.gtn", "small.tns.zst", "--compact")
        self.assertIn("500 nonzeros", run("info", "t.gtn", "--json", "i.json").stdout)
        self.assertIsNone(self.read_json("i.json")["device"])
        self.assertIn("score", run("compare", "m.ktensor", "m.ktensor").stdout)
        run("--kokkos-help")
        run("--version")


if __name__ == "__main__":
    unittest.main()
