"""Quoted figures: equal to the record at the printed precision, or found."""

import copy
import json
import unittest

from account_tree import Repository

RECORD = {"benchmark": "truth", "machine": {"cpu": "some CPU", "cores": 2, "compiler": "g++ 12", "load_1min": 0.1}, "commit": "abc",
          "date": "2025-01-02 03:04 UTC", "figures": [{"name": "rate", "value": 20148000.0, "unit": "elements/s"},
                                                      {"name": "time", "value": 13.0123, "unit": "ms"}]}
FILE = "benchmarks/records/truth.json"


def tied(text, name, file=FILE):
    return f"{text}<!-- figure: {file}#{name} -->"


class Figures(Repository):
    def setUp(self):
        super().setUp()
        self.write(FILE, json.dumps(RECORD))

    def findings_of(self, text, file="README.md"):
        self.write(file, text + "\n")
        return self.found("figures")

    def assert_found(self, text, what, part, file="README.md"):
        findings = self.findings_of(text, file)
        self.assertEqual(len(findings), 1, findings)
        self.assertEqual(findings[0][1], what)
        self.assertIn(part, findings[0][2])

    def test_a_figure_that_equals_its_record_at_the_printed_precision_passes(self):
        for text in (tied("20.1 M elements/s", "rate"), tied("20 M elements/s", "rate"), tied("20,148,000 elements/s", "rate"),
                     tied("13.01 ms", "time"), tied("13 ms", "time"), tied("13,012 us", "time"), tied("0.013 s", "time"),
                     "takes 13\nms " + tied("", "time").strip()):
            with self.subTest(text):
                self.assertEqual(self.findings_of(text), [])

    def test_a_figure_that_the_record_contradicts_is_found(self):
        for text, name in (("20.2 M elements/s", "rate"), ("21 M elements/s", "rate"), ("13.1 ms", "time"), ("12 ms", "time"),
                           ("13.01 s", "time"), ("13 MiB", "time")):
            with self.subTest(text):
                self.assert_found(tied(text, name), f"`{text}`", text)

    def test_a_record_that_moves_makes_the_document_wrong(self):
        self.assertEqual(self.findings_of(tied("13.01 ms", "time")), [])
        record = copy.deepcopy(RECORD)
        record["figures"][1]["value"] = 15.2
        self.write(FILE, json.dumps(record))
        self.assert_found(tied("13.01 ms", "time"), "`13.01 ms`", "13.01 ms")

    def test_a_figure_without_a_record_is_found_in_prose_tables_and_blocks(self):
        for text in ("It takes 48 s.", "| forward | 7.3 ms |", "```\n3.1 TB/s\n```", "needs 700 MiB", "3,114 cases in 118 s", "2 minutes",
                     "4 M elements/s"):
            with self.subTest(text):
                self.assertIn("tied to no record", str(self.findings_of(text)))

    def test_a_recorded_screen_and_numbers_without_a_unit_are_left_alone(self):
        self.assertEqual(self.findings_of("```screen\n2,114 cases | 48 s\n```\n\n1e-6 of S, 65537x128, 3,000 cases, 16 bit, step 3 so"), [])

    def test_after_a_screen_the_rest_is_looked_at_again(self):
        self.assert_found("```screen\n48 s\n```\n\n49 s", "`49 s`", "tied to no record")

    def test_a_tie_to_what_is_not_there_is_found(self):
        self.assert_found(tied("13 ms", "time", "benchmarks/records/truht.json"), "`13 ms`", "nearest is benchmarks/records/truth.json")
        self.assert_found(tied("13 ms", "tyme"), "`13 ms`", "nearest is time")
        self.assert_found(tied("fast", "time"), "a tie to a record", "no number")

    def test_a_record_without_the_facts_of_its_machine_ties_nothing(self):
        for key in ("cpu", "cores", "compiler", "load_1min"):
            record = copy.deepcopy(RECORD)
            del record["machine"][key]
            self.write(FILE, json.dumps(record))
            self.assert_found(tied("13 ms", "time"), "`13 ms`", f"machine.{key}")
        for key in ("machine", "commit", "date", "figures"):
            record = copy.deepcopy(RECORD)
            del record[key]
            self.write(FILE, json.dumps(record))
            self.assert_found(tied("13 ms", "time"), "`13 ms`", key)

    def test_a_record_whose_values_are_no_measurements_ties_nothing(self):
        for value in (0, -1, "13", None, float("inf"), True):
            record = copy.deepcopy(RECORD)
            record["figures"][1]["value"] = value
            self.write(FILE, json.dumps(record))
            self.assertEqual(len(self.findings_of(tied("13 ms", "time"))), 1, value)

    def test_a_limit_must_stand_in_the_file_that_it_names(self):
        self.write("gates/limit.hpp", "int timeout_s = 120;\n")
        self.assertEqual(self.findings_of("within 120 s<!-- limit: gates/limit.hpp -->"), [])
        self.assert_found("within 90 s<!-- limit: gates/limit.hpp -->", "`90 s`", "does not stand in gates/limit.hpp")
        self.assert_found("within 90 s<!-- limit: gates/limits.hpp -->", "`90 s`", "nearest is gates/limit.hpp")

    def test_a_claim_of_speed_in_a_comment_is_held_against_a_record_too(self):
        file = "kernels/fast.hpp"
        self.assert_found("// A switch takes 7 ns.", "`7 ns`", "tied to no record", file)
        self.assert_found(f"// A call takes 14 ms [figure: {FILE}#time].", "`14 ms`", "14 ms", file)
        self.assertEqual(self.findings_of(f"// A call takes 13 ms [figure: {FILE}#time]; a stack of 64 KiB, after 60 s", file), [])


if __name__ == "__main__":
    unittest.main()
