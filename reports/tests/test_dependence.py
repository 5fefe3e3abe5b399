"""On what a failure depends, and what most failures look like."""

import unittest

from run_folder import *  # noqa: F401,F403  (puts the report program on the path)
from seamgate_report.dependence import dependence, likeness, parse


def line(case, passed, where="", looks_like=""):
    fields = {"case": f"rmsnorm/torch/f32/{case}", "passed": passed, "where": where}
    return fields | ({"looks_like": looks_like} if looks_like else {})


class Dependence(unittest.TestCase):
    def test_a_case_is_parsed(self):
        case = parse("rmsnorm/llama/bf16+f32/2x3x40/eps-dominated/s7/strided/e1e-05/p8")
        self.assertEqual((case.variant, case.dtype, case.rows, case.columns, case.rank, case.distribution, case.layout),
                         ("llama", "bf16+f32", 6, 40, 3, "eps-dominated", "strided"))
        self.assertEqual(parse("rmsnorm/torch/f32/6x40/normal/s7/e1e-05").layout, "packed")
        for text in ("a record", "rmsnorm/torch/f32/6x40/normal/s7/transposed"):
            self.assertIsNone(parse(text))

    def test_one_property_is_told_only_where_it_parts_all(self):
        cases = {"3x4/normal/s1": True, "3x8/normal/s1": True, "3x6/normal/s1": False, "3x7/normal/s1": False}
        lines = [line(case, passed) for case, passed in cases.items()]
        self.assertEqual(dependence(lines), "fails where N is no multiple of 4 (2 of 2 cases), and nowhere else (2 passed)")
        self.assertEqual(dependence(lines + [line("3x9/normal/s1", True)]), "")

    def test_sizes_name_both_sides_of_the_threshold(self):
        lines = [line(f"2x{columns}/normal/s1", columns <= 1024) for columns in (512, 1024, 1536, 2048)]
        self.assertIn("N > 1024 (the next that was tried is 1536)", dependence(lines))

    def test_distributions_and_layouts_come_first(self):
        lines = [line(f"{rows}x40/{name}/s1", name != "tiny") for rows in (2, 3) for name in ("normal", "tiny")]
        self.assertIn("the distribution is tiny", dependence(lines))

    def test_too_few_cases_tell_nothing(self):
        self.assertEqual(dependence([line("3x4/normal/s1", True), line("3x7/normal/s1", False)]), "")
        self.assertEqual(dependence([]), "")
        self.assertEqual(dependence([line("3x7/normal/s1", False), line("3x9/normal/s1", False)]), "")

    def test_a_case_that_fails_in_one_of_several_ways_has_failed(self):
        lines = [line(f"{rows}x{columns}/normal/s1", passed, where) for rows in (1, 2, 3) for columns in (4, 8)
                 for where, passed in (("gy packed", True), ("gy strided", rows == 1))]
        self.assertEqual(dependence(lines), "fails with gy strided alone, there where there are several rows (4 of 4 cases), and nowhere else (2 passed)")

    def test_the_likeness_of_most(self):
        lines = [line("3x4/normal/s1", False, looks_like="a tail"), line("3x5/normal/s1", False, looks_like="a tail"),
                 line("3x6/normal/s1", False, looks_like="zeros"), line("3x7/normal/s1", True)]
        self.assertEqual(likeness(lines), "looks like: a tail [2 failures]")
        self.assertEqual(likeness(lines[3:]), "")


if __name__ == "__main__":
    unittest.main()
