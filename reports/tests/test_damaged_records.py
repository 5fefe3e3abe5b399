"""Records that were cut off or are no text, and children that died: never a PASS, and a crash is a FAIL wherever it stands."""

import json
import unittest

from run_folder import Child, RunTest

from seamgate_report.outcome import BROKEN, FAIL, PENDING


class RecordsThatAreDamaged(RunTest):
    def spoil(self, change):
        self.run_.write()
        path = self.run_.record_path("leaf")
        path.write_bytes(change(path.read_bytes()))
        from seamgate_report.decision import decide_folder

        return decide_folder(self.run_.folder)

    def test_a_last_line_that_is_cut_off(self):
        self.assert_verdict(PENDING, self.spoil(lambda content: content[:-40]), "leaf", "cut off")

    def test_a_cut_line_and_then_a_crash(self):
        crash = b'\n{"kind":"crash","run_id":"00c0ffee","gate":"leaf","op":"rmsnorm","backend":"cpu",' \
                b'"implementation":"seamgate","reason":"signal 11 in case x"}\n'
        self.assert_verdict(FAIL, self.spoil(lambda content: content[:-40] + crash), "leaf", "signal 11")

    def test_a_cut_line_amid_the_record(self):
        self.assert_verdict(BROKEN, self.spoil(lambda content: content.replace(b'"passed": true', b'"passed": tr', 1)),
                            reason="not a line of JSON")

    def test_a_line_that_is_no_object(self):
        self.assert_verdict(BROKEN, self.spoil(lambda content: b"[]\n" + content), reason="not a line of JSON")

    def test_bytes_that_are_no_text(self):
        self.assert_verdict(BROKEN, self.spoil(lambda content: b"\xff\xfe\n" + content), reason="not a line of JSON")
        self.assert_verdict(PENDING, self.spoil(lambda content: b"\xff\xfe\x00"), "leaf", "left no record")

    def test_a_line_that_is_cut_off_in_the_middle_of_a_letter_and_then_a_crash(self):
        def cut(content):
            return content[:content.rindex(b"{")] + b'{"kind":"check","name":"\xc3'

        self.assert_verdict(PENDING, self.spoil(cut), "leaf", "cut off")
        crash = json.dumps({**self.run_.children["leaf"].line("crash"), "reason": "signal 11"}).encode()
        self.assert_verdict(FAIL, self.spoil(lambda content: cut(content) + b"\n" + crash + b"\n"), "leaf", "signal 11")


class ChildrenThatDied(RunTest):
    def crash(self, name, reason="signal 11 in case x"):
        child = self.run_.children[name]
        child.lines = child.lines[:-1] + [child.line("crash", reason=reason)]

    def test_a_crash_fails_that_gate_alone(self):
        self.crash("leaf")
        decision = self.assert_verdict(FAIL, gate="leaf", reason="crashed: signal 11 in case x")
        self.assertEqual([gate.id for gate in decision.with_verdict(FAIL)], ["leaf"])

    def test_a_crash_after_a_whole_record_fails(self):
        leaf = self.run_.children["leaf"]
        leaf.lines.append(leaf.line("crash", reason="signal 6 at exit"))
        self.assert_verdict(FAIL, gate="leaf", reason="crashed: signal 6 at exit")
        self.run_.gate("leaf")["required"] = False
        self.assert_verdict(FAIL, gate="leaf", reason="crashed: signal 6 at exit")

    def test_a_crash_after_not_run_fails(self):
        leaf = self.run_.children["leaf"]
        leaf.lines = [leaf.line("not_run", reason="no GPU"), leaf.line("crash", reason="signal 6 at exit")]
        self.assert_verdict(FAIL, gate="leaf", reason="crashed: signal 6 at exit")

    def test_a_crash_amid_a_record_that_goes_on_fails(self):
        leaf = self.run_.children["leaf"]
        leaf.lines.insert(1, leaf.line("crash", reason="signal 6"))
        self.assert_verdict(FAIL, gate="leaf", reason="crashed: signal 6")

    def test_a_time_out_fails(self):
        self.crash("leaf", "timeout after 60 s")
        self.assert_verdict(FAIL, gate="leaf", reason="timeout after 60 s")

    def test_a_crash_alone_in_its_record_fails(self):
        child = Child("leaf")
        child.lines = [child.line("crash", reason="signal 9")]
        self.run_.children["leaf"] = child
        self.assert_verdict(FAIL, gate="leaf", reason="signal 9")

    def test_an_interrupted_run_is_pending_even_when_every_gate_had_passed(self):
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        decision = self.assert_verdict(PENDING)
        self.assertTrue(decision.interrupted)

    def test_what_an_interruption_left_out_says_so(self):
        del self.run_.children["leaf"]
        self.crash("truth", "signal 15")
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        decision = self.assert_verdict(PENDING, gate="leaf", reason="interrupted")
        self.assert_verdict(PENDING, decision, "truth", "interrupted (signal 15)")

    def test_an_interruption_does_not_hide_a_failure(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        self.assert_verdict(FAIL, gate="truth", reason="1 of 2 assertions failed")


if __name__ == "__main__":
    unittest.main()
