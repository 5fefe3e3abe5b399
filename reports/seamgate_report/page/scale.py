"""A logarithmic axis for errors over their bars: what has no place on it (0, infinity, NaN) is drawn at its ends."""

from __future__ import annotations

import math

_MOST_TICKS = 9


class LogScale:
    """Maps [low, high], both powers of ten, to [0, 1]."""

    def __init__(self, low_exponent, high_exponent):
        self.low_exponent, self.high_exponent = low_exponent, high_exponent

    @classmethod
    def over(cls, values, least_exponent=-4):
        """An axis that holds the bar, a decade on each side of it, and all `values` down to 10**least_exponent."""
        finite = [value for value in values if math.isfinite(value) and value > 0]
        low = math.floor(math.log10(min(finite, default=0.1)))
        high = math.ceil(math.log10(max(finite, default=1.0)))
        high += any(not math.isfinite(value) for value in values)  # a decade of its own for what is not finite
        return cls(min(max(low, least_exponent), -1), max(high, 1))

    def at(self, value):
        """0 for the low end and what lies below it, 1 for the high end and what is not finite."""
        if not math.isfinite(value):
            return 1.0
        if value <= 0:
            return 0.0
        share = (math.log10(value) - self.low_exponent) / (self.high_exponent - self.low_exponent)
        return min(max(share, 0.0), 1.0)

    def ticks(self):
        """(place, label, minor) of every decade, or of every second, third ... one when there are many.

        1 is always among them; where room is short the minor ones, every other, can be left out.
        """
        step = math.ceil((self.high_exponent - self.low_exponent + 1) / _MOST_TICKS)
        exponents = [n for n in range(self.low_exponent, self.high_exponent + 1) if n % step == 0]
        length = self.high_exponent - self.low_exponent
        return [((n - self.low_exponent) / length, _label(n), n // step % 2 == 1) for n in exponents]


def _label(exponent):
    return f"{10.0**exponent:g}" if -3 <= exponent <= 4 else f"1e{exponent}"
