"""Numbers of a record: what counts as one, and what passes a bar."""

import math
import unittest

import run_folder  # noqa: F401  (puts the package on the path)

from seamgate_report.quantity import number, over_bar, short, times_the_bar, to_json, within


class Numbers(unittest.TestCase):
    def test_null_and_words_are_read_as_what_is_not_finite(self):
        self.assertTrue(math.isnan(number(None)))
        self.assertTrue(math.isnan(number("NaN")))
        self.assertEqual(number("inf"), math.inf)
        self.assertEqual(number("-Infinity"), -math.inf)
        self.assertEqual(number(10**400), math.inf)

    def test_truth_values_and_other_words_are_no_numbers(self):
        for value in (True, False, "0.5", "", [], {}):
            with self.subTest(value), self.assertRaises(ValueError):
                number(value)


class Bars(unittest.TestCase):
    def test_an_error_at_its_bar_passes_and_one_step_over_it_does_not(self):
        self.assertTrue(within(1e-6, 1e-6))
        self.assertFalse(within(math.nextafter(1e-6, 1), 1e-6) if hasattr(math, "nextafter") else within(1.1e-6, 1e-6))

    def test_nothing_that_is_not_finite_passes(self):
        for error, bar in ((math.nan, 1), (math.inf, 1), (math.inf, math.inf), (0, math.nan), (0, math.inf), (0, -1)):
            with self.subTest(error=error, bar=bar):
                self.assertFalse(within(error, bar))

    def test_bar_zero_passes_error_zero_alone(self):
        self.assertTrue(within(0.0, 0.0))
        self.assertFalse(within(5e-324, 0.0))

    def test_how_far_over_the_bar(self):
        self.assertEqual(over_bar(2e-6, 1e-6), 2)
        self.assertEqual(over_bar(0.0, 0.0), 0)
        self.assertEqual(over_bar(1e-9, 0.0), math.inf)
        self.assertEqual(over_bar(math.nan, 1.0), math.inf)
        self.assertEqual(times_the_bar(math.inf), "not finite")
        self.assertEqual(to_json(math.inf), "inf")

    def test_three_digits_are_shown(self):
        values = (0, 0.0901, 0.998, 9.994, 9.996, 41, 99.94, 99.96, 3000, 412345.0, 1e-4, None, "inf")
        self.assertEqual(" ".join(map(short, values)), "0 0.09 1.00 9.99 10.0 41.0 99.9 100 3000 4.1e+05 1.0e-04 - inf")


if __name__ == "__main__":
    unittest.main()
