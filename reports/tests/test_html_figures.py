"""The figures of report.html: the matrix of requirements, the errors over their bars, the three-way scatter."""

import math
import random
import unittest

from run_folder import Child, RunTest, planned_gate
from test_html import Page

from seamgate_report.outcome import FAIL, NO_GATE, NOT_APPLICABLE, NOT_RUN, PASS
from seamgate_report.page import document
from seamgate_report.page.matrix import NOT_PLANNED
from seamgate_report.page.scale import LogScale
from seamgate_report.page.scatter import MAX_POINTS, Point, thinned
from seamgate_report.quantity import short

SHOWN = {NOT_APPLICABLE: "n/a"}


class Drawn(RunTest):
    def page(self):
        self.text = document(self.decide(), 48.04)
        return Page(self.text)

    def circles(self, page, figure):
        """The points of the svg of class `figure`."""
        inside, found = None, []
        for item in page.elements:
            if item["tag"] == "svg":
                inside = item.get("class")
            if item["tag"] == "circle" and inside == figure:
                found.append(item)
        return found


class Matrix(Drawn):
    def matrix(self):
        rows = self.page().cells("matrix")
        return rows[0][2:], {row[0]: row[2:] for row in rows[1:]}

    def test_every_row_is_there_with_its_verdict_in_every_column(self):
        self.run_.plan["gates"].append(planned_gate("truth", "right", "cuda", ["A1", "A11"]))
        head, rows = self.matrix()
        self.assertEqual(head, ["whole", "rmsnorm cpu", "rmsnorm cuda"])
        self.assertEqual(rows, {"A1": [NOT_RUN, PASS, NOT_RUN], "A5": [PASS, PASS, NOT_PLANNED],
                                "A7": [PASS, PASS, NOT_PLANNED], "A9": [PASS, PASS, NOT_PLANNED],
                                "A11": [NOT_RUN, PASS, NOT_RUN], "B25": [NO_GATE, NO_GATE, NO_GATE]})

    def test_one_failing_gate_of_several_fails_its_cell_and_the_title_names_both(self):
        self.run_.plan["rows"][1]["gates"].append("truth")
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        page = self.page()
        titles = [item["title"] for item in page.all("td", class_="cell") if item["title"].startswith("A5 on")]
        self.assertEqual(titles, ["A5 on rmsnorm cpu: leaf: PASS; truth: FAIL (1 of 2 assertions failed)"])
        self.assertEqual({row[0]: row[3] for row in page.cells("matrix")[1:]}["A5"], FAIL)

    def test_a_gate_that_was_not_selected_keeps_a_cell_from_passing(self):
        self.run_.plan["rows"][1]["gates"].append("leaf_by_graph")
        self.assertEqual(self.matrix()[1]["A5"], [NOT_RUN, NOT_RUN])
        self.assertIn("leaf_by_graph: not selected", self.text)

    def test_what_does_not_apply_is_no_pass(self):
        self.run_.gate("leaf").update(applies=False, reason="no tape")
        del self.run_.children["leaf"]
        self.assertEqual(self.matrix()[1]["A5"], [NOT_RUN, SHOWN[NOT_APPLICABLE]])
        self.assertIn("NOT APPLICABLE (no tape)", self.text)


class Errors(Drawn):
    def test_every_gate_with_numbers_and_every_caught_fault_has_a_lane_with_the_bar(self):
        self.run_.plan["gates"].append(planned_gate("repeat", "right"))
        self.run_.children["repeat"] = Child("repeat").case(1, error=3e-6).end()
        page = self.page()
        lanes = [item for item in page.all("svg", class_="lane") if item["aria-label"].startswith("worst")]
        self.assertEqual([lane["aria-label"] for lane in lanes],
                         ["worst 0.10 x the bar", "worst 3.00 x the bar", "worst 4.0e+05 x the bar"])
        bars = {item["x1"] for item in page.all("line", class_="bar") if item["x1"].endswith("%")}
        self.assertEqual(len(bars), 1)
        bar = float(bars.pop()[:-1])
        right, wrong, fault = (float(item["cx"][:-1]) for item in self.circles(page, "lane") if "worst" in item.get("class", ""))
        self.assertLess(right, bar)
        self.assertLess(bar, wrong)
        self.assertLess(wrong, fault)
        self.assertIn("worst over", {item.get("class") for item in self.circles(page, "lane")})

    def test_what_is_not_finite_stands_at_the_right_end(self):
        self.run_.children["truth"] = Child("truth").case(1).case(2, error=None).end()
        worst = [item for item in self.circles(self.page(), "lane") if "worst" in item.get("class", "")]
        self.assertEqual((worst[0]["cx"], worst[0]["class"]), ("98.00%", "worst over"))


