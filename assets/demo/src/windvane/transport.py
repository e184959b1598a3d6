"""Sending readings away, and fetching those of others."""

from __future__ import annotations

import asyncio
import functools
import json
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypedDict

from .readings import Quality, Reading, Series


class Observation(TypedDict, total=False):
    """One reading as it travels."""

    sensor: str
    value: float
    unit: str
    quality: str


class UplinkError(ConnectionError):
    """The map did not take what was sent."""

    def __init__(self, url: str, *, status: int | None = None) -> None:
        super().__init__(f"{url} answered {status}")
        self.status = status


def retry(attempts: int = 3, *, delay: float = 0.5, on: type[Exception] = ConnectionError):
    """Try an async function again when it fails, each time a little later."""

    def decorate(function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(function)
        async def again(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(1, attempts + 1):
                try:
                    return await function(*args, **kwargs)
                except on:
                    if attempt == attempts:
                        raise
                    await asyncio.sleep(delay * attempt)

        return again

    return decorate


def encode_compact(series: Series, *, station: str, precision: int = 1) -> bytes:
    """A line a reading: for radio, where every byte is dear."""
    lines = [f"{station},{reading.sensor},{reading.value:.{precision}f}" for reading in series]
    return "\n".join(lines).encode()


def encode_verbose(series: Series, *, station: str, precision: int = 3) -> bytes:
    """JSON, for people and for servers."""
    readings = [
        Observation(
            sensor=reading.sensor,
            value=round(reading.value, precision),
            unit=reading.unit,
            quality=reading.quality.value,
        )
        for reading in series
    ]
    return json.dumps({"station": station, "readings": readings}).encode()


class Uplink:
    """A connection to a map of stations. Use it with `async with`."""

    def __init__(self, url: str, *, secret: str | None = None, compact: bool = False, timeout: float = 10.0) -> None:
        self.url = url
        self.secret = secret
        self.compact = compact
        self.timeout = timeout
        self.sent = 0

    @retry(attempts=3)
    async def send(self, station: str, series: Series) -> int:
        """Send readings; returns how many bytes that took."""
        encode = encode_compact if self.compact else encode_verbose
        payload = encode(series, station=station)
        await asyncio.to_thread(self._post, payload)
        self.sent += len(series)
        return len(payload)

    def _post(self, payload: bytes) -> None:
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        request = urllib.request.Request(self.url, data=payload, headers=headers)
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            if answer.status >= 300:
                raise UplinkError(self.url, status=answer.status)

    async def __aenter__(self) -> Uplink:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await asyncio.sleep(0)


@retry(attempts=5, delay=1.0)
async def fetch_observations(
    station: str, *, url: str = "https://windvane.example/api", limit: int = 100, timeout: float = 10.0
) -> Series:
    """The newest readings of another station."""
    text = await asyncio.to_thread(_get, f"{url}/{station}?limit={limit}", timeout)
    return decode(json.loads(text))


async def follow(station: str, *, every: float = 60.0, **options: Any) -> AsyncIterator[Reading]:
    """Another station's readings as they arrive, for ever."""
    while True:
        series = await fetch_observations(station, limit=1, **options)
        if series.latest is not None:
            yield series.latest
        await asyncio.sleep(every)


def decode(document) -> Series:
    """Readings from an answer of the map."""
    readings = []
    for entry in document.get("readings", ()):
        quality = Quality(entry.get("quality", "good"))
        readings.append(Reading(entry["sensor"], entry["value"], entry.get("unit", ""), quality=quality))
    return Series(readings, name=document.get("station", ""))


def _get(url: str, timeout: float) -> str:
    with urllib.request.urlopen(url, timeout=timeout) as answer:
        return answer.read().decode()
