"""What every sensor can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Protocol, runtime_checkable

from .._calibration import IDENTITY, Calibration, fit, wobble
from ..readings import Quality, Reading, utc_now


class SensorError(RuntimeError):
    """A sensor did not answer."""


@runtime_checkable
class Sensor(Protocol):
    """Anything that has a name and can be read."""

    name: str

    def read(self, *, at: datetime | None = None) -> Reading:
        """One reading, now or as if it were `at`."""
        ...


@dataclass
class BaseSensor:
    """The fields and the behaviour that all sensors of this kit share."""

    unit: ClassVar[str] = ""
    typical: ClassVar[float] = 0.0

    name: str
    pin: int | None = None
    calibration: Calibration = IDENTITY
    limits: tuple[float, float] | None = None
    history: list[float] = field(default_factory=list, init=False, repr=False)

    def read(self, *, at: datetime | None = None) -> Reading:
        """One reading; suspect where it lies outside the sensor's limits."""
        value = self.calibration.apply(self._sample())
        self.history.append(value)
        return Reading(self.name, value, self.unit, at=at or utc_now(), quality=self._judge(value))

    def calibrate(self, *points: tuple[float, float], measured_on: str | None = None) -> None:
        """Learn from pairs of what was shown and what was true."""
        self.calibration = fit(list(points), measured_on=measured_on)

    def _sample(self) -> float:
        return wobble(self.typical, 0.4, seed=self.pin)

    def _judge(self, value: float) -> Quality:
        if self.limits is None:
            return Quality.GOOD
        low, high = self.limits
        return Quality.GOOD if low <= value <= high else Quality.SUSPECT
