#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Notes of the tool on tensors and results that are not what one would think, in text and JSON."""
import unittest

from cli_support import TITANIC, ToolTest


class Results(ToolTest):
    def notes(self, *arguments):
        text = self.run_tool("decompose", TITANIC, "--rank", 2, *arguments).stdout
        return [line[4:].strip() for line in text.splitlines() if line.startswith("note ")]

    def warnings(self, *arguments):
        return self.run_json("decompose", TITANIC, "--rank", 2, *arguments)["warnings"]

    def test_good_ones_have_none(self):
        self.assertEqual(self.notes(), [])
        self.assertEqual(self.warnings(), [])

    def test_bounds_that_keep_the_data_out(self):
        arguments = ("--lower", 1000, "--upper", 1001)
        result = self.run_json("decompose", TITANIC, "--rank", 2, *arguments)
        self.assertLess(result["fit"], -1e6)
        note = (f"a fit of {result['fit']:.3g} is no better than that of a model of zeros: "
                "--lower, --upper may keep the factors from where the data are")
        self.assertIn(note, self.notes(*arguments))
        self.assertIn(note.replace("a", "A", 1) + ".", result["warnings"])

    def test_penalties_that_leave_nothing(self):
        self.assertTrue(any(note.startswith("a fit of 0 is no better") and "--l1 may" in note
                            for note in self.notes("--l1", 1e9)))

    def test_a_fit_that_explains_hardly_anything(self):
        notes = self.notes("--upper", 0.1, "--tolerance", 1e-9)
        self.assertTrue(any("explains hardly anything: --upper may" in note for note in notes),
                        notes)

    def test_all_notes_are_in_the_json(self):
        arguments = ("--tolerance", 1, "--l1", 1e9)
        notes, warnings = self.notes(*arguments), self.warnings(*arguments)
        self.assertIn("2 components are zero", notes)
        self.assertEqual([note[0].upper() + note[1:] + "." for note in notes], warnings)

    def test_limits_are_in_the_json(self):
        self.assertEqual(self.warnings("--max-iterations", 3),
                         ["The iteration limit ended the run after 3 iterations."])
        self.assertEqual(self.warnings("--time-limit", 1e-9),
                         ["The time limit ended the run after 1 iteration."])


if __name__ == "__main__":
    unittest.main()
