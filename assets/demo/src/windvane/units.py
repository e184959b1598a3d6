"""Conversions between the units that sensors speak and those that people read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, overload

#: Metres per second in one unit of speed.
SPEED: Final = {"m/s": 1.0, "km/h": 1 / 3.6, "kn": 0.514444, "mph": 0.44704}
#: Pascals in one unit of pressure.
PRESSURE: Final = {"Pa": 1.0, "hPa": 100.0, "mbar": 100.0, "inHg": 3386.389}
#: Millimetres in one unit of depth.
DEPTH: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4}

ABSOLUTE_ZERO: Final = -273.15


class UnitError(ValueError):
    """Two units that measure different things."""

    def __init__(self, unit: str, to: str) -> None:
        super().__init__(f"{unit} cannot be turned into {to}")
        self.unit = unit
        self.to = to


@overload
def convert(value: float, /, unit: str, *, to: str, digits: int | None = None) -> float: ...


@overload
def convert(value: Sequence[float], /, unit: str, *, to: str, digits: int | None = None) -> list[float]: ...


def convert(value, /, unit, *, to, digits=None):
    """Turn a value, or each of several, from one unit into another.

    Raises `UnitError` where the two measure different things.
    """
    if isinstance(value, Sequence):
        return [convert(one, unit, to=to, digits=digits) for one in value]
    result = _to_temperature(value, unit, to) if unit in ("C", "F", "K") else _scale(value, unit, to)
    return result if digits is None else round(result, digits)


def celsius(fahrenheit: float, /) -> float:
    """Degrees Celsius of degrees Fahrenheit."""
    return (fahrenheit - 32.0) / 1.8


def dew_point(temperature: float, humidity: float) -> float:
    """The temperature in °C at which this air would begin to drip (Magnus formula)."""
    gamma = math.log(max(humidity, 0.1) / 100.0) + 17.62 * temperature / (243.12 + temperature)
    return 243.12 * gamma / (17.62 - gamma)


def beaufort(speed: float, unit: str = "m/s") -> int:
    """The wind's force as sailors say it, from 0 to 12."""
    metres = convert(speed, unit, to="m/s")
    return min(12, round((metres / 0.836) ** (2 / 3)))


def compass(degrees: float, *, points: int = 16) -> str:
    """The name of a direction, such as `NNE`."""
    names = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
    step = len(names) // points
    return names[round(degrees % 360 / 360 * points) % points * step]


def _scale(value: float, unit: str, to: str) -> float:
    for family in (SPEED, PRESSURE, DEPTH):
        if unit in family and to in family:
            return value * family[unit] / family[to]
    raise UnitError(unit, to)


def _to_temperature(value: float, unit: str, to: str) -> float:
    if unit == "F":
        value = celsius(value)
    elif unit == "K":
        value = value + ABSOLUTE_ZERO
    if to == "F":
        return value * 1.8 + 32.0
    if to == "K":
        return value - ABSOLUTE_ZERO
    if to != "C":
        raise UnitError(unit, to)
    return value
