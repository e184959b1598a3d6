"""A store in one file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from ..readings import Quality, Reading, Series
from .base import Store
from .memory import MemoryStore

SCHEMA = """
CREATE TABLE IF NOT EXISTS readings (
    key TEXT NOT NULL, sensor TEXT NOT NULL, value REAL NOT NULL, unit TEXT NOT NULL, at TEXT, quality TEXT NOT NULL
)
"""


class SqliteStore(Store):
    """Readings in an SQLite database."""

    def __init__(
        self,
        path: str | Path,
        *,
        limit: int | None = None,
        timeout: float = 5.0,
        read_only: bool = False,
        journal: str = "wal",
    ) -> None:
        super().__init__(limit=limit)
        self.path = Path(path)
        self.read_only = read_only
        self._db = sqlite3.connect(self.path, timeout=timeout)
        if not read_only:
            self._db.execute(f"PRAGMA journal_mode={journal}")
            self._db.execute(SCHEMA)

    def put(self, key: str, reading: Reading, *, overwrite: bool = True) -> None:
        self._check()
        row = (key, reading.sensor, reading.value, reading.unit, _text(reading.at), reading.quality.value)
        self._db.execute("INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?)", row)

    def get(self, key: str, *, since: datetime | None = None, limit: int | None = None) -> Series:
        self._check()
        rows = self._db.execute(
            "SELECT sensor, value, unit, at, quality FROM readings WHERE key = ? AND (? IS NULL OR at >= ?)"
            " ORDER BY at DESC LIMIT ?",
            (key, _text(since), _text(since), -1 if limit is None else limit),
        )
        return Series(reversed([_reading(*row) for row in rows]), name=key)

    def close(self) -> None:
        self._db.commit()
        self._db.close()
        super().close()

    def vacuum(self) -> None:
        """Give unused space back to the disk."""
        self._check()
        self._db.execute("VACUUM")


@contextmanager
def open_store(target: str = ":memory:", *, limit: int | None = None, **options) -> Iterator[Store]:
    """The store that a name asks for, closed at the end: a path, or `:memory:`."""
    store = MemoryStore(limit=limit) if target == ":memory:" else SqliteStore(target, limit=limit, **options)
    try:
        yield store
    finally:
        store.close()


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _reading(sensor: str, value: float, unit: str, at: str | None, quality: str) -> Reading:
    return Reading(sensor, value, unit, at=datetime.fromisoformat(at) if at else None, quality=Quality(quality))
