#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --standard-errors, --bootstrap and --starts: how far to believe a model."""
import unittest

from cli_support import ADMISSIONS, TITANIC, WRONG_USAGE, ToolTest


class Trust(ToolTest):
    def test_known_answers(self):
        result = self.run_json("decompose", ADMISSIONS, "--rank", 1, "--loss", "poisson",
                               "--standard-errors", "--json-factors", "--tolerance", "1e-10",
                               "--quiet", "--top", 1)
        errors = result["standard_errors"]
        self.assertEqual(errors["information"], "whole")
        self.assertTrue(errors["determined"])
        self.assertAlmostEqual(errors["weights"][0], 67.2755528, places=6)
        self.assertAlmostEqual(errors["factors"][0][0][0], 0.00724244, places=7)
        self.assertIsNone(errors["upper_limits"][0][0][0])
        self.assertAlmostEqual(result["top"][0]["standard_error"], 67.2755528, places=6)
        self.assertNotIn("stability", result)
        self.assertIn("error_bars", result["timings"])
        total = sum(seconds for phase, seconds in result["timings"].items() if phase != "total")
        self.assertAlmostEqual(total, result["timings"]["total"], delta=0.02)

    def test_text(self):
        text = self.run_tool("decompose", ADMISSIONS, "--rank", 1, "--loss", "poisson",
                             "--standard-errors", "--bootstrap", 40, "--top", 1).stdout
        self.assertRegex(text, r"\nfound +components in 100% of 40 refits\n")
        self.assertRegex(text, r"\nerrors +of weights 67\.\d+, by second derivatives, all together")
        self.assertRegex(text, r"\ncomponent 1, weight 4526 \+- 67\.\d+ \[4\d+, 4\d+\], found in "
                               r"100% of the refits\n")
        self.assertRegex(text, r"0\.\d{4} \+- 0\.00\d\d \[0\.\d{4}, 0\.\d{4}\]")

    def test_starts_say_what_they_find(self):
        result = self.run_json("decompose", TITANIC, "--rank", 4, "--starts", 6, "--quiet")
        shares = [each["starts"] for each in result["stability"]]
        self.assertEqual(len(shares), 4)
        for each in result["stability"]:
            self.assertGreaterEqual(each["starts"], 1 / 6 - 1e-12)  # its own
            self.assertEqual(each["unstable"], each["starts"] < 0.5)
            self.assertIsNone(each["refits"])

    def test_the_same_seed_gives_the_same_intervals(self):
        def intervals(*options):
            return self.run_json("decompose", ADMISSIONS, "--rank", 1, "--bootstrap", 10, "--quiet",
                                 *options)["bootstrap"]

        self.assertEqual(intervals(), intervals())
        self.assertNotEqual(intervals(), intervals("--seed", 2))
        self.assertNotEqual(intervals(), intervals("--bootstrap-mode", 3))

    def test_what_cannot_be_had_is_refused_by_name(self):
        def refused(*options):
            return self.run_tool("decompose", ADMISSIONS, "--rank", 1, *options,
                                 expect=WRONG_USAGE).stderr

        text = refused("--loss", "huber", "--standard-errors")
        self.assertIn("--standard-errors: is not for --loss huber, which is no likelihood", text)
        self.assertIn("--bootstrap with --bootstrap-mode draws slices instead", text)
        self.assertIn("--bootstrap-mode", refused("--loss", "beta", "--bootstrap", 9))
        self.assertIn("means nothing without --bootstrap", refused("--bootstrap-mode", 1))
        self.assertIn("expected a mode of the tensor",
                      refused("--bootstrap", 9, "--bootstrap-mode", 4))
        self.assertIn("is not for --l1", refused("--l1", 1, "--standard-errors"))
        self.assertIn("bounds other than 0", refused("--upper", 1, "--standard-errors"))


if __name__ == "__main__":
    unittest.main()
