"""The smallest station: a thermometer on a balcony."""

from windvane import Hygrometer, Station, Thermometer

station = Station("balcony", sensors=[Thermometer("air", pin=4), Hygrometer("damp", pin=5)])

for reading in station.observe(times=3):
    print(f"{reading.sensor}: {reading.value:.1f} {reading.unit} ({reading.quality.value})")

print("dew point:", station.comfort())

# A neighbour's, a street further, with its place on the map.
neighbour = Station("balcony-2", sensors=[Thermometer("air", pin=4)], latitude=52.52, longitude=13.41)
neighbour.observe()

# And one for the cellar, where nothing ever happens.
cellar = Station("cellar", sensors=[Thermometer("air", pin=7, limits=(2.0, 25.0))], interval=3600.0)
cellar.observe(save=False)
