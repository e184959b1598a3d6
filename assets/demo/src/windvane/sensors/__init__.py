"""Sensors: things that can be asked for a reading."""

from .air import BarometricSensor, HumiditySensor, TemperatureSensor
from .base import BaseSensor, Sensor, SensorError
from .outdoor import RainGauge, WindSensor

# What people call them.
Thermometer = TemperatureSensor
Hygrometer = HumiditySensor
Barometer = BarometricSensor
Anemometer = WindSensor

__all__ = [
    "Anemometer",
    "Barometer",
    "BaseSensor",
    "Hygrometer",
    "RainGauge",
    "Sensor",
    "SensorError",
    "Thermometer",
]
