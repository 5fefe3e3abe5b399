"""The build matrix: the table against the targets of a configuration, and one that is really configured."""

import copy
import json
import unittest

from account_tree import LISTING, Repository
from seamgate_account import builds
from seamgate_account.finding import Account
from seamgate_account.tree import Tree

TABLE = {"tests": ["checker_test", "norm_test"], "programs": ["seamgate"], "libraries": ["core", "cuda_agreement"],
         "left_out": {"cuda": {"reason": "no CUDA", "names": ["*_cuda", "cuda_agreement"]},
                      "checked": {"reason": "symbols", "names": ["*_checked", "checker_test"]}},
         "presets": {"cpu": ["cuda"], "asan": ["cuda", "checked"]}}
CPU = ["checker_test", "norm_test", "seamgate", "core", "traits_norm", "subject_norm_shipped", "subject_norm_eps_dropped",
       "norm_shipped_plain", "norm_shipped_checked", "norm_eps_dropped_plain", "norm_eps_dropped_checked"]
ASAN = [name for name in CPU if not name.endswith("_checked") and name != "checker_test"]
# Targets of the same names without a compiler, so that a configuration takes no time.
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(played LANGUAGES NONE)
enable_testing()
foreach(name {names})
  add_custom_target(${{name}})
  add_test(NAME unit.${{name}} COMMAND true)
endforeach()
"""


class Compared(Repository):
    def setUp(self):
        super().setUp()
        self.write(builds.TABLE, json.dumps(TABLE))

    def compare(self, preset, targets, table=None, tests=("unit.checker_test", "unit.norm_test")):
        self.write(builds.TABLE, json.dumps(table or TABLE))
        account = Account()
        builds.compare(account, builds.Table(Tree(self.root)), LISTING, preset, dict.fromkeys(targets, "EXECUTABLE"), set(tests))
        return account, [(finding.where, finding.what, finding.got) for finding in account.findings]

    def test_targets_that_equal_the_table_are_no_findings_and_what_is_left_out_is_listed_by_name(self):
        self.assertEqual(self.compare("cpu", CPU)[1], [])
        account, findings = self.compare("asan", ASAN)
        self.assertEqual(findings, [])
        self.assertEqual(account.listed["asan"]["left out"]["checked (symbols)"],
                         ["checker_test", "norm_eps_dropped_checked", "norm_shipped_checked"])

    def test_a_target_that_vanished_is_found(self):
        for name in CPU:
            if name not in ("norm_eps_dropped_plain",):  # then the fault has no kernels of its own, and its other build is the finding
                with self.subTest(name):
                    found = self.compare("cpu", [target for target in CPU if target != name])[1]
                    self.assertEqual(found, [("cpu", f"target `{name}`", "not there, and not in the list of what is left out")])

    def test_a_fault_that_lost_one_of_its_builds_is_found(self):
        found = self.compare("cpu", [target for target in CPU if target != "norm_eps_dropped_plain"])[1]
        self.assertEqual(found, [("cpu", "target `norm_eps_dropped_checked`", "an op's, of no implementation that is listed")])

    def test_a_target_that_appeared_is_found(self):
        self.assertEqual(self.compare("cpu", [*CPU, "new_test"])[1], [("cpu", "target `new_test`", "there, and not in the table")])
        self.assertEqual(self.compare("cpu", [*CPU, "subject_norm_unlisted"])[1][0][1], "target `subject_norm_unlisted`")

    def test_a_target_that_should_be_left_out_and_is_there_is_found(self):
        for name in ("checker_test", "norm_shipped_checked"):
            found = self.compare("asan", [*ASAN, name])[1]
            self.assertEqual(found, [("asan", f"target `{name}`", "there")])

    def test_a_line_that_leaves_out_nothing_is_found(self):
        table = copy.deepcopy(TABLE)
        table["left_out"]["checked"]["names"].append("gone_*")
        self.assertEqual(self.compare("asan", ASAN, table)[1], [("asan", "left out `gone_*`", "stands for nothing")])

    def test_a_test_binary_that_no_test_runs_is_found(self):
        found = self.compare("cpu", CPU, tests=["unit.norm_test"])[1]
        self.assertEqual(found, [("cpu", "test binary `checker_test`", "CTest runs it nowhere")])


class Configured(Repository):
    def setUp(self):
        super().setUp()
        names = ["norm_test", "seamgate", "core"]
        presets = {"version": 6, "configurePresets": [{"name": "cpu", "generator": "Ninja"}]}
        self.write("CMakePresets.json", json.dumps(presets))
        self.write("CMakeLists.txt", CMAKE.format(names=" ".join(names)))
        self.write(builds.TABLE, json.dumps(TABLE | {"presets": {"cpu": []}}))

    def test_a_configuration_gives_its_tests_and_no_custom_targets(self):
        targets, tests = builds.configure(self.root, "cpu", self.build / "scratch", None)
        self.assertEqual(targets, {})
        self.assertEqual(tests, {"unit.norm_test", "unit.seamgate", "unit.core"})

    def test_a_configuration_that_fails_is_a_finding_with_its_error(self):
        self.write("CMakeLists.txt", 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\nmessage(FATAL_ERROR "no such library")\n')
        found = self.found("builds")
        self.assertEqual([finding[:2] for finding in found], [("cpu", "configuration")])
        self.assertIn("no such library", found[0][2])

    def test_a_preset_that_the_table_does_not_know_is_found(self):
        self.write(builds.TABLE, json.dumps(TABLE))
        self.assertIn((builds.TABLE, "presets", "asan cpu"), self.found("builds"))

    def test_an_unknown_preset_is_refused(self):
        ended = self.call("builds", "--source", self.root, "--program", self.program, "--preset", "fast")
        self.assertEqual(ended.returncode, 64)
        self.assertIn("--preset is 'fast'; allowed: cpu", ended.stderr)

    def test_cuda_without_nvcc_is_listed_as_not_configured(self):
        presets = {"version": 6, "configurePresets": [{"name": "cuda", "generator": "Ninja"}]}
        self.write("CMakePresets.json", json.dumps(presets))
        self.write(builds.TABLE, json.dumps(TABLE | {"presets": {"cuda": []}}))
        result = self.account("builds", CUDACXX="no-such-nvcc")
        self.assertEqual((result["findings"], result["looked_at"]), ([], {}))
        self.assertIn("NOT CONFIGURED", result["listed"]["cuda"])


if __name__ == "__main__":
    unittest.main()
