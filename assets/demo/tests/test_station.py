"""The station as its users meet it."""

import asyncio
from datetime import datetime, timezone

import pytest

from windvane import (
    AlertRule,
    Hygrometer,
    MemoryStore,
    Pipeline,
    RainGauge,
    Sensor,
    Station,
    Thermometer,
    WeatherStation,
)
from windvane.sensors import SensorError

NOON = datetime(2024, 6, 21, 12, tzinfo=timezone.utc)


class BrokenSensor:
    """A sensor whose wire is cut."""

    name = "broken"

    def read(self, *, at=None):
        raise SensorError("no answer")


def test_a_name_is_enough():
    station = Station("bare")
    assert len(station.observe()) == 0
    assert station.position is None


def test_version_one_said_weather_station():
    assert WeatherStation("old", sensors=[Thermometer("air")]).observe().latest.sensor == "air"
    assert WeatherStation("old", latitude=1.0, longitude=2.0).position == (1.0, 2.0)


def test_every_sensor_is_read_every_time():
    station = Station("two", sensors=[Thermometer("air"), Hygrometer("damp")])
    assert len(station.observe(times=3)) == 6


def test_position_needs_both_coordinates():
    assert Station("half", sensors=[Thermometer("air")], latitude=52.5).position is None
    assert Station("whole", sensors=[], latitude=52.5, longitude=13.4).position == (52.5, 13.4)
    assert Station("zero", latitude=0.0, longitude=0.0).position == (0.0, 0.0)


def test_a_station_named_after_its_place():
    assert Station.at(52.52, 13.41).name == "52.52,13.41"
    assert Station.at(52.52, 13.41, name="Berlin", sensors=[Thermometer("air")]).name == "Berlin"


@pytest.mark.parametrize("name", ["", "x" * 41, "bell\a"])
def test_bad_names(name):
    assert not Station.is_valid_name(name)


def test_observations_are_stored(store):
    station = Station("stored", sensors=[Thermometer("air")], store=store)
    station.observe(times=2)
    assert len(station.history()) == 2
    assert len(station.history("air", limit=1)) == 1
    assert len(station.history("damp")) == 0


def test_observations_can_be_thrown_away(station, store):
    station.observe(save=False)
    assert len(store.get("test")) == 0


def test_the_store_forgets_the_oldest():
    station = Station("full", sensors=[Thermometer("air")], store=MemoryStore(limit=3))
    station.observe(times=5)
    assert len(station.history()) == 3


def test_history_since_a_moment(store):
    station = Station("clocked", sensors=[Thermometer("air")], store=store, clock=lambda: NOON)
    station.observe()
    assert len(station.history(since=NOON)) == 1
    assert station.history(since=NOON).latest.at == NOON


def test_the_interval_is_a_minute():
    assert Station("default").interval == 60.0
    assert Station("quick", sensors=[Thermometer("air")], interval=1.0).interval == 1.0
    assert Station("quiet", sensors=[Thermometer("air")], interval=5.0, power_saving=True).interval == 50.0


def test_sensors_can_be_added_and_replaced():
    station = Station("growing", sensors=[Thermometer("air", pin=1)])
    station.add(Thermometer("air", pin=2), replace=True).add(RainGauge("rain"))
    assert [sensor.pin for sensor in station.sensors] == [2, None]


def test_a_broken_sensor_is_missing_and_then_an_error():
    station = Station("broken", sensors=[BrokenSensor()], max_failures=1)
    assert len(station.observe()) == 0
    with pytest.raises(SensorError):
        station.observe()


def test_anything_that_reads_is_a_sensor():
    assert isinstance(BrokenSensor(), Sensor)
    assert isinstance(Thermometer("air"), Sensor)


def test_a_pipeline_of_ones_own(store):
    station = Station("own", sensors=[Thermometer("air")], store=store, pipeline=Pipeline("drop_missing"))
    assert len(station.observe()) == 1
    nothing = Station("nothing", sensors=[Thermometer("air")], pipeline=Pipeline(lambda reading: None))
    assert len(nothing.observe()) == 0


def test_alerts_reach_people(capsys):
    rule = AlertRule("air", above=-50.0, message="It is not that cold")
    station = Station("warm", sensors=[Thermometer("air")], alerts=[rule])
    station.observe()
    assert "not that cold" in capsys.readouterr().out


def test_a_pause_is_silent(capsys):
    rules = [AlertRule("air", above=-50.0)]
    station = Station("paused", sensors=[Thermometer("air")], alerts=rules)
    with station.paused(reason="painting"):
        station.observe()
    assert capsys.readouterr().out == ""
    assert station.alerts == rules
    assert station.notes == "painting"


def test_comfort_needs_two_sensors(station):
    station.observe()
    assert station.comfort() is None
    pair = Station("pair", sensors=[Thermometer("air", pin=1), Hygrometer("damp", pin=2)])
    pair.observe()
    assert 5.0 < pair.comfort() < 9.0


def test_without_an_uplink_nothing_is_sent(station):
    assert asyncio.run(station.upload()) == 0


def test_tags_are_a_set():
    assert Station("tagged", tags=["roof", "roof"]).tags == {"roof"}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_zones(zone):
    assert Station("zoned", sensors=[Thermometer("air")], timezone=zone).timezone == zone


def test_many_stations_share_a_store(store):
    settings = {"interval": 10.0, "store": store}
    for name in ("north", "south", "west"):
        Station(name, sensors=[Thermometer("air")], **settings).observe()
    assert len(store.get("north")) == len(store.get("south")) == 1
    assert store.latest("east") is None
