"""Stations as files: what can be written down instead of programmed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from .sensors import Anemometer, Barometer, Hygrometer, RainGauge, Thermometer

if TYPE_CHECKING:
    from .station import Station

KINDS: dict[str, Any] = {
    "anemometer": Anemometer,
    "barometer": Barometer,
    "hygrometer": Hygrometer,
    "rain": RainGauge,
    "thermometer": Thermometer,
}


class Section(BaseModel):
    """What every section of a file has."""

    model_config = ConfigDict(populate_by_name=True)

    label: str | None = Field(default=None, description="Shown instead of the name")
    enabled: bool = True


class SensorConfig(Section):
    """One sensor."""

    name: str
    kind: Literal["anemometer", "barometer", "hygrometer", "rain", "thermometer"]
    pin: int | None = Field(default=None, ge=0, le=40)
    options: dict[str, Any] = Field(default_factory=dict)


class StationConfig(Section):
    """A whole station."""

    version: ClassVar[int] = 2

    name: str
    latitude: float = Field(ge=-90, le=90, alias="lat")
    longitude: float = Field(ge=-180, le=180, alias="lon")
    sensors: list[SensorConfig] = []
    interval: float = 60.0
    upload_to: str | None = None
    secret: str | None = Field(default=None, repr=False)
    _source: Path | None = None

    @classmethod
    def load(cls, path: str | Path, *, encoding: str = "utf-8") -> StationConfig:
        """Read a JSON file."""
        config = cls(**json.loads(Path(path).read_text(encoding=encoding)))
        config._source = Path(path)
        return config

    def build(self, **overrides: Any) -> Station:
        """The station that the file describes."""
        from .station import Station

        sensors = [
            KINDS[one.kind](one.name, pin=one.pin, **one.options) for one in self.sensors if one.enabled
        ]
        settings: dict[str, Any] = {"sensors": sensors, "interval": self.interval, **overrides}
        return Station(self.name, latitude=self.latitude, longitude=self.longitude, **settings)
