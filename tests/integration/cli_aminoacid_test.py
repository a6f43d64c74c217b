#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The known answers of the amino-acid fluorescence data, where the file is at hand."""
import sys
import unittest

from cli_support import SHARED, ToolTest

AMINOACID = SHARED / "aminoacid.txt"
SKIPPED = 77  # what ctest takes for a skipped test


class AminoAcid(ToolTest):
    def test_info(self):
        result = self.run_json("info", AMINOACID, "--index-base", 0)
        self.assertEqual(result["dimensions"], [5, 201, 61])
        self.assertEqual(result["nnz"], 61305)
        self.assertAlmostEqual(result["values"]["norm"], 47991.9501320893, places=8)
        self.assertAlmostEqual(result["values"]["sum"], 6896373.007, places=4)

    def test_rank_3(self):
        result = self.run_json("decompose", AMINOACID, "--index-base", 0, "--rank", 3,
                               "--tolerance", "1e-10", "--starts", 5, "--max-iterations", 1000,
                               "--print-every", 0)
        self.assertEqual(result["stop_reason"], "converged")
        self.assertAlmostEqual(result["fit"], 0.974951482777, places=8)
        for weight, expected in zip(result["weights"], (33487.77, 23483.09, 21192.10)):
            self.assertAlmostEqual(weight / expected, 1, places=4)

    def test_acceleration(self):
        """The data have a swamp, which takes 60 to 200 plain sweeps, and less than half of them."""
        plain, accelerated = [], []
        for sweeps, how in ((plain, "none"), (accelerated, "nesterov")):
            for seed in range(1, 6):
                result = self.run_json("decompose", AMINOACID, "--index-base", 0, "--rank", 3,
                                       "--tolerance", 0, "--seed", seed, "--max-iterations", 250,
                                       "--acceleration", how, "--print-every", 0)
                fits = [record["fit"] for record in result["history"]]
                self.assertGreater(result["fit"], 0.97495)
                sweeps.append(next(k for k, fit in enumerate(fits, 1) if fit > 0.97495))
                self.assertEqual(result["momentum_restarts"] > 0, how == "nesterov")
        self.assertGreater(sum(plain), 2 * sum(accelerated))
        self.assertTrue(all(fewer < more for fewer, more in zip(accelerated, plain)))


if __name__ == "__main__":
    if not AMINOACID.exists():
        print(f"{AMINOACID} is absent")
        sys.exit(SKIPPED)
    unittest.main()
