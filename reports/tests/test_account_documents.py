"""Names in documents, comments and titles: each kind played once as it should be, and once as a name that is gone."""

import copy
import unittest

from account_tree import LISTING, Repository

README = "README.md"


class Documents(Repository):
    def assert_only(self, where, kind_and_name, nearest):
        findings = self.found("documents")
        self.assertEqual(len(findings), 1, findings)
        self.assertEqual(findings[0][:2], (where, kind_and_name))
        self.assertIn(nearest, findings[0][2])

    def test_a_tree_whose_names_exist_has_no_findings_and_says_what_it_looked_at(self):
        result = self.account("documents")
        self.assertEqual(result["findings"], [])
        self.assertEqual(result["looked_at"]["document"], 2)
        self.assertGreater(result["looked_at"]["path"], 0)

    def test_a_name_that_is_gone_is_found_with_its_line_and_the_nearest_one(self):
        table = {
            "Read `kernels/gone.hpp`.": ("path `kernels/gone.hpp`", "kernels/norm.hpp"),
            "Read kernels/gone.hpp.": ("path `kernels/gone.hpp`", "kernels/norm.hpp"),
            "The folder `kernel/`, `kernels/norms/`.": ("path `kernels/norms/`", "kernels/norm.hpp"),
            "[words](docs/wards.md)": ("link `docs/wards.md`", "docs/words.md"),
            "`nurm.hpp`": ("file `nurm.hpp`", "norm.hpp"),
            "`DM_NORM_FUSE=0`": ("variable `DM_NORM_FUSE`", "DM_NORM_FUSED"),
            "Set `SEAMGATE_PROGRAMME`.": ("variable `SEAMGATE_PROGRAMME`", "SEAMGATE_PROGRAM"),
            "The gate `trooth` and others.": ("gate `trooth`", "truth"),
            "Gates `truth` and `leav`.": ("gate `leav`", "leaf"),
            "`row_reduse()`": ("identifier `row_reduse()`", "row_reduce"),
            "`--no-mutant`": ("flag `--no-mutant`", "--no-mutants"),
            "`seamgate judge --tier smoke`": ("command `seamgate judge`", "nearest is "),
            "`seamgate run --teer smoke`": ("command `seamgate run`", "--tier"),
            "`ci/test --no-set-up`": ("command `ci/test`", "--no-setup"),
            "`cmake --preset cpus`": ("preset `cpus`", "cpu"),
            "the preset `tsan`": ("preset `tsan`", "asan"),
            "`ninja --target norm_tests`": ("target `norm_tests`", "norm_test"),
            "`build/cpu/bin/seemgate`": ("path `build/cpu/bin/seemgate`", "seamgate"),
            "`build/cqu/bin/seamgate`": ("path `build/cqu/bin/seamgate`", "cpu"),
            "`out/report.docx`": ("path `out/report.docx`", "report.md"),
        }
        for text, (name, nearest) in table.items():
            with self.subTest(text):
                self.write(README, "first\n\n" + text + "\n")
                self.assert_only(f"{README}:3", name, nearest)

    def test_names_that_exist_are_no_findings(self):
        for text in ("`kernels/norm.hpp`, kernels/, `norm.hpp`", "`gates/ops/NAME_traits.cpp`, `kernels/*.hpp`", "`DM_NORM_ADJOINT=tensor`",
                     "gates `truth`, `leaf` and `mutants`", "`row_reduce`, `norm::row_reduce()`", "`seamgate run --tier smoke --no-mutants`",
                     "`build/cpu/bin/seamgate replay CASE --gate GATE`", "`ci/test --preset cpu`", "`out/report.md`, `out/summary.json`",
                     "dx/dw, and/or, `norm/plain/f32/3x7/normal/s1`, https://example.org/kernels/none.hpp", "`cmake --install build/cpu`"):
            with self.subTest(text):
                self.write(README, text + "\n")
                self.assertEqual(self.found("documents"), [])

    def test_what_a_block_tells_to_type_is_looked_at_and_what_follows_a_hash_is_not(self):
        self.write(README, "```\nci/test    # all that seamgate tests\nseamgate rerun\n```\n")
        self.assert_only(f"{README}:3", "command `seamgate rerun`", "run")

    def test_a_span_over_two_lines_is_one_name(self):
        self.write(README, "say `seamgate run\n--teer smoke` twice\n")
        self.assert_only(f"{README}:1", "command `seamgate run`", "--tier")

    def test_comments_of_every_language_are_read_and_strings_are_not(self):
        for file, text in {"kernels/a.cpp": 'auto s = "kernels/none.hpp";\n/* two\n   kernels/gone.hpp */\n',
                           "kernels/a.cmake": 'set(x "kernels/none.hpp")\n\nfoo() # kernels/gone.hpp\n',
                           "kernels/a.sh": "echo 'kernels/none.hpp'\n\ntrue # kernels/gone.hpp\n",
                           "kernels/a.py": 's = "kernels/none.hpp"\n\n# kernels/gone.hpp\n',
                           "kernels/b.py": 'def f():\n    """Says.\n    kernels/gone.hpp"""\n    return "kernels/none.hpp"\n'}.items():
            with self.subTest(file):
                self.write(file, text)
                self.assert_only(f"{file}:3", "path `kernels/gone.hpp`", "kernels/norm.hpp")
                (self.root / file).unlink()

    def test_a_switch_or_flag_in_a_comment_is_looked_at_and_another_tools_flag_is_not(self):
        self.write("kernels/a.hpp", "// DM_NORM_FUZED; ctest --output-on-failure; git push --force\n")
        self.assert_only("kernels/a.hpp:1", "variable `DM_NORM_FUZED`", "DM_NORM_FUSED")
        self.write("kernels/a.hpp", "// run with --no-mutant\n")
        self.assert_only("kernels/a.hpp:1", "flag `--no-mutant`", "--no-mutants")

    def test_a_word_that_stands_only_in_comments_does_not_make_a_name_exist(self):
        self.write("kernels/a.hpp", "// old_name was here\n")
        self.write(README, "`old_name`\n")
        self.assert_only(f"{README}:1", "identifier `old_name`", "nearest is")

    def test_titles_of_gates_and_the_gate_that_a_fault_expects_are_looked_at(self):
        listing = copy.deepcopy(LISTING)
        listing["gates"][0]["title"] = "right, says the gate `lead`"
        self.answer(listing)
        self.assert_only("title of gate truth", "gate `lead`", "leaf")
        listing = copy.deepcopy(LISTING)
        listing["mutants"][0]["expected_gate"] = "eps"
        self.answer(listing)
        self.assert_only("planted fault eps_dropped", "gate `eps`", "leaf")

    def test_commands_of_workflow_files_are_looked_at(self):
        self.write("ci/nightly.yml", "steps:\n  - run: ci/tests --preset cpu\n")
        self.assert_only("ci/nightly.yml:2", "command `ci/tests`", "ci/test")


class CannotLook(Repository):
    def test_without_the_program_or_a_tree_nothing_is_said(self):
        for arguments in (("--source", self.root, "--program", self.root / "none"), ("--source", self.root / "docs", "--program", self.program)):
            ended = self.call("documents", *arguments)
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertIn("cannot_look", ended.stdout)

    def test_bad_usage_is_64(self):
        for arguments in ((), ("document",), ("figures", "--fast")):
            self.assertEqual(self.call(*arguments).returncode, 64)


if __name__ == "__main__":
    unittest.main()
