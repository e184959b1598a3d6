"""A station for a glider airfield: wind above all, and people who must be told."""

from windvane import AlertRule, Anemometer, Barometer, Pipeline, SqliteStore, Station, Thermometer, convert, forecast
from windvane.alerts import Severity, channel, frost, notify, storm
from windvane.pipeline import clamp
from windvane.units import beaufort, compass


@channel("tower")
def call_the_tower(text, *, severity=Severity.NOTE, **details):
    """Rings until somebody picks up."""
    print("TOWER", severity.name, text, details.get("runway", "all runways"))


wind = Anemometer("wind", pin=11, height=6.0)
pressure = Barometer(name="pressure", pin=12, altitude=487.0)

field = Station(
    "airfield",
    sensors=[wind, pressure, Thermometer("air", pin=4)],
    latitude=47.99,
    longitude=7.85,
    altitude=487.0,
    interval=10.0,
    store=SqliteStore("airfield.db", timeout=2.0),
    pipeline=Pipeline("drop_missing", "metric", "despike", clamp(-40.0, 1100.0)),
    alerts=[
        storm("wind", above=17.2),
        frost("air"),
        AlertRule("wind", above=10.8, message="No winch launches", channels=("log", "tower")),
        AlertRule("pressure", below=980.0, severity=Severity.NOTE),
    ],
    mast_height=6.0,
)

observed = field.observe(times=5)
knots = [convert(value, "m/s", to="kn", digits=0) for value in observed.of("wind").values]
print("wind in knots:", knots, "from", wind.direction(), "force", wind.force())
print("gusts:", max(knots, default=0), "kn, Beaufort", beaufort(max(knots, default=0), "kn"))
print("runway:", "16" if compass(160.0, points=8) == "S" else "34")
print(forecast(observed.of("pressure"), 225.0, hours=6))

with field.paused(reason="new cups on the anemometer"):
    field.add(Anemometer("wind", pin=11, height=8.0), replace=True)

notify("Airfield is open", "log", "tower", severity=Severity.NOTE, runway="16/34")
field.store.close()
