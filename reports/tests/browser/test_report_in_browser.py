"""report.html in a real browser: what a reader finds after loading, in both themes, on a phone, and without JavaScript.

Exits 77 where there is no Chromium or Chrome (CTest then says Skipped): what did not run has not passed.
"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
for folder in (TESTS, TESTS.parent):
    sys.path.insert(0, str(folder))

import browser  # noqa: E402
from test_html import QUESTIONS, Page  # noqa: E402

from seamgate_report.decision import decide_folder  # noqa: E402
from seamgate_report.page import document  # noqa: E402

NOT_RUN_EXIT = 77
FAILING, PASSING = TESTS / "evidence" / "gpu_fail", TESTS / "evidence" / "gpu_pass"
PHONE = (390, 844)


def without_policy(text):
    """The page without its content security policy, so that a test can put a script into it."""
    start = text.index("<meta http-equiv")
    return text[:start] + text[text.index(">", start) + 1:]


class InBrowser(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.browser = browser.Browser(browser.find(), self.folder)

    def write(self, text):
        path = self.folder / "report.html"
        path.write_text(text, encoding="utf-8")
        return path

    def report(self, run=FAILING):
        return self.write(document(decide_folder(run), 48.04))

    def load(self, path, *options, **size):
        dom, console = self.browser.dom(path, *options, **size)
        return Page(dom), console

    def ask(self, script, *options, **size):
        """What `script`, an expression, gives at the end of a copy of the page from which the policy was taken."""
        text = without_policy(document(decide_folder(FAILING), 48.04))
        probe = ("<pre id=probe></pre><script>document.getElementById('probe').textContent = JSON.stringify((() => {" + script
                 + "})())</script></body>")
        page, console = self.load(self.write(text.replace("</body>", probe)), *options, **size)
        self.assertEqual(console, [])
        return json.loads(page.all("pre", id="probe")[0]["text"])


class Loaded(InBrowser):
    def test_the_verdict_and_the_five_questions_come_in_order_and_the_console_is_silent(self):
        page, console = self.load(self.report())
        heads = [item["text"] for item in page.elements if item["tag"] in ("h1", "h2")]
        verdicts = ["PASS", "PASS", "FAIL", "PASS", "NOT RUN"]
        self.assertEqual(heads[:6], ["VERDICT: FAIL"] + [f"{title} {told}" for title, told in zip(QUESTIONS, verdicts)])
        self.assertEqual(console, [])

    def test_the_failing_gate_is_named_with_its_figures_and_the_line_that_repeats_it(self):
        page, _ = self.load(self.report())
        failed = page.all("article", class_="failed")
        self.assertEqual(len(failed), 1)
        for part in ("truth (rmsnorm cuda) FAIL", "error 4.1e-05, bar 1e-06 (41.0 x the bar)", "got 3.125, want 3.0481 at col 127",
                     "replay: seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s1 --backend cuda"):
            self.assertIn(part, failed[0]["text"])
        page, _ = self.load(self.report(PASSING))
        self.assertEqual(page.all("article", class_="failed"), [])

    def test_the_scatter_has_one_point_for_each_record_of_both_arms(self):
        lines = [json.loads(line) for line in (FAILING / "records" / "truth.jsonl").read_text().splitlines()]
        both = [line for line in lines if line.get("tensor_path_error") is not None]
        counted = self.ask("return [document.querySelectorAll('svg.scatter circle').length, "
                           "document.querySelectorAll('svg.scatter circle.over').length]")
        self.assertEqual(counted, [len(both), 1])

    def test_the_matrix_and_the_table_of_gates_hold_every_row_and_gate(self):
        plan = json.loads((FAILING / "plan.json").read_text())
        page, _ = self.load(self.report())
        self.assertEqual([row[0] for row in page.cells("matrix")[1:]], [row["id"] for row in plan["rows"]])
        self.assertEqual([row[0] for row in page.cells("gates")[1:]], [gate["id"] for gate in plan["gates"]] + ["mutants"])

    def test_without_javascript_it_says_the_same(self):
        path = self.report()
        with_scripts, _ = self.load(path)
        text = path.read_text()
        start = text.index("; script-src ")
        without, console = self.load(self.write(text[:start] + "; script-src 'none" + text[text.index("=", start) + 1:]))
        self.assertEqual(len(console), 1, "the script should have been refused")
        self.assertEqual(*([item["text"] for item in page.all("main")] for page in (with_scripts, without)))
        self.assertIn("hidden", without.all("p", class_="filter")[0])
        self.assertNotIn("hidden", with_scripts.all("p", class_="filter")[0])


class TheConsole(InBrowser):
    def test_is_heard_when_a_script_fails_so_that_its_silence_says_something(self):
        path = self.report()
        self.write(without_policy(path.read_text()).replace('"use strict";', '"use strict"; throw new Error("planted");'))
        self.assertIn("planted", "\n".join(self.load(path)[1]))

    def test_a_script_that_is_not_the_page_s_own_does_not_run(self):
        path = self.report()
        self.write(path.read_text().replace("</body>", "<script>document.title = 'taken over'</script></body>"))
        page, console = self.load(path)
        self.assertNotEqual(page.all("title")[0]["text"], "taken over")
        self.assertIn("Content Security Policy", "\n".join(console))


class Comfort(InBrowser):
    def test_a_heading_sorts_its_table_by_number_up_and_then_down(self):
        order = ("const column = 8; const head = document.querySelectorAll('#gates thead th')[column]; const rows = () => "
                 "[...document.querySelectorAll('#gates tbody tr')].map((row) => row.cells[column].textContent); ")
        up, down = self.ask(order + "head.click(); const up = rows(); head.click(); return [up, rows()]")
        self.assertEqual(up, ["-", "-", "-", "-", "41.0"])
        self.assertEqual(down, up[::-1])

    def test_the_box_filters_the_gates(self):
        shown = self.ask("const box = document.querySelector('input'); box.value = 'cuda FAIL'; box.dispatchEvent(new Event('input')); "
                         "return [...document.querySelectorAll('#gates tbody tr')].filter((row) => !row.hidden)"
                         ".map((row) => row.cells[0].textContent)")
        self.assertEqual(shown, ["truth"])

    def test_a_point_tells_its_case(self):
        told = self.ask("document.querySelector('svg.scatter circle.over').dispatchEvent(new Event('click', {bubbles: true})); "
                        "return document.getElementById('picked').textContent")
        self.assertTrue(told.startswith("dw in rmsnorm/torch/f32/64x4096/eps-dominated/s1\n"), told)

    def test_the_key_hides_the_points_of_a_tensor(self):
        shown = self.ask("document.querySelector('.key li').click(); return [...document.querySelectorAll('svg.scatter g')]"
                         ".map((group) => getComputedStyle(group).display)")
        self.assertEqual(shown, ["none", "inline", "inline"])


class Looks(InBrowser):
    COLOURS = ("const style = (what) => getComputedStyle(document.querySelector(what)); "
               "const light = (text) => text.match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765; "
               "return [light(style('body').backgroundColor), light(style('body').color), "
               "['.badge.v-pass', '.badge.v-fail', '.badge.v-not-run', '.badge.v-no-gate-yet'].map((what) => style(what).color)]")

    def test_it_is_light_or_dark_as_the_reader_s_system_is_and_verdicts_differ_in_colour(self):
        for option, dark in ((browser.LIGHT, False), (browser.DARK, True)):
            with self.subTest(dark=dark):
                paper, ink, badges = self.ask(self.COLOURS, option)
                self.assertEqual((paper < 0.2, paper > 0.9), (dark, not dark))
                self.assertGreater(abs(paper - ink), 0.6)
                self.assertEqual(len(set(badges)), 4)

    def test_on_a_phone_nothing_but_a_table_scrolls_sideways(self):
        width, window, worst = self.ask(
            "const inside = (item) => item.closest('.scroll, svg'); const room = document.documentElement.clientWidth; "
            "return [document.documentElement.scrollWidth, room, [...document.querySelectorAll('main *')].filter((item) => "
            "!inside(item) && item.getBoundingClientRect().right > room + 1).map((item) => item.outerHTML.slice(0, 80))]", size=PHONE)
        self.assertLess(window, 520)
        self.assertEqual((width, worst), (window, []))

    def test_a_picture_of_it_can_be_taken(self):
        drawn = self.browser.picture(self.report())
        self.assertEqual(drawn[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(len(drawn), 20000)


if __name__ == "__main__":
    if browser.find() is None:
        print(f"NOT RUN: no browser ({', '.join(browser.NAMES)}); on Debian: apt-get install chromium")
        sys.exit(NOT_RUN_EXIT)
    unittest.main()
