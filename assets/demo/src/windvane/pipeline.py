"""Pipelines: what happens to a reading between the sensor and the map."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TypeVar, overload

from .readings import Quality, Reading, Series

Stage = Callable[[Reading], "Reading | None"]
F = TypeVar("F", bound=Callable)

_registry: dict[str, Stage] = {}


class Pipeline:
    """Stages in a row. A stage returns the reading, a changed one, or `None` to drop it."""

    def __init__(self, *stages: Stage | str, name: str = "pipeline", strict: bool = False) -> None:
        self.name = name
        self.strict = strict
        self._stages: list[Stage] = [_find(one) for one in stages]

    def then(self, *stages: Stage | str) -> Pipeline:
        """The same pipeline with more stages at its end."""
        return Pipeline(*self._stages, *stages, name=self.name, strict=self.strict)

    def run(self, readings: Iterable[Reading], *, limit: int | None = None) -> Series:
        """What is left of the readings at the end."""
        kept = []
        for reading in readings:
            if limit is not None and len(kept) >= limit:
                break
            result = self(reading)
            if result is not None:
                kept.append(result)
        return Series(kept, name=self.name)

    def __call__(self, reading: Reading) -> Reading | None:
        current: Reading | None = reading
        for one in self._stages:
            if current is None:
                if self.strict:
                    raise ValueError(f"{self.name} dropped {reading.sensor}")
                return None
            current = one(current)
        return current


@overload
def stage(function: F) -> F: ...


@overload
def stage(*, name: str | None = None, skip_suspect: bool = False) -> Callable[[F], F]: ...


def stage(function=None, *, name=None, skip_suspect=False):
    """Make a function a stage that pipelines find by name; bare, or with options."""

    def register(inner):
        @functools.wraps(inner)
        def guarded(reading):
            if skip_suspect and reading.quality is Quality.SUSPECT:
                return reading
            return inner(reading)

        _registry[name or inner.__name__] = guarded
        return guarded

    return register if function is None else register(function)


@stage
def drop_missing(reading: Reading) -> Reading | None:
    """Lets only readings through that have a value."""
    return reading if reading.quality.is_usable else None


@stage(name="metric")
def to_metric(reading: Reading) -> Reading:
    """Everything in °C, hPa, m/s and mm."""
    wanted = {"F": "C", "K": "C", "inHg": "hPa", "kn": "m/s", "mph": "m/s", "in": "mm"}
    unit = wanted.get(reading.unit)
    return reading.to(unit) if unit else reading


@stage(name="despike", skip_suspect=True)
def despike(reading: Reading) -> Reading:
    """Marks values that no weather has ever had."""
    extreme = {"C": 57.0, "hPa": 1085.0, "m/s": 113.0}.get(reading.unit)
    if extreme is not None and reading.value > extreme:
        return reading._replace(quality=Quality.SUSPECT)
    return reading


def clamp(low: float, high: float, *, mark: bool = True) -> Stage:
    """A stage that keeps values between two others."""

    def clamped(reading: Reading) -> Reading:
        value = min(max(reading.value, low), high)
        if value == reading.value:
            return reading
        return reading._replace(value=value, quality=Quality.SUSPECT if mark else reading.quality)

    return clamped


def _find(wanted: Stage | str) -> Stage:
    if not isinstance(wanted, str):
        return wanted
    try:
        return _registry[wanted]
    except KeyError:
        raise LookupError(f"no stage is called {wanted}; there are {', '.join(sorted(_registry))}") from None
