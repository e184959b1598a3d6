"""Alerts: rules over readings, and ways to tell people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from datetime import timedelta
from enum import IntEnum

from .readings import Reading


class Severity(IntEnum):
    """How loud an alert is."""

    NOTE = 1
    WARNING = 2
    DANGER = 3


@dataclass
class AlertRule:
    """Fires when a sensor rises above or falls below a value."""

    sensor: str
    _: KW_ONLY
    above: float | None = None
    below: float | None = None
    severity: Severity = Severity.WARNING
    message: str = ""
    cooldown: timedelta = timedelta(minutes=10)
    channels: tuple[str, ...] = ("log",)

    def check(self, reading: Reading) -> Alert | None:
        """The alert that this reading raises, if any."""
        if reading.sensor != self.sensor or not reading.quality.is_usable:
            return None
        too_high = self.above is not None and reading.value > self.above
        too_low = self.below is not None and reading.value < self.below
        return Alert(self, reading) if too_high or too_low else None


@dataclass
class Alert:
    """A rule that fired, and what made it fire."""

    rule: AlertRule
    reading: Reading
    acknowledged_by: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What people are told."""
        return self.rule.message or f"{self.reading.sensor} is {self.reading.value:.1f} {self.reading.unit}"

    def acknowledge(self, who: str) -> None:
        """Somebody has seen it."""
        self.acknowledged_by.append(who)


_channels: dict[str, Callable[..., None]] = {"log": lambda text, **details: print(text)}


def channel(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a channel that rules can name."""

    def register(send: Callable[..., None]) -> Callable[..., None]:
        _channels[name] = send
        return send

    return register


def notify(text: str, *channels: str, severity: Severity = Severity.NOTE, **details: object) -> int:
    """Tell people over the given channels; returns how many took the message.

    Details are handed to the channels as they are: a map link, a picture, a phone number.
    """
    reached = 0
    for name in channels or ("log",):
        send = _channels.get(name)
        if send is None:
            continue
        send(text, severity=severity, **details)
        reached += 1
    return reached


def frost(sensor: str = "air", *, below: float = 0.5, **options) -> AlertRule:
    """The rule that gardeners want."""
    return AlertRule(sensor, below=below, message="Cover the tomatoes", **options)


def storm(sensor: str = "wind", *, above: float = 20.8, **options) -> AlertRule:
    """The rule that sailors want."""
    return AlertRule(sensor, above=above, severity=Severity.DANGER, **options)
