"""report.html: its structure, that nothing of a record becomes markup, and that it refers to nothing outside itself."""

import json
import subprocess
import sys
import unittest
from html.parser import HTMLParser

from run_folder import REPORTS, Child, RunTest, planned_gate

from seamgate_report.decision import decide_folder
from seamgate_report.page import document
from seamgate_report.page.markup import element, escaped

VOID = {"meta", "input"}
EVIL = "rmsnorm/torch/f32/<script>alert('x')</script>&\"/s9"
QUESTIONS = ["DID IT RUN?", "DOES IT TRAIN?", "IS IT RIGHT?", "CAN IT BE OFF?", "COULD THESE GATES FAIL?"]


class Page(HTMLParser):
    """What a page holds: elements with attributes and text, and whether every one was closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.faults = [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"{item['tag']} is never closed" for item in self.open]

    def handle_starttag(self, name, attributes):
        item = {"tag": name, "text": "", "within": [other["tag"] for other in self.open], **dict(attributes)}
        self.elements.append(item)
        if name not in VOID:
            self.open.append(item)

    def handle_endtag(self, name):
        if not self.open or self.open[-1]["tag"] != name:
            self.faults.append(f"</{name}> closes {self.open[-1]['tag'] if self.open else 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for item in self.open:
            item["text"] += data

    def all(self, name, /, **attributes):
        return [item for item in self.elements if item["tag"] == name
                and all(item.get(key.rstrip("_")) == value for key, value in attributes.items())]

    def cells(self, table):
        """The texts of a table's lines."""
        start = next(index for index, item in enumerate(self.elements) if item.get("id") == table)
        rows = []
        for item in self.elements[start + 1:]:
            if "table" not in item["within"]:
                break
            if item["tag"] == "tr":
                rows.append([])
            elif item["tag"] in ("td", "th"):
                rows[-1].append(item["text"])
        return rows


class Pages(RunTest):
    def page(self, decision=None):
        self.text = document(decision or self.decide(), 48.04)
        return Page(self.text)

    def fail_truth(self, **fields):
        self.run_.children["truth"] = Child("truth").case(1, tensor_path_error=1.4e-7).case(
            2, "dw", 4.1e-5, **{"tensor_path_error": 6e-7, "moved": "you", "got": "3.125", "want": "3.0481",
                                "place": "col 127", "how_many": 3, **fields}).end()


class Structure(Pages):
    def test_every_element_is_closed_and_every_id_is_there_once(self):
        self.fail_truth()
        page = self.page()
        self.assertEqual(page.faults, [])
        ids = [item["id"] for item in page.elements if "id" in item]
        self.assertEqual(sorted(ids), sorted(set(ids)))
        for link in page.all("a"):
            self.assertIn(link["href"][1:], ids)

    def test_the_verdict_and_then_the_five_questions_in_order_come_first(self):
        page = self.page()
        heads = [item["text"] for item in page.elements if item["tag"] in ("h1", "h2")]
        self.assertEqual(heads[:6], ["VERDICT: PASS"] + [f"{title} PASS" for title in QUESTIONS])
        self.assertIn("0 gates failed, 5 passed, 0 did not run; exit 0", self.text)

    def test_a_failing_gate_shows_what_the_screen_shows_and_how_to_repeat_it(self):
        self.fail_truth(message="looks like: dw accumulated in bf16 (D01)")
        page = self.page()
        failed = page.all("article", class_="failed")
        self.assertEqual(len(failed), 1)
        for part in ("truth (rmsnorm cpu) FAIL", "1 of 2 assertions failed", "error 4.1e-05, bar 1e-06 (41.0 x the bar)",
                     "got 3.125, want 3.0481 at col 127; 3 elements over", "looks like: dw accumulated in bf16 (D01)",
                     "replay: seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s2"):
            self.assertIn(part, failed[0]["text"])
        self.assertIn("replay: seamgate replay", page.all("header")[0]["text"])

    def test_what_is_pending_shows_the_command_that_discharges_it(self):
        del self.run_.children["leaf"]
        head = self.page().all("header")[0]["text"]
        self.assertIn("discharge: ci/gate --require cpu --tier smoke", head)
        self.assertIn("planned, left no record (required): leaf", self.text)

    def test_many_failures_are_counted_and_not_all_shown(self):
        child = Child("truth")
        for seed in range(30):
            child.case(seed, error=1.0)
        self.run_.gate("truth")["planned_cases"] = None
        self.run_.children["truth"] = child.end()
        page = self.page()
        self.assertEqual(len(page.all("article")[0]["text"].split("error 1, bar")) - 1, 20)
        self.assertEqual(page.all("summary")[0]["text"], "15 more")
        self.assertIn("Another 10 are in the records.", self.text)

    def test_broken_and_interrupted_runs_say_why(self):
        self.run_.children["extra"] = Child("extra").check().end()
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        head = self.page().all("header")[0]["text"]
        self.assertIn("VERDICT: BROKEN", head)
        self.assertIn("INTERRUPTED", head)
        self.assertIn("gate 'extra/rmsnorm/cpu' was not planned", head)

    def test_a_run_that_left_nothing_has_a_page(self):
        self.run_.children.clear()
        self.run_.plan.update(gates=[], rows=[], mutants=[], provenance={})
        self.assertEqual(self.page().faults, [])


