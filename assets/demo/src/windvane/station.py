"""The station: what most people come for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from .alerts import Alert, AlertRule, notify
from .pipeline import Pipeline
from .readings import Quality, Reading, Series, utc_now
from .sensors import Sensor, SensorError
from .storage import MemoryStore, Store
from .units import dew_point

if TYPE_CHECKING:
    from .transport import Uplink


class Station:
    """A weather station: sensors in one place, read together.

    Only the name is needed; what is left out is chosen so that a station on a balcony just works.
    """

    def __init__(
        self,
        name: str,
        *,
        sensors: Iterable[Sensor] = (),
        latitude: float | None = None,
        longitude: float | None = None,
        altitude: float = 0.0,
        interval: float = 60.0,
        store: Store | None = None,
        pipeline: Pipeline | None = None,
        alerts: Iterable[AlertRule] = (),
        timezone: str = "UTC",
        uplink: Uplink | None = None,
        owner: str | None = None,
        notes: str = "",
        tags: Iterable[str] = (),
        simulate: bool = False,
        read_timeout: float = 2.0,
        max_failures: int = 3,
        clock: Callable[[], datetime] = utc_now,
        locale: str = "en",
        power_saving: bool = False,
        mast_height: float | None = None,
    ) -> None:
        self.name = name
        self.sensors = list(sensors)
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.interval = interval * (10 if power_saving else 1)
        self.store = store if store is not None else MemoryStore(limit=1000)
        self.pipeline = pipeline or Pipeline("drop_missing", "metric")
        self.alerts = list(alerts)
        self.timezone = timezone
        self.uplink = uplink
        self.owner = owner
        self.notes = notes
        self.tags = frozenset(tags)
        self.simulate = simulate
        self.read_timeout = read_timeout
        self.max_failures = max_failures
        self.locale = locale
        self.mast_height = mast_height
        self._clock = clock
        self._failures = 0

    @classmethod
    def at(cls, latitude: float, longitude: float, *, name: str = "", **settings) -> Station:
        """A station that is named after its place."""
        return cls(name or f"{latitude:.2f},{longitude:.2f}", latitude=latitude, longitude=longitude, **settings)

    @staticmethod
    def is_valid_name(name: str) -> bool:
        """True where the map would take the name."""
        return 0 < len(name) <= 40 and name.isprintable()

    @property
    def position(self) -> tuple[float, float] | None:
        """Latitude and longitude, where both are known."""
        if self.latitude is None or self.longitude is None:
            return None
        return self.latitude, self.longitude

    def add(self, *sensors: Sensor, replace: bool = False) -> Station:
        """Mount more sensors; returns the station, so that calls can be chained."""
        for sensor in sensors:
            if replace:
                self.sensors = [other for other in self.sensors if other.name != sensor.name]
            self.sensors.append(sensor)
        return self

    def observe(self, *, times: int = 1, save: bool = True) -> Series:
        """Read every sensor, keep what is left of it, and tell people what they should know."""
        raw = [self._read(sensor) for _ in range(times) for sensor in self.sensors]
        series = self.pipeline.run(raw)
        if save:
            self.store.put_all(self.name, series)
        for reading in series:
            for alert in self._raised_by(reading):
                self._tell(alert)
        return series

    def history(self, sensor: str | None = None, *, since: datetime | None = None, limit: int | None = None) -> Series:
        """What was observed before, of one sensor or of all."""
        series = self.store.get(self.name, since=since, limit=limit)
        return series if sensor is None else series.of(sensor)

    def comfort(self) -> float | None:
        """The dew point of what was observed last; above 20 °C people complain."""
        air = self.history("air", limit=50).latest
        damp = self.history("damp", limit=50).latest
        return None if air is None or damp is None else dew_point(air.value, damp.value)

    async def upload(self, *, limit: int = 100) -> int:
        """Send what was observed to the map; returns how many bytes that took."""
        if self.uplink is None:
            return 0
        async with self.uplink as link:
            return await link.send(self.name, self.history(limit=limit))

    @contextmanager
    def paused(self, *, reason: str = "") -> Iterator[Station]:
        """No alerts while somebody works on the mast."""
        alerts, self.alerts = self.alerts, []
        try:
            yield self
        finally:
            self.alerts = alerts
            if reason:
                self.notes = f"{self.notes}\n{reason}".strip()

    def export_netcdf(self, path: str, *, compression: int = 4, conventions: str = "CF-1.8") -> None:
        """Write everything as NetCDF. Nobody has ever asked for it."""
        raise NotImplementedError(f"{path}: NetCDF needs a bigger mast ({compression=}, {conventions=})")

    def _read(self, sensor: Sensor) -> Reading:
        try:
            reading = sensor.read(at=self._clock())
        except SensorError:
            self._failures += 1
            if self._failures > self.max_failures:
                raise
            return Reading(sensor.name, 0.0, "", at=self._clock(), quality=Quality.MISSING)
        self._failures = 0
        return reading

    def _raised_by(self, reading: Reading) -> list[Alert]:
        raised = (rule.check(reading) for rule in self.alerts)
        return [alert for alert in raised if alert is not None]

    def _tell(self, alert: Alert) -> None:
        notify(alert.text, *alert.rule.channels, severity=alert.rule.severity, station=self.name)
