"""A forecast that fits on a postcard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .readings import Series
from .units import compass

Mood = Literal["fair", "changing", "rain", "storm"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What to wear tomorrow."""

    mood: Mood
    confidence: float
    hours: int = 12

    def __str__(self) -> str:
        return f"{self.mood} for {self.hours} hours ({self.confidence:.0%})"


def forecast(pressure: Series, wind_from: float | None = None, /, *, hours: int = 12, window: int = 3) -> Forecast:
    """What falling or rising pressure has meant since Zambretti (1915)."""
    trend = _trend(pressure.smooth(window))
    quarter = "" if wind_from is None else compass(wind_from, points=4)
    if trend < -3.0:
        return Forecast("storm", 0.8, hours=hours)
    if trend < -1.0:
        return Forecast("rain", 0.7 if quarter in ("S", "W") else 0.6, hours=hours)
    if trend < 1.0:
        return Forecast("changing", 0.5, hours=hours)
    return Forecast("fair", confidence=0.75, hours=hours)


def _trend(series: Series) -> float:
    first, last = series.get(0), series.latest
    return 0.0 if first is None or last is None else last.value - first.value
