"""Numbers of a record: how they are read, and how far an error is over its bar.

A value that is not finite arrives as null, as "nan", "inf" or "-inf", or as a bare NaN or Infinity: JSON has no word for
it and writers differ. It is read as such and never passes.
"""

import math

_WORDS = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, "-inf": -math.inf, "-infinity": -math.inf}


def number(value):
    """The float that `value` stands for; ValueError when it stands for none."""
    if value is None:
        return math.nan
    if isinstance(value, bool):
        raise ValueError(f"{value} is not a number")
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    raise ValueError(f"{value!r} is not a number")


def within(error, bar):
    """Whether `error` passes `bar`: both finite, the bar not negative, error <= bar."""
    return math.isfinite(error) and math.isfinite(bar) and bar >= 0 and error <= bar


def over_bar(error, bar):
    """error / bar; 0 for 0 over 0; infinite where the error is not finite or the bar is 0."""
    if not math.isfinite(error):
        return math.inf
    if bar == 0:
        return 0.0 if error == 0 else math.inf
    return error / bar


def to_json(value):
    """A float as JSON can carry it: infinity becomes "inf"."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf"


def short(value):
    """Three significant digits, without a mantissa where none is needed: 0.09, 41, 1.2e+05, inf, -."""
    if value is None:
        return "-"
    value = number(value)
    if not math.isfinite(value):
        return "inf" if value == math.inf else "nan"
    if value == 0:
        return "0"
    if 0.0095 <= abs(value) < 9.995:
        return f"{value:.2f}"
    if 9.995 <= abs(value) < 99999.5:
        return f"{value:.0f}" if abs(value) >= 99.95 else f"{value:.1f}"
    return f"{value:.1e}"


def times_the_bar(ratio):
    """How far over the bar, in words: "3.58 x the bar", or "not finite"."""
    return f"{short(ratio)} x the bar" if math.isfinite(ratio) else "not finite"
