"""Sensors of the air itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from .._calibration import wobble
from ..readings import Reading
from .base import BaseSensor, SensorError


@dataclass
class TemperatureSensor(BaseSensor):
    """A thermometer, best in the shade."""

    unit: ClassVar[str] = "C"
    typical: ClassVar[float] = 14.0

    shielded: bool = True

    def _sample(self) -> float:
        # Sun on bare metal reads three degrees too warm.
        return super()._sample() + (0.0 if self.shielded else 3.0)


@dataclass
class HumiditySensor(BaseSensor):
    """Relative humidity in percent."""

    unit: ClassVar[str] = "%"
    typical: ClassVar[float] = 63.0

    heated: bool = False

    def dry(self, seconds: float = 30.0) -> None:
        """Heat the sensor until it is dry again."""
        if not self.heated:
            raise SensorError(f"{self.name} has no heater")
        self.history.clear()


@dataclass(kw_only=True)
class BarometricSensor(BaseSensor):
    """Air pressure, reduced to sea level."""

    unit: ClassVar[str] = "hPa"
    typical: ClassVar[float] = 1013.0

    altitude: float = 0.0

    def read(self, *, at: datetime | None = None) -> Reading:
        """One reading, as it would be at the sea."""
        raw = super().read(at=at)
        return raw._replace(value=raw.value + self.altitude / 8.3)

    def _sample(self) -> float:
        return wobble(self.typical, 2.0, seed=self.pin) - self.altitude / 8.3
