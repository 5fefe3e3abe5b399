"""What the planted faults look like, as `seamgate replay` says it."""

import unittest

from program import FAIL, Program, call

# Planted fault, a case, and what has to be told of which tensor.
TABLE = {
    "projection_deleted": ("rmsnorm/torch/f32/5x40/normal/s1", "dx", "the projection term, xhat * mean(g * xhat), is left out (D03)"),
    "eps_dropped": ("rmsnorm/torch/f32/5x40/eps-dominated/s2", "y", "eps is left out of the root (D44)"),
    "silu_factor_dropped": ("swiglu/default/f32/5x40/normal/s1", "da", "the factor 1 + a * (1 - s) is left out"),
    "halves_swapped": ("swiglu/default/f32/5x40/normal/s1", "y", "a and b are exchanged"),
    "partial_quad_unwritten": ("swiglu/default/f32/3x7/normal/s1", "y", "the rest of a division by 4: a tail (D70)"),
    "residual_gradient_dropped": ("add_rmsnorm/torch/f32/5x40/normal/s1", "dx", "the residual's own gradient is left out"),
    "residual_gradient_early": ("add_rmsnorm/torch/f32/5x40/normal/s1", "dx", "the residual's own gradient went through the norm as well"),
}


class PlantedFaults(Program):
    def test_each_is_recognised(self):
        for fault, (case, tensor, words) in TABLE.items():
            with self.subTest(fault):
                result = call("replay", case, "--gate", "truth", "--implementation", f"mutant:{fault}")
                self.assertEqual(result.returncode, FAIL, result.stdout)
                lines = result.stdout.splitlines()
                at = next(i for i, line in enumerate(lines) if line.startswith(f"FAIL  {tensor} "))
                self.assertIn("looks like: ", lines[at + 1], result.stdout)
                self.assertIn(words, lines[at + 1], result.stdout)

    def test_nothing_is_said_of_what_passes(self):
        result = call("replay", "rmsnorm/torch/f32/5x40/normal/s1", "--gate", "truth")
        self.assertNotIn("looks like", result.stdout)


if __name__ == "__main__":
    unittest.main()
