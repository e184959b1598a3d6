"""The `windvane` command."""

from __future__ import annotations

import argparse
import asyncio
import sys

from . import Station, StationConfig, Thermometer, convert, fetch_observations, open_store
from .sensors import Hygrometer


def main(argv: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="windvane", description="A kit for small weather stations")
    commands = parser.add_subparsers(dest="command", required=True)
    observe = commands.add_parser("observe", help="read every sensor of a station")
    observe.add_argument("config", nargs="?", help="a station's JSON file")
    observe.add_argument("--times", type=int, default=1)
    observe.add_argument("--store", default=":memory:")
    fetch = commands.add_parser("fetch", help="show another station's readings")
    fetch.add_argument("station")
    fetch.add_argument("--limit", type=int, default=10)
    arguments = parser.parse_args(argv)

    if arguments.command == "fetch":
        for reading in asyncio.run(fetch_observations(arguments.station, limit=arguments.limit)):
            print(_line(reading))
        return 0
    with open_store(arguments.store) as store:
        station = _station(arguments.config, store=store)
        for reading in station.observe(times=arguments.times):
            print(_line(reading))
    return 0


def _station(path: str | None, *, store) -> Station:
    if path is not None:
        return StationConfig.load(path).build(store=store)
    return Station("demo", sensors=[Thermometer("air"), Hygrometer("damp")], store=store)


def _line(reading) -> str:
    if reading.unit == "C":
        return f"{reading.sensor:12} {reading.value:6.1f} °C  {convert(reading.value, 'C', to='F', digits=1):6.1f} °F"
    return f"{reading.sensor:12} {reading.value:6.1f} {reading.unit}"


if __name__ == "__main__":
    sys.exit(main())
