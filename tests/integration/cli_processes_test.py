#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten info --ranks: what several processes would take."""
import unittest

from cli_support import TITANIC, WRONG_USAGE, ToolTest


class Processes(ToolTest):
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


if __name__ == "__main__":
    unittest.main()
