"""What the tests share."""

import pytest

from windvane import MemoryStore, Station, Thermometer


@pytest.fixture
def store():
    """A store that keeps ten readings."""
    with MemoryStore(limit=10) as store:
        yield store


@pytest.fixture
def station(store) -> Station:
    """A station with one thermometer."""
    return Station("test", sensors=[Thermometer("air", pin=1)], store=store)
