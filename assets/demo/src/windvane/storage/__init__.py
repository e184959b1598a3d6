"""Where readings are kept."""

from .base import Store, StoreClosed
from .memory import MemoryStore
from .sqlite import SqliteStore, open_store

__all__ = ["MemoryStore", "SqliteStore", "Store", "StoreClosed", "open_store"]
