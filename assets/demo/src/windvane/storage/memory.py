"""A store that forgets when the program ends."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from ..readings import Reading, Series
from .base import Store


class MemoryStore(Store):
    """Readings in a dictionary: for tests and for trying things out."""

    def __init__(self, *, limit: int | None = None) -> None:
        super().__init__(limit=limit)
        self._kept: dict[str, list[Reading]] = defaultdict(list)

    def put(self, key: str, reading: Reading, *, overwrite: bool = True) -> None:
        self._check()
        kept = self._kept[key]
        if not overwrite and any(other.at == reading.at for other in kept):
            return
        kept.append(reading)
        if self.limit is not None:
            del kept[: -self.limit]

    def get(self, key: str, *, since: datetime | None = None, limit: int | None = None) -> Series:
        self._check()
        # `dict.get`, which is nobody's `Store.get`.
        kept = self._kept.get(key, [])
        if since is not None:
            kept = [reading for reading in kept if reading.at is None or reading.at >= since]
        return Series(kept if limit is None else kept[-limit:], name=key)
