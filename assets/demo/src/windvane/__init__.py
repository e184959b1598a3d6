"""A kit for small weather stations.

Everything that a station needs is here under its short name; the modules below hold the details.
"""

from .alerts import Alert, AlertRule, notify
from .config import StationConfig
from .forecast import forecast
from .pipeline import Pipeline, stage
from .readings import Quality, Reading, Series
from .sensors import Anemometer, Barometer, Hygrometer, RainGauge, Sensor, Thermometer
from .station import Station
from .storage import MemoryStore, SqliteStore, Store, open_store
from .transport import Uplink, fetch_observations
from .units import convert

# The name that version 1 used; half of the world's balconies still do.
WeatherStation = Station

__version__ = "2.4.0"

__all__ = [
    "Alert",
    "AlertRule",
    "Anemometer",
    "Barometer",
    "Hygrometer",
    "MemoryStore",
    "Pipeline",
    "Quality",
    "RainGauge",
    "Reading",
    "Sensor",
    "Series",
    "SqliteStore",
    "Station",
    "StationConfig",
    "Store",
    "Thermometer",
    "Uplink",
    "WeatherStation",
    "convert",
    "fetch_observations",
    "forecast",
    "notify",
    "open_store",
    "stage",
]