class Scatter(Drawn):
    def test_there_is_one_point_for_each_record_that_measured_both_arms(self):
        self.run_.children["truth"] = Child("truth").case(2, "dw").case(1, "y", tensor_path_error=1e-7).case(
            1, "dx", 2e-6, tensor_path_error=1e-7).case(2, "dx", tensor_path_error=0.0).end()
        page = self.page()
        points = self.circles(page, "scatter")
        self.assertEqual(len(points), 3)
        self.assertEqual([item["data-tensor"] for item in page.all("g")], ["y", "dx"])
        self.assertEqual([item["text"].strip() for item in page.all("li") if "data-tensor" in item], ["y (1)", "dx (2)"])
        self.assertEqual([item.get("class") for item in points], [None, "over", None])
        self.assertIn("dx in rmsnorm/torch/f32/64x4096/eps-dominated/s1\ntruth (rmsnorm cpu): you 2.00, tensor path 0.10",
                      points[1]["text"])
        self.assertIn("3 of 4 numeric records", self.text)

    def test_the_diagonal_and_both_bars_are_drawn_and_a_point_on_the_diagonal_lies_on_it(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1e-7, tensor_path_error=1e-7).case(2).end()
        page = self.page()
        diagonal = page.all("line", class_="diagonal")[0]
        bars = [item for item in page.all("line", class_="bar") if not item["x1"].endswith("%")]
        self.assertEqual(len(bars), 2)
        x1, y1, x2, y2 = (float(diagonal[name]) for name in ("x1", "y1", "x2", "y2"))
        point = self.circles(page, "scatter")[0]
        x, y = float(point["cx"]), float(point["cy"])
        self.assertAlmostEqual((y - y1) * (x2 - x1), (x - x1) * (y2 - y1), delta=0.2 * (x2 - x1))
        crossing = [float(item["x1"]) for item in bars if item["x1"] == item["x2"]]
        self.assertEqual(len(crossing), 1)
        self.assertLess(x, crossing[0])

    def test_without_records_of_both_arms_it_says_so(self):
        self.run_.children["truth"] = Child("truth").case(1).case(2).end()
        page = self.page()
        self.assertEqual(page.all("svg", class_="scatter"), [])
        self.assertIn("No record measured both arms", self.text)

    def test_ten_thousand_records_are_thinned_out_to_their_worst_and_the_page_says_so_within_2_mib(self):
        chance, child = random.Random(7), Child("truth")
        worst = 0.0
        for seed in range(10000):
            error = 10 ** chance.gauss(-7.2, 0.5)
            worst = max(worst, error)
            child.add("case", case=f"rmsnorm/torch/f32/{'9' * 60}/s{seed}", tensor=chance.choice(("y", "dx", "dw")), error=error,
                      bar=1e-6, passed=error <= 1e-6, tensor_path_error=10 ** chance.gauss(-7.2, 0.5))
        self.run_.gate("truth")["planned_cases"] = None
        self.run_.children["truth"] = child.end()
        page = self.page()
        points = self.circles(page, "scatter")
        self.assertLessEqual(len(points), MAX_POINTS)
        self.assertGreater(len(points), MAX_POINTS // 4)
        self.assertIn(f"Thinned out to {len(points)} points", self.text)
        self.assertLess(len(self.text.encode("utf-8")), 2 * 2**20)
        highest = min(points, key=lambda item: float(item["cy"]))
        self.assertIn(f"you {short(worst / 1e-6)},", highest["text"])


class Thinning(unittest.TestCase):
    def test_few_points_stay_as_they_are(self):
        points = [Point("y", 0.1, 0.1, "a")] * 10
        self.assertIs(thinned(points, 10), points)

    def test_of_a_cell_the_worst_stays_and_no_tensor_hides_another(self):
        points = [Point(tensor, fused, 0.5, "") for tensor in ("y", "dx") for fused in (0.1, 0.1001, 0.1002, math.inf, 7.0)]
        kept = thinned(points, 6)
        self.assertEqual(sorted((point.tensor, point.fused) for point in kept),
                         sorted((tensor, fused) for tensor in ("y", "dx") for fused in (0.1002, 7.0, math.inf)))

    def test_the_limit_holds_whatever_comes(self):
        points = [Point(f"t{index}", 1.0 + index, 1.0, "") for index in range(50)]
        self.assertEqual({point.fused for point in thinned(points, 3)}, {50.0, 49.0, 48.0})


class Scales(unittest.TestCase):
    def test_an_axis_holds_the_bar_and_a_decade_on_both_sides(self):
        scale = LogScale.over([])
        self.assertEqual((scale.low_exponent, scale.high_exponent, scale.at(1.0)), (-1, 1, 0.5))

    def test_zero_stands_left_and_what_is_not_finite_right_of_everything(self):
        scale = LogScale.over([0.0, 0.02, 30.0, math.inf])
        self.assertEqual((scale.low_exponent, scale.high_exponent), (-2, 3))
        self.assertEqual([scale.at(value) for value in (0.0, 1e-9, math.inf, math.nan)], [0.0, 0.0, 1.0, 1.0])
        self.assertLess(scale.at(30.0), 1.0)

    def test_the_largest_numbers_have_ticks_and_the_bar_is_always_one(self):
        for values in ([1e308], [1e-320, 1.7e308, math.inf], [3.0], [1e-4, 1e12]):
            labels = [label for _, label, _ in LogScale.over(values).ticks()]
            self.assertIn("1", labels)
            self.assertLessEqual(len(labels), 10)


if __name__ == "__main__":
    unittest.main()
