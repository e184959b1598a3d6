"""What every store can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import datetime

from ..readings import Reading, Series


class StoreClosed(RuntimeError):
    """The store was closed before."""


class Store(ABC):
    """A place for readings. Use it with `with`: it is closed at the end."""

    def __init__(self, *, limit: int | None = None) -> None:
        self.limit = limit
        self.closed = False

    @abstractmethod
    def put(self, key: str, reading: Reading, *, overwrite: bool = True) -> None:
        """Keep a reading under a key, such as the station's name."""

    @abstractmethod
    def get(self, key: str, *, since: datetime | None = None, limit: int | None = None) -> Series:
        """What was kept under a key, oldest first."""

    def put_all(self, key: str, readings: Iterable[Reading]) -> int:
        """Keep several readings; returns how many."""
        count = 0
        for reading in readings:
            self.put(key, reading)
            count += 1
        return count

    def latest(self, key: str) -> Reading | None:
        """The newest reading under a key."""
        return self.get(key, limit=1).latest

    def close(self) -> None:
        """Let go of everything that is held open."""
        self.closed = True

    def _check(self) -> None:
        if self.closed:
            raise StoreClosed(type(self).__name__)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()
