"""Readings and series of them: values that say how far they can be trusted."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import NamedTuple

from .units import convert


class Quality(Enum):
    """How far a reading can be trusted."""

    GOOD = "good"
    SUSPECT = "suspect"
    MISSING = "missing"

    @property
    def is_usable(self) -> bool:
        """True where the value means something."""
        return self is not Quality.MISSING


class Reading(NamedTuple):
    """One value of one sensor at one moment."""

    sensor: str
    value: float
    unit: str
    at: datetime | None = None
    quality: Quality = Quality.GOOD

    def to(self, unit: str) -> Reading:
        """The same reading in another unit."""
        return self._replace(value=convert(self.value, self.unit, to=unit), unit=unit)


def utc_now() -> datetime:
    """This moment, with its zone."""
    return datetime.now(timezone.utc)


class Series:
    """Readings in the order of time.

    A series is a snapshot: its methods return new ones.
    """

    def __init__(self, readings: Iterable[Reading] = (), *, name: str = "") -> None:
        self._readings = list(readings)
        self.name = name

    @classmethod
    def from_values(
        cls, values: Iterable[float], *, sensor: str = "values", unit: str = "C", start: datetime | None = None
    ) -> Series:
        """A series from bare numbers, a minute apart."""
        start = start or utc_now()
        readings = [
            Reading(sensor, value, unit, at=start + timedelta(minutes=minute)) for minute, value in enumerate(values)
        ]
        return cls(readings, name=sensor)

    @staticmethod
    def merge(*series: Series) -> Series:
        """All readings of several series, in the order of time."""
        readings = [reading for one in series for reading in one]
        return Series(sorted(readings, key=lambda reading: reading.at or utc_now()))

    @property
    def latest(self) -> Reading | None:
        """The newest reading, if there is any."""
        return self._readings[-1] if self._readings else None

    @property
    def values(self) -> list[float]:
        """The usable values."""
        return [reading.value for reading in self._readings if reading.quality.is_usable]

    def of(self, sensor: str) -> Series:
        """The readings of one sensor."""
        return Series((reading for reading in self if reading.sensor == sensor), name=sensor)

    def where(self, keep: Callable[[Reading], bool]) -> Series:
        """The readings that `keep` wants."""
        return Series(filter(keep, self._readings), name=self.name)

    def get(self, position: int, default: Reading | None = None) -> Reading | None:
        """The reading at a position, or `default` where the series is shorter."""
        try:
            return self._readings[position]
        except IndexError:
            return default

    def mean(self, *, digits: int | None = None) -> float | None:
        """The mean of the usable values."""
        if not self.values:
            return None
        mean = statistics.fmean(self.values)
        return mean if digits is None else round(mean, digits)

    def smooth(self, window: int = 3, *, edges: str = "shrink") -> Series:
        """A running mean over `window` readings."""
        smoothed = []
        for position, reading in enumerate(self._readings):
            first = max(0, position - window + 1)
            if edges == "drop" and position - first + 1 < window:
                continue
            around = [other.value for other in self._readings[first : position + 1]]
            smoothed.append(reading._replace(value=statistics.fmean(around)))
        return Series(smoothed, name=self.name)

    def __iter__(self) -> Iterator[Reading]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)
