"""A plan that is missing, unreadable or contradicts itself is BROKEN, in one line that names the place."""

import unittest

from run_folder import RunTest, planned_gate

from seamgate_report.decision import decide_folder
from seamgate_report.outcome import BrokenError


class Plans(RunTest):
    def assert_broken(self, part):
        with self.assertRaises(BrokenError) as caught:
            self.decide()
        self.assertIn(part, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_a_missing_plan(self):
        (self.top / "empty").mkdir()
        with self.assertRaisesRegex(BrokenError, "plan.json: missing"):
            decide_folder(self.top / "empty")

    def test_a_truncated_plan(self):
        path = self.run_.write() / "plan.json"
        path.write_text(path.read_text()[:-30])
        with self.assertRaisesRegex(BrokenError, "plan.json: unreadable"):
            decide_folder(self.run_.folder)

    def test_an_unknown_schema(self):
        self.run_.plan["schema"] = 2
        self.assert_broken("schema 2; this program reads schema 1")

    def test_a_missing_field(self):
        del self.run_.gate("leaf")["required"]
        self.assert_broken("gates[1]: 'required' is missing")

    def test_a_field_of_the_wrong_type(self):
        for name, value in (("required", "yes"), ("applies", 1), ("planned_cases", True), ("rows", "A1"), ("id", None)):
            with self.subTest(name):
                gate = self.run_.gate("leaf")
                before, gate[name] = gate[name], value
                self.assert_broken(f"'{name}' is")
                gate[name] = before

    def test_an_empty_run_id(self):
        self.run_.plan["run_id"] = ""
        self.assert_broken("'run_id' is empty")

    def test_an_unknown_question(self):
        self.run_.gate("leaf")["question"] = "fast"
        self.assert_broken("allowed: ran, trains, right, off, could_fail, house")

    def test_a_gate_planned_twice(self):
        self.run_.plan["gates"].append(planned_gate("leaf", "trains"))
        self.assert_broken("the gate 'leaf/rmsnorm/cpu' is planned twice")

    def test_a_gate_that_takes_the_name_of_the_planted_faults(self):
        self.run_.plan["gates"].append(planned_gate("mutants", "could_fail"))
        self.assert_broken("'mutants' is kept")

    def test_a_gate_that_answers_a_row_which_does_not_list_it(self):
        self.run_.gate("leaf")["rows"].append("A1")
        self.assert_broken("answers row 'A1', which does not list it")


if __name__ == "__main__":
    unittest.main()
