"""Recipes from the manual; each is run before a release."""

from windvane import AlertRule, Anemometer, MemoryStore, Pipeline, RainGauge, Station, Thermometer, WeatherStation
from windvane.alerts import frost


def greenhouse() -> Station:
    """A greenhouse that asks for its windows to be opened."""
    return Station(
        "greenhouse",
        sensors=[Thermometer("air", pin=4, limits=(-5.0, 60.0))],
        alerts=[frost(below=4.0), AlertRule("air", above=32.0, message="Open the windows")],
        interval=120.0,
    )


def vineyard() -> list[Station]:
    """Three rows of vines, one store."""
    store = MemoryStore()
    return [
        Station(name, sensors=[Thermometer("air"), RainGauge("rain")], latitude=49.9, longitude=7.9, store=store)
        for name in ("upper row", "middle row", "lower row")
    ]


def lighthouse() -> WeatherStation:
    """Wind that is believed, however strong."""
    return WeatherStation(
        "lighthouse",
        sensors=[Anemometer("wind", height=40.0, vane=False)],
        latitude=54.1,
        longitude=7.9,
        pipeline=Pipeline("drop_missing", "metric"),
        altitude=40.0,
    )


def dry_run() -> Station:
    """Nothing is wired yet."""
    return Station("bench", sensors=[Thermometer("air")], simulate=True)
