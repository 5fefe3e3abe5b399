"""The rows that must hold: which gates answer them, and the verdict that follows."""

import json
import unittest

from run_folder import Child, RunTest, planned_gate

from seamgate_report.outcome import FAIL, NO_GATE, NOT_RUN, PASS
from seamgate_report.requirements import requirements_json, requirements_table


class Rows(RunTest):
    def verdicts(self):
        self.decision = self.decide()
        return {row.id: row.verdict for row in self.decision.rows}

    def test_a_row_passes_with_all_its_gates_and_a_row_without_a_gate_says_so(self):
        verdicts = self.verdicts()
        self.assertEqual(verdicts, {"A1": PASS, "A5": PASS, "A7": PASS, "A9": PASS, "A11": PASS, "B25": NO_GATE})

    def test_a_row_fails_with_one_of_its_gates(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        verdicts = self.verdicts()
        self.assertEqual((verdicts["A1"], verdicts["A11"], verdicts["A5"]), (FAIL, FAIL, PASS))

    def test_a_row_waits_for_its_gate_on_every_required_backend(self):
        self.run_.plan["gates"].append(planned_gate("leaf", "trains", "cuda", ["A5"]))
        self.assertEqual(self.verdicts()["A5"], NOT_RUN)

    def test_a_row_does_not_wait_for_a_backend_that_is_not_required(self):
        self.run_.plan["gates"].append(planned_gate("leaf", "trains", "cuda", ["A5"], required=False))
        self.assertEqual(self.verdicts()["A5"], PASS)

    def test_a_row_whose_gate_is_not_planned_did_not_run(self):
        self.run_.plan["rows"][1]["gates"].append("leaf_by_graph")
        self.assertEqual(self.verdicts()["A5"], NOT_RUN)

    def test_a_row_whose_only_gate_does_not_apply_did_not_run(self):
        self.run_.gate("leaf").update(applies=False, reason="no tape")
        del self.run_.children["leaf"]
        self.assertEqual(self.verdicts()["A5"], NOT_RUN)

    def test_the_table_shows_every_row_and_counts_them(self):
        self.verdicts()
        table = requirements_table(self.decision)
        for row in self.decision.rows:
            self.assertIn(row.title, table)
        self.assertIn("6 rows: 5 PASS, 1 no gate yet", table)
        self.assertEqual(len(json.loads(requirements_json(self.decision))), 6)


if __name__ == "__main__":
    unittest.main()
