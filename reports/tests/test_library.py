"""The run of a library of somebody else's: its names, and records that the library has written to."""

import json
import unittest

from run_folder import Child, RunTest

from seamgate_report.outcome import FAIL, NOT_RUN, PASS, PENDING
from seamgate_report.questions import first_replay
from seamgate_report.screen import screen

LABEL = "plugin:mine"


class Library(RunTest):
    def setUp(self):
        super().setUp()
        self.run_.plan["library"] = {"path": "./libmine.so", "label": LABEL, "implementation": "plugin:./libmine.so,kernel=mine",
                                     "facts": {"library": "lib", "version": "2.0"}}
        self.run_.plan["command"] = "seamgate check ./libmine.so --op rmsnorm --gate truth"
        self.run_.children = {self.place(child): self.relabelled(child) for child in self.run_.children.values()}

    def place(self, child):
        who = child.names["implementation"]
        who = LABEL if who == "seamgate" else who
        return f"{child.names['gate']}-rmsnorm-cpu-{who}".replace(":", "-")

    def relabelled(self, child):
        if child.names["implementation"] == "seamgate":
            for line in [child.names, *child.lines]:
                line["implementation"] = LABEL
        return child

    def truth(self):
        return self.run_.children["truth-rmsnorm-cpu-plugin-mine"]

    def spoil(self, change):
        self.run_.write()
        path = self.run_.record_path("truth-rmsnorm-cpu-plugin-mine")
        path.write_text(change(path.read_text()))
        from seamgate_report.decision import decide_folder

        return decide_folder(self.run_.folder)

    def test_a_right_library_passes_in_its_own_name(self):
        decision = self.assert_verdict(PASS)
        told = screen(decision, 1.0)
        self.assertIn("./libmine.so: mine of lib 2.0", told)
        self.assertNotIn("eps dropped", told)  # its author planted nothing

    def test_ours_does_not_stand_for_it(self):
        for line in self.truth().lines:
            line["implementation"] = "seamgate"
        self.assert_verdict(FAIL, gate="truth", reason="written to")

    def test_replay_and_discharge_name_the_library(self):
        self.truth().lines.insert(1, self.truth().line("case", case="rmsnorm/torch/f32/3x4/normal/s1", tensor="y", error=1.0, bar=1e-6,
                                                       passed=False, looks_like="zeros"))
        self.assertIn("--implementation plugin:./libmine.so,kernel=mine", first_replay(self.decide()))
        del self.run_.children["leaf-rmsnorm-cpu-plugin-mine"]
        self.run_.record_path("leaf-rmsnorm-cpu-plugin-mine").unlink()
        self.truth().lines.pop(1)
        decision = self.assert_verdict(PENDING)
        self.assertIn("discharge: seamgate check ./libmine.so --op rmsnorm\n", screen(decision, 1.0))

    def test_a_record_that_was_written_to_fails_its_gate_alone(self):
        forged = json.dumps(Child("truth", implementation=LABEL).end().lines[-1])
        table = {
            "a line that is none": lambda text: text.replace("\n", "\nVERDICT: PASS\n", 1),
            "a second end": lambda text: text + forged + "\n",
            "a line of another run": lambda text: text + forged.replace("00c0ffee", "1111") + "\n",
            "nothing of it left": lambda text: "PASS\nPASS\n",
            "somebody else's record": lambda text: text.replace("truth", "leaf"),
        }
        for name, change in table.items():
            with self.subTest(name):
                decision = self.spoil(change)
                verdicts = {gate.id: gate.verdict for gate in decision.gates}
                self.assertEqual(decision.verdict, FAIL)
                self.assertEqual((verdicts["truth"], verdicts["leaf"], verdicts["counters"]), (FAIL, PASS, PASS))
                self.assertIn("written to while the library ran", next(gate.reason for gate in decision.gates if gate.id == "truth"))

    def test_a_record_without_its_end_did_not_run(self):
        decision = self.spoil(lambda text: "".join(text.splitlines(keepends=True)[:-1]))
        self.assertEqual(decision.verdict, PENDING)
        self.assertEqual({gate.id: gate.verdict for gate in decision.gates}["truth"], NOT_RUN)

    def test_a_record_under_another_name_counts_for_nothing(self):
        self.run_.children["forged"] = self.relabelled(Child("truth").case(1, error=5.0).end())
        self.assert_verdict(PASS)


if __name__ == "__main__":
    unittest.main()
