"""A class of thirty builds six stations and compares them."""

from windvane import MemoryStore, Pipeline, RainGauge, Series, Station, Thermometer, stage

PLACES = {
    "roof": (50.94, 6.96),
    "yard": (50.94, 6.96),
    "pond": (50.95, 6.97),
}


@stage(name="doubt")
def doubt(reading):
    """Thermometers in the sun are not believed."""
    return reading if reading.value < 45.0 else None


shared = MemoryStore(limit=5000)

stations = [
    Station(
        place,
        sensors=[Thermometer("air", shielded=place != "roof"), RainGauge("rain", bucket=0.3)],
        latitude=latitude,
        longitude=longitude,
        store=shared,
        pipeline=Pipeline("drop_missing", "doubt"),
    )
    for place, (latitude, longitude) in PLACES.items()
]
stations += [
    Station("window", sensors=[Thermometer("air")], store=shared),
    Station("staircase", sensors=[Thermometer("air")], store=shared, notes="never changes"),
    Station("kitchen", sensors=[Thermometer("air")], store=shared, alerts=[], tags=["indoors", "warm"]),
]

for station in stations:
    station.observe(times=4)

together = Series.merge(*(station.history("air") for station in stations))
print("mean of all:", together.mean(digits=1))
for station in stations:
    mean = station.history("air").smooth(2).mean(digits=1)
    print(f"{station.name:10} {mean} °C")

gauge = RainGauge("rain")
gauge.tip()
gauge.tip(times=3)
print("rain:", gauge.tip(), "mm")