class Tables(Pages):
    def test_every_gate_fault_and_fact_appears(self):
        page = self.page()
        rows = page.cells("gates")
        self.assertEqual([row[0] for row in rows], ["gate", "counters", "leaf", "truth", "kill_switch", "mutants"])
        self.assertEqual(rows[3][1:9], ["rmsnorm", "cpu", "PASS", "yes", "2", "0", "0.25", "0.10"])
        self.assertEqual(rows[3][9], "dx in rmsnorm/torch/f32/64x4096/eps-dominated/s1")
        self.assertEqual(page.cells("faults")[1][:5], ["eps dropped", "rmsnorm", "caught", "truth", "4.0e+05 x the bar"])
        self.assertIn(["commit", "74e4202"], page.cells("facts"))

    def test_what_does_not_apply_is_listed_with_its_reason(self):
        self.run_.plan["gates"].append(planned_gate("streams", "right", applies=False, reason="the emulator has no streams"))
        row = next(row for row in self.page().cells("gates") if row[0] == "streams")
        self.assertEqual((row[3], row[-1]), ("NOT APPLICABLE", "the emulator has no streams"))


class Nothing(Pages):
    """Nothing of a record becomes markup, and nothing outside the page is asked for."""

    def test_text_of_a_record_stays_text_wherever_it_goes(self):
        self.fail_truth(message="<img src=x onerror=alert(1)>", got="<em>", place="<i>", moved="<u>")
        self.run_.children["truth"].lines[2]["case"] = EVIL
        self.run_.plan["provenance"]["machine"] = "<script src=http://evil.example/x.js></script>"
        self.run_.plan["rows"][0]["title"] = "<h1>a row</h1>"
        self.run_.plan["mutants"][0].update(title="<svg onload=alert(1)>", defect='" onclick="alert(1)')
        self.run_.gate("leaf")["title"] = "<style>*{display:none}</style>"
        page = self.page()
        self.assertEqual(page.faults, [])
        names = {item["tag"] for item in page.elements}
        self.assertFalse(names & {"img", "em", "i", "u"}, names)
        self.assertEqual([len(page.all(name)) for name in ("script", "style", "h1")], [1, 1, 1])
        self.assertFalse([item for item in page.elements if any(key.startswith("on") for key in item)])
        self.assertIn(EVIL, page.all("article")[0]["text"])
        self.assertTrue(any(EVIL in item["text"] for item in page.all("title") if "circle" in item["within"]))

    def test_names_of_gates_ops_backends_and_tensors_stay_text(self):
        name = '"><script>1</script>'
        self.run_.plan["gates"].append({**planned_gate(name, "right", name), "op": name})
        self.run_.children["evil"] = child = Child(name, name)
        child.names["op"] = child.lines[0]["op"] = name
        child.case(1, tensor=name, error=1.0, tensor_path_error=1.0).end()
        page = self.page()
        self.assertEqual((page.faults, len(page.all("script"))), ([], 1))
        self.assertIn(name, [row[0] for row in page.cells("gates")])

    def test_odd_bytes_are_replaced(self):
        self.assertEqual(escaped("a\x00\x1b\ud800b\n"), "a???b\n")
        self.fail_truth(message="odd \x00\x1b \ud800")
        self.page()
        self.text.encode("utf-8")

    def test_an_attribute_cannot_be_left(self):
        self.assertEqual(element("td", "<", title='"\'>'), "<td title=\"&quot;&#x27;&gt;\">&lt;</td>")

    def test_it_refers_to_nothing_outside_itself(self):
        page = self.page()
        for item in page.elements:
            self.assertFalse(set(item) & {"src", "srcset", "action", "data", "poster", "style"}, item)
            self.assertTrue(item.get("href", "#").startswith("#"), item)
            self.assertNotIn(item["tag"], ("link", "iframe", "object", "embed", "base", "img", "image", "use"))
        style = page.all("style")[0]["text"]
        for word in ("url(", "@import", "http:", "https:", "//"):
            self.assertNotIn(word, style)
        for word in ("fetch", "XMLHttpRequest", "import", "innerHTML", "eval", "http"):
            self.assertNotIn(word, page.all("script")[0]["text"])

    def test_its_policy_allows_its_own_script_and_style_alone(self):
        policy = next(item["content"] for item in self.page().all("meta") if "http-equiv" in item)
        self.assertTrue(policy.startswith("default-src 'none';"), policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(policy.count("sha256-"), 2)

    def test_both_themes_a_phone_and_paper_are_provided_for(self):
        page = self.page()
        style = page.all("style")[0]["text"]
        for part in ("@media (prefers-color-scheme: dark)", "color-scheme: light dark", "@media print",
                     "@media (max-width: 40rem)"):
            self.assertIn(part, style)
        self.assertEqual(page.all("meta", name="viewport")[0]["content"], "width=device-width, initial-scale=1")


class WithoutABrowser(unittest.TestCase):
    def test_the_test_in_a_browser_says_not_run_and_77(self):
        script = REPORTS / "tests" / "browser" / "test_report_in_browser.py"
        result = subprocess.run([sys.executable, "-B", str(script)], env={"PATH": "/nonexistent"}, capture_output=True, text=True,
                                check=False)
        self.assertEqual((result.returncode, result.stdout[:19]), (77, "NOT RUN: no browser"), result.stderr)


class TheEvidence(unittest.TestCase):
    def test_every_recorded_run_has_a_page_that_names_its_failing_gates(self):
        for folder in sorted(path.parent for path in (REPORTS / "tests" / "evidence").glob("*/expected.json")):
            with self.subTest(folder.name):
                expected = json.loads((folder / "expected.json").read_text())
                page = Page(document(decide_folder(folder)))
                self.assertEqual(page.faults, [])
                self.assertEqual(page.all("h1")[0]["text"], f"VERDICT: {expected['verdict']}")
                named = [item["text"] for item in page.all("h3")]
                self.assertEqual(named, ["{} ({} {}) FAIL".format(*key.split("/")) for key in expected["failed"]])


if __name__ == "__main__":
    unittest.main()
