"""Sensors that must stand in the weather."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._calibration import wobble
from ..units import beaufort, compass
from .base import BaseSensor


@dataclass
class WindSensor(BaseSensor):
    """Cups that turn and a vane that points."""

    unit: ClassVar[str] = "m/s"
    typical: ClassVar[float] = 4.0

    height: float = 10.0
    vane: bool = True

    def _sample(self) -> float:
        # Near the ground the wind is slower; stations report it as if at ten metres.
        return max(0.0, super()._sample()) * (10.0 / self.height) ** 0.14

    def force(self) -> int:
        """The last speed as a Beaufort number."""
        return beaufort(self.history[-1]) if self.history else 0

    def direction(self) -> str:
        """Where the wind comes from."""
        return compass(wobble(225.0, 30.0, seed=self.pin)) if self.vane else "unknown"


@dataclass
class RainGauge(BaseSensor):
    """雨量計（うりょうけい）: a bucket that tips at every 0.2 mm, and counts. ☔"""

    unit: ClassVar[str] = "mm"

    bucket: float = 0.2
    tips: int = 0

    def tip(self, times: int = 1) -> float:
        """The bucket tips; returns how much rain fell since the last reset."""
        self.tips += times
        return self.tips * self.bucket

    def reset(self) -> None:
        """Forget what fell."""
        self.tips = 0

    def _sample(self) -> float:
        return self.tips * self.bucket
