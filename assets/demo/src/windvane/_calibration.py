"""How raw counts become values. Private: a sensor calls it, nobody else should."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Calibration:
    """A straight line from raw counts to a unit."""

    offset: float = 0.0
    gain: float = 1.0
    measured_on: str | None = None

    def apply(self, raw: float) -> float:
        """The calibrated value."""
        return self.offset + self.gain * raw


IDENTITY = Calibration()


def fit(points: list[tuple[float, float]], *, measured_on: str | None = None) -> Calibration:
    """The line through measured points, by least squares."""
    if len(points) < 2:
        return Calibration(measured_on=measured_on)
    xs, ys = zip(*points)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    gain = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 1.0
    return Calibration(offset=mean_y - gain * mean_x, gain=gain, measured_on=measured_on)


def wobble(around: float, by: float, *, seed: int | None = None) -> float:
    """A pretended raw value, for sensors that have no wire yet."""
    return random.Random(seed).gauss(around, by)
