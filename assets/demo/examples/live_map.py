"""Sends a station's readings to the map, and follows a friend's."""

import asyncio
import os

from windvane import Anemometer, StationConfig, Thermometer, Uplink, WeatherStation, fetch_observations
from windvane.config import SensorConfig
from windvane.transport import follow

SETTINGS = {"interval": 30.0, "timezone": "Europe/Lisbon", "owner": "ana"}


async def send() -> None:
    """One round: observe, upload."""
    uplink = Uplink("https://windvane.example/api", secret=os.environ.get("WINDVANE_SECRET"))
    station = WeatherStation(
        "quinta",
        sensors=[Thermometer("air"), Anemometer("wind", height=3.0)],
        latitude=38.70,
        longitude=-9.42,
        uplink=uplink,
        **SETTINGS,
    )
    station.observe(times=2)
    print(await station.upload(limit=10), "bytes sent,", uplink.sent, "readings")


async def watch(name: str) -> None:
    """Print what a friend's station says."""
    before = await fetch_observations(name, limit=5)
    print("so far:", before.mean(digits=1))
    async for reading in follow(name, every=30.0):
        print(reading.sensor, reading.to("F").value)


def describe() -> StationConfig:
    """The same station as a file would say it."""
    return StationConfig(
        name="quinta",
        lat=38.70,
        lon=-9.42,
        sensors=[
            SensorConfig(name="air", kind="thermometer"),
            SensorConfig(name="wind", kind="anemometer", pin=11, options={"height": 3.0}),
        ],
        upload_to="https://windvane.example/api",
    )


async def main() -> None:
    """Everything at once."""
    described = describe().build()
    described.observe()
    await asyncio.gather(send(), watch("harbour"))


if __name__ == "__main__":
    asyncio.run(main())
