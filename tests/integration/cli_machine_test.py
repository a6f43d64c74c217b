#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tool takes of the machine: threads and devices, and those that are not there; memory, of
which what does not fit is refused before it is taken."""
import os
import pathlib
import re
import resource
import subprocess
import unittest

from cli_support import FAILURE, SUCCESS, TITANIC, TOOL, WRONG_USAGE, ToolTest

MIB = 1 << 20
REFUSAL = r"needs [\d.]+ \w+ of (device )?memory.*, (available|allowed) are [\d.]+ \w+"


class MemoryTest(ToolTest):
    def refused(self, *arguments, **more):
        """Runs the tool, which must say in a line behind notes what it needs and what there is."""
        done = self.run_tool(*arguments, expect=FAILURE, **more)
        notes = r"^(genten: note: [^\n]*\n)*"
        self.assertRegex(done.stderr, notes + r"genten: (?!note)[^\n]*" + REFUSAL + r"[^\n]*\n$")
        self.assertNotIn("Kokkos", done.stderr)
        self.assertEqual([name for name in self.files() if name.startswith("out")], [])
        return done.stderr

    def run_below(self, kind, room, *arguments):
        """Runs the tool with so many bytes of a limit, on top of what it takes to start."""
        def limit():
            resource.setrlimit(kind, (room, room))
        if "fsanitize" in self.run_json("info", TITANIC)["build"]["flags"]:
            self.skipTest("sanitizers reserve more address space than these limits leave")
        if self.on_device():
            self.skipTest("the libraries of a device reserve more, too")
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        return subprocess.run([TOOL, *map(str, arguments)], cwd=self.directory, text=True,
                              capture_output=True, timeout=180, env=environment, preexec_fn=limit)


class Decompose(MemoryTest):
    def test_ranks_whose_matrices_do_not_fit(self):
        for rank in (400_000, 1_000_000):
            message = self.refused("decompose", TITANIC, "--rank", rank, "-o", "out.ktensor")
            self.assertRegex(message, rf"titanic\.tns: CP-ALS of rank {rank} needs .*"
                                      r"R x R matrices .*; rank \d+ would fit")

    def test_a_model_that_does_not_fit(self):
        self.write("t.tns", "1 1 1 1\n2 2 900000 2\n")
        common = ("decompose", "t.tns", "--rank", 4, "-q")
        message = self.refused(*common, "--memory-available", 20 * MIB, "-o", "out.ktensor")
        self.assertRegex(message, r"t\.tns: .*model [\d.]+ MiB.* allowed are 20 MiB; rank \d+ ")
        rank = re.search(r"rank (\d+) would fit", message).group(1)
        self.run_tool("decompose", "t.tns", "--rank", rank, "--max-iterations", 1,
                      "--memory-available", 20 * MIB)

    def test_what_writes_the_binary_form_counts(self):
        self.write("t.tns", "1 1 1 1\n2 2 900000 2\n")
        common = ("decompose", "t.tns", "--rank", 4, "--max-iterations", 1, "--memory-available",
                  40 * MIB)
        self.run_tool(*common)
        if self.on_device():
            # What is allowed is the device's memory; the binary form is made in the host's.
            self.run_tool(*common, "-o", "m.gkt")
        else:
            self.assertIn("its binary form 27.5 MiB", self.refused(*common, "-o", "out.gkt"))

    def test_info_says_what_decompose_takes(self):
        for rank, precision in ((4, "double"), (200, "double"), (200, "float")):
            options = ("--rank", rank, "--precision", precision)
            told = self.run_json("info", TITANIC, *options)["memory"]
            enough = ("decompose", TITANIC, *options, "--max-iterations", 1, "--top", 1)
            peak = told["peak_bytes"]
            self.run_tool(*enough, "--memory-available", peak)
            self.refused(*enough, "--memory-available", peak - 1, "--kernel",
                         told["automatic_kernel"])
            self.assertEqual(told["rank_that_fits"], rank)
            self.assertGreater(told["available_bytes"], peak)
        text = self.run_tool("info", TITANIC, "--rank", 200, "--memory-available", 3e6).stdout
        rank = re.search(r"available beside the tensor: 2.86 MiB, in which rank (\d+) fits", text)
        self.run_tool("decompose", TITANIC, "--rank", rank.group(1), "--max-iterations", 1,
                      "--memory-available", 3e6)

    def test_a_kernel_that_is_named_obeys_the_limit(self):
        message = self.refused("decompose", TITANIC, "--kernel", "permuted", "--memory-limit", 9,
                               "--top", 1)
        self.assertIn("titanic.tns: kernel permuted needs ", message)
        self.assertIn("allowed are 9 bytes", message)


class Limits(MemoryTest):
    def test_address_space_without_room_for_openblas(self):
        """OpenBLAS asks for 128 MiB again and again."""
        done = self.run_below(resource.RLIMIT_AS, 110 * MIB, "decompose", TITANIC, "--rank", 2)
        if done.returncode != SUCCESS:  # another LAPACK needs no buffer
            self.assertEqual(done.returncode, FAILURE, done.stderr)
            self.assertRegex(done.stderr, r"titanic\.tns: OpenBLAS.* " + REFUSAL +
                             "; only a higher limit on address space or data ")

    def test_the_buffer_of_openblas_counts_where_address_space_is_limited(self):
        self.write("t.tns", "1 1 1 1\n2 2 900000 2\n")
        below = (resource.RLIMIT_AS, 400 * MIB)
        done = self.run_below(*below, "decompose", "t.tns", "--rank", 1000)
        self.assertEqual(done.returncode, FAILURE)
        self.assertRegex(done.stderr, r"t\.tns: CP-ALS of rank 1000 " + REFUSAL)
        rank = re.search(r"rank (\d+) would fit", done.stderr).group(1)
        self.assertGreater(int(rank), 10)
        # Runs are foretold to a tenth; debug builds take more than others.
        done = self.run_below(*below, "decompose", "t.tns", "--rank", int(0.9 * int(rank)), "-q",
                              "--max-iterations", 1, "--json", "run.json")
        self.assertEqual(done.returncode, SUCCESS)
        self.run_below(*below, "info", "t.tns", "--rank", 1000, "--json", "info.json", "-q")
        told = self.read_json("info.json")["memory"]
        self.assertAlmostEqual(told["rank_that_fits"], int(rank), delta=1)

    def test_address_space_that_a_tensor_does_not_fit_into(self):
        self.run_tool("generate", "t.gtn", "--dimensions", "900,900,900", "--nnz", 3_000_000)
        for kind, room in ((resource.RLIMIT_AS, 105), (resource.RLIMIT_DATA, 50)):
            done = self.run_below(kind, room * MIB, "info", "t.gtn", "--json", "out")
            self.assertEqual(done.returncode, FAILURE, done.stderr)
            self.assertRegex(done.stderr, r"t\.gtn: a tensor of 3000000 nonzeros " + REFUSAL)

    def test_a_control_group(self):
        second = pathlib.Path("/sys/fs/cgroup/cgroup.controllers").exists()
        parent = pathlib.Path("/sys/fs/cgroup" + ("" if second else "/memory"))
        group = parent / f"genten-tool-test-{os.getpid()}"
        try:
            group.mkdir()
            limit = group / ("memory.max" if second else "memory.limit_in_bytes")
            limit.write_text(str(100 * MIB))
        except OSError as error:
            self.skipTest(f"no control group can be made: {error}")
        self.addCleanup(group.rmdir)
        if self.on_device():
            self.skipTest("the driver of a device takes more than the group has")
        self.write("t.tns", "1 1 1 1\n2 2 900000 2\n")
        done = subprocess.run(
            [TOOL, "decompose", "t.tns", "--rank", "64"], cwd=self.directory, text=True,
            capture_output=True, timeout=60,
            preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
        self.assertEqual(done.returncode, FAILURE, done.stderr)
        self.assertRegex(done.stderr, r"t\.tns: (CP-ALS|the model) of rank 64 " + REFUSAL)


class OtherCommands(MemoryTest):
    def make_large_model(self):
        """Writes m.gkt, of 58 MB, and t.gtn, a small tensor of its dimensions."""
        self.run_tool("generate", "t.gtn", "--dimensions", "900000,5,5", "--rank", 8, "--nnz", 9,
                      "--model", "m.gkt")

    def test_generate_of_absurd_sizes(self):
        huge = ("generate", "out.gtn", "--dimensions", "4000000000,4000000000,4000000000")
        self.assertIn("generating a tensor of 100000000000 nonzeros",
                      self.refused(*huge, "--nnz", 10**11))
        self.assertIn(", model ", self.refused(*huge, "--nnz", 1000, "--rank", 1000))
        self.assertIn(", model ", self.refused(*huge, "--rank", 1000, "--support", 3))
        self.refused(*huge, "--nnz", 4 * 10**18)

    def test_models_that_do_not_fit(self):
        self.make_large_model()
        done = self.run_below(resource.RLIMIT_DATA, 110 * MIB, "compare", "m.gkt", "m.gkt")
        self.assertEqual(done.returncode, FAILURE, done.stderr)
        self.assertRegex(done.stderr, r"^genten: m\.gkt: a model of 8 components " + REFUSAL)

    def test_a_guess_that_does_not_fit_is_named_and_not_the_tensor(self):
        self.make_large_model()
        done = self.run_below(resource.RLIMIT_DATA, 40 * MIB, "decompose", "t.gtn", "--init",
                              "m.gkt")
        self.assertEqual(done.returncode, FAILURE, done.stderr)
        self.assertRegex(done.stderr, r"^genten: m\.gkt: a model of 8 components " + REFUSAL)

    def test_binary_models_that_do_not_fit_beside_themselves(self):
        self.make_large_model()
        done = self.run_below(resource.RLIMIT_DATA, 100 * MIB, "convert", "--model", "m.gkt",
                              "out.gkt")
        self.assertEqual(done.returncode, FAILURE, done.stderr)
        self.assertRegex(done.stderr, r"out\.gkt: the binary form of the model " + REFUSAL)

    def test_convert(self):
        self.run_tool("generate", "t.gtn", "--dimensions", "900,900,900", "--nnz", 2_000_000)
        for option, what in ((("--permute", "3,1,2"), "converting the tensor"),
                             (("--compact",), "dropping rows without entries")):
            done = self.run_below(resource.RLIMIT_DATA, 58 * MIB, "convert", "t.gtn", "out.gtn",
                                  *option)
            self.assertEqual(done.returncode, FAILURE, done.stderr)
            self.assertRegex(done.stderr, rf"t\.gtn: {what} " + REFUSAL)

    def test_info_of_huge_modes(self):
        self.write("t.tns", "4611686018427387904 1 1\n1 2305843009213693952 1\n")
        told = self.run_json("info", "t.tns")["memory"]
        self.assertEqual(told["rank_that_fits"], 0)
        self.assertIn("in which no rank fits", self.run_tool("info", "t.tns").stdout)
        message = self.refused("decompose", "t.tns", "--rank", 1, "--top", 1)
        self.assertIn("; dropping empty slices (genten convert --compact) may make it fit", message)
        self.run_tool("convert", "t.tns", "small.tns", "--compact")
        self.run_tool("decompose", "small.tns", "--rank", 1)
        self.run_tool("decompose", "t.tns", "--compact", "--rank", 1)


class Holdout(ToolTest):
    def test_the_part_that_is_named_fits(self):
        self.run_tool("generate", "big.txt", "--dimensions", "30000,30000,10", "--nnz", 2000, "-q")
        run = ("decompose", "big.txt", "--rank", 2, "--loss", "poisson", "--max-iterations", 1,
               "-q", "-o", "m.gkt", "--memory-available", 100000000, "--holdout")
        done = self.run_tool(*run, 0.1, expect=FAILURE)
        part = done.stderr.rpartition("a holdout of ")[2].partition(" fits")[0]
        self.assertRegex(part, r"^\de-\d$", done.stderr)
        self.run_tool(*run, part)


class Processes(ToolTest):
    """genten info --ranks: what several processes would take."""

    def cluster(self, *arguments):
        return self.run_json("info", *arguments)["cluster"]

    def test_nothing_of_processes_unless_asked(self):
        self.assertNotIn("cluster", self.run_json("info", TITANIC))
        self.assertNotIn("ranks", self.run_tool("info", TITANIC).stdout)

    def test_a_diagonal_sends_nothing(self):
        self.write("diagonal.tns", "".join(f"{i} {i} {i} 1\n" for i in range(1, 65)))
        told = self.cluster("diagonal.tns", "--ranks", 4)
        for partition in told["partitions"]:
            self.assertEqual(partition["imbalance"], 1.0)
            self.assertEqual((partition["rows"], partition["most_messages"]), (0, 0))
            self.assertEqual(partition["transfer_seconds"], 0.0)
        self.assertEqual([p["grid"] for p in told["partitions"]], ["", "1x1x4"])

    def test_a_full_matrix_sends_what_a_grid_does(self):
        lines = [f"{i} {j} 1\n" for i in range(1, 9) for j in range(1, 17)]
        self.write("full.tns", "".join(lines))
        for partition in self.cluster("full.tns", "--ranks", 2)["partitions"]:
            self.assertEqual(partition["rows"], 8)  # the shorter mode's rows, from one to the other
            self.assertEqual(partition["most_rows"], 4)  # each owns half of them
        grid = self.cluster("full.tns", "--ranks", 8)["partitions"][1]
        self.assertEqual((grid["grid"], grid["rows"]), ("2x4", 8 * 3 + 16 * 1))

    def test_one_process_takes_what_one_process_takes(self):
        told = self.cluster(TITANIC, "--ranks", 1, "--rank", 5)
        self.assertEqual((told["ranks"], told["rank"]), (1, 5))
        for partition in told["partitions"]:
            self.assertEqual(partition["seconds"], told["one_rank_seconds"])

    def test_the_machine_is_the_one_given(self):
        common = (TITANIC, "--ranks", 4, "--latency", 0, "--message-seconds", 0)
        slow = self.cluster(*common, "--bandwidth", 1e6)
        fast = self.cluster(*common, "--bandwidth", 4e6)
        self.assertEqual(slow["machine"]["bandwidth"], 1e6)
        for one, other in zip(slow["partitions"], fast["partitions"]):
            self.assertAlmostEqual(one["transfer_seconds"], 4 * other["transfer_seconds"])
            self.assertEqual(one["latency_seconds"], 0.0)
            self.assertEqual(one["rows"], other["rows"])

    def test_a_machine_without_processes_means_nothing(self):
        self.run_tool("info", TITANIC, "--bandwidth", 1e9, expect=WRONG_USAGE)
        for wrong in (0, -1, 65537, "many"):
            self.run_tool("info", TITANIC, "--ranks", wrong, expect=WRONG_USAGE)

    def test_more_processes_than_nonzeros(self):
        self.write("two.tns", "1 1 1\n2 2 1\n")
        for partition in self.cluster("two.tns", "--ranks", 100)["partitions"]:
            self.assertEqual(partition["rows"], 0)
        self.assertIn("100 processes", self.run_tool("info", "two.tns", "--ranks", 100).stdout)


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
